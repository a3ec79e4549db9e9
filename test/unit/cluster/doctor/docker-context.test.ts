import { describe, expect, test } from 'vitest';
import { copiedPaths, ignores } from '../../../../src/cluster/doctor/checks/project.ts';

describe('what a Dockerfile copies', () => {
  const copies = (dockerfile: string, path: string): boolean | undefined =>
    copiedPaths(`${dockerfile}\nRUN npm run build`)?.(path);

  test.each([
    ['COPY . .', 'assets', true],
    ['COPY ./ /workspace/', 'assets', true],
    ['COPY src/ src/', 'assets', false],
    ['copy src assets /workspace/', 'assets', true],
    ['COPY --chown=1:1 src \\\n  assets ./', 'assets', true],
    ['COPY ["src", "assets", "./"]', 'assets', true],
    ['COPY --from=builder . .', 'assets', false],
    ['COPY src/*.ts src/', 'src', true],
    ['COPY s* ./', 'src', true],
    ['ADD . .', 'src', true],
    ['# COPY . .', 'src', false],
  ])('%j: %s %s', (dockerfile, path, expected) => {
    expect(copies(dockerfile, path)).toBe(expected);
  });

  test('is not known of one that mounts its sources, or builds nothing', () => {
    expect(copiedPaths('RUN --mount=type=bind,target=. npm run build')).toBeUndefined();
    expect(copiedPaths('COPY dist/ ./')).toBeUndefined();
  });

  test.each([
    ['assets', true],
    ['/assets/', true],
    ['**/assets', true],
    ['a*', true],
    ['*', true],
    ['assets/*.md', false],
    ['src', false],
    ['# assets', false],
    ['*\n!assets', false],
    ['*\n!assets/**', false],
    ['!assets\n*', true],
  ])('.dockerignore %j leaves assets out: %s', (text, expected) => {
    expect(ignores(text, 'assets')).toBe(expected);
  });
});

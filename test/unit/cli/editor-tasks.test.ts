// The problem matchers of the scaffolded .vscode/tasks.json, on what the commands really print.
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createReporter } from '../../../src/cli/ui/reporter.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { kindSource, projectFolder, type ProjectFolder } from '../compiler/manifests/project-folder.ts';

interface Matcher {
  readonly pattern: readonly {
    readonly regexp: string;
    readonly kind?: 'file';
    readonly [part: string]: string | number | undefined;
  }[];
  readonly background?: { readonly beginsPattern: string; readonly endsPattern: string };
}

const { tasks } = JSON.parse(
  readFileSync(new URL('../../golden/projects/empty/.vscode/tasks.json', import.meta.url), 'utf8'),
) as { tasks: { label: string; isBackground?: true; problemMatcher: readonly Matcher[] }[] };
const watch = tasks.find(({ isBackground }) => isBackground)?.problemMatcher ?? [];
const build = tasks.find(({ label }) => label === 'build')?.problemMatcher ?? [];

type Problem = Record<string, string | undefined>;

/** The problems that an editor finds, as VS Code does: each matcher matches consecutive lines, one pattern a line. */
function problemsIn(output: string, matchers: readonly Matcher[]): readonly Problem[] {
  const lines = output.split('\n');
  const found = lines.flatMap((_line, start) =>
    matchers.map(({ pattern }) => problemAt(lines, start, pattern)),
  );
  return found.filter((problem) => problem !== undefined);
}

function problemAt(
  lines: readonly string[],
  start: number,
  pattern: Matcher['pattern'],
): Problem | undefined {
  const problem: Problem = {};
  for (const [index, { regexp, kind: _kind, ...parts }] of pattern.entries()) {
    const match = new RegExp(regexp).exec(lines[start + index] ?? '');
    if (match === null) return undefined;
    for (const [part, group] of Object.entries(parts)) problem[part] = match[Number(group)];
  }
  return problem;
}

function linesMatching(output: string, pattern: 'beginsPattern' | 'endsPattern'): readonly number[] {
  const { background } = watch.find((matcher) => matcher.background !== undefined) ?? expect.fail();
  return output
    .split('\n')
    .flatMap((line, index) => (new RegExp(background?.[pattern] ?? '').test(line) ? [index] : []));
}

const folders: ProjectFolder[] = [];
afterEach(() => folders.splice(0).forEach((folder) => folder.remove()));

function project(files: Record<string, string>): ProjectFolder {
  const folder = projectFolder(files);
  folders.push(folder);
  return folder;
}

const broken = (kind: string): string => kindSource(kind, { spec: 'size: number; share: number' });
const generateWatch = (folder: ProjectFolder, signal: AbortSignal) =>
  runCli(['generate', 'manifests', '--watch'], { cwd: folder.dir, signal });

describe('generate manifests --watch', () => {
  test('shows each finding at its place, between the first and the last line of a run', async () => {
    const folder = project({ 'src/a.ts': broken('Alpha'), 'src/b.ts': broken('Beta') });
    const { stderr } = await generateWatch(folder, AbortSignal.abort());
    const problems = problemsIn(stderr, watch);
    expect(problems.map(({ file }) => file)).toEqual(['src/a.ts', 'src/a.ts', 'src/b.ts', 'src/b.ts']);
    for (const problem of problems) {
      expect(problem).toMatchObject({ severity: 'error', code: 'schema/plain-number' });
      expect(problem['message']).toMatch(/is a plain `number`/);
      const line = folder.read(problem['file'] ?? '').split('\n')[Number(problem['line']) - 1] ?? '';
      expect(line.slice(Number(problem['column']) - 1)).toMatch(/^(?:size|share)\b/);
    }
    const [begins, ends] = [linesMatching(stderr, 'beginsPattern'), linesMatching(stderr, 'endsPattern')];
    expect(begins).toEqual([0]);
    // The last line ends with a line break.
    expect(ends).toEqual([stderr.split('\n').length - 2]);
  });

  test('repeats warnings in each run, since an editor forgets those of the last', async () => {
    const crd = (plural: string): string => `config/crd/bases/cache.example.com_${plural}.yaml`;
    const folder = project({ 'src/a.ts': kindSource('Alpha'), 'src/b.ts': kindSource('Beta') });
    expect(await runCli(['generate', 'manifests'], { cwd: folder.dir })).toMatchObject({ code: 0 });
    folder.write(crd('betas'), `${folder.read(crd('betas'))}# mine\n`);
    folder.write('src/b.ts', 'export {};');
    folder.write(crd('alphas'), '');
    const stop = new AbortController();
    const run = generateWatch(folder, stop.signal);
    const written = (): Promise<void> =>
      vi.waitFor(() => expect(folder.read(crd('alphas'))).toContain('kind: Alpha'), { timeout: 60_000 });
    await written();
    folder.write(crd('alphas'), '');
    folder.write('src/a.ts', `${folder.read('src/a.ts')}\n`);
    await written();
    stop.abort();
    const { stderr } = await run;
    expect(problemsIn(stderr, watch).map(({ severity, code, file }) => [severity, code, file])).toEqual([
      ...[1, 2].flatMap(() => [
        ['warning', 'manifests/not-in-project', 'src/a.ts'],
        ['warning', 'manifests/stale', crd('betas')],
      ]),
    ]);
    const [begins, ends] = [linesMatching(stderr, 'beginsPattern'), linesMatching(stderr, 'endsPattern')];
    expect([begins.length, ends.length]).toEqual([2, 2]);
    expect(begins[1]).toBe((ends[0] ?? 0) + 1);
  });
});

describe.each([
  ['build', build],
  ['generate manifests --watch', watch],
])('the matcher of %s', (_name, matchers) => {
  const printed = (...findings: Parameters<ReturnType<typeof createReporter>['error']>): string => {
    let text = '';
    createReporter({ write: (part) => (text += part), colors: false }).error(...findings);
    return text;
  };

  test.each([
    ['a message of several lines', 'first\nsecond', { file: 'src/a b.ts', line: 3, column: 7 }, '3'],
    ['a place without column', 'first', { file: 'src/a b.ts', line: 3 }, '3'],
    ['a place without line', 'first', { file: 'src/a b.ts' }, undefined],
  ])('finds %s', (_title, message, where, line) => {
    const output = printed({ code: 'io/not-found', message, where, fix: ['make it'] });
    expect(problemsIn(output, matchers)).toEqual([
      expect.objectContaining({
        severity: 'error',
        code: 'io/not-found',
        message: 'first',
        file: 'src/a b.ts',
      }),
    ]);
    expect(problemsIn(output, matchers)[0]?.['line']).toBe(line);
  });

  test.each([{ flag: '--domain' }, { object: 'Lease a/b', path: '.spec' }, { command: 'npm pack' }])(
    'takes no file from %j',
    (where) => {
      expect(problemsIn(printed({ code: 'io/not-found', message: 'a', where }), matchers)).toEqual([]);
    },
  );
});

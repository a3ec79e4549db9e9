import { describe, expect, test } from 'vitest';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import { withDevDependency } from '../../../../src/project/scaffold/dev-dependency.ts';

const added = (text: string): string => withDevDependency(text, 'fast-check', '^4.0.0');
const json = (devDependencies: object, indent: number | string = 2): string =>
  `${JSON.stringify({ name: 'x', devDependencies, scripts: { test: 'a "devDependencies": {}' } }, null, indent)}\n`;

describe('a development dependency', () => {
  test.each([2, 4, '\t'])(
    'goes where the order of the names wants it, in the layout that is there (indent %j)',
    (indent) => {
      for (const others of [
        { eslint: '^1', prettier: '^2' },
        { prettier: '^2', vitest: '~4' },
        { '@types/node': '^20', eslint: '^1' },
      ]) {
        const all: Record<string, string> = { ...others, 'fast-check': '^4.0.0' };
        const sorted = Object.fromEntries(
          Object.keys(all)
            .sort()
            .map((name) => [name, all[name]]),
        );
        const text = added(json(others, indent));
        expect(JSON.parse(text)).toEqual(JSON.parse(json(sorted)));
        expect(Object.keys((JSON.parse(text) as { devDependencies: object }).devDependencies)).toEqual(
          Object.keys(sorted),
        );
        expect(text).toBe(json(sorted, indent));
      }
    },
  );

  test('that is there stays as it is', () => {
    const text = json({ 'fast-check': '^3.0.0' });
    expect(added(text)).toBe(text);
  });

  test('goes into an empty object, and keeps the line ends of Windows', () => {
    expect(JSON.parse(added(json({})))).toMatchObject({ devDependencies: { 'fast-check': '^4.0.0' } });
    expect(added(json({ eslint: '^1' }).replaceAll('\n', '\r\n'))).not.toMatch(/[^\r]\n/);
  });

  test.each(['{}', '{ "devDependencies": [] }', 'no JSON', '[]', json({ eslint: '^1' }, 0)])(
    'of %s cannot be added',
    (text) => {
      try {
        added(text);
        expect.unreachable();
      } catch (error) {
        if (!isOpSdkError(error)) throw error;
        expect(error.findings).toMatchObject([{ code: 'project/cannot-edit' }]);
        expect(error.findings[0]?.fix?.join()).toContain('"fast-check": "^4.0.0"');
      }
    },
  );
});

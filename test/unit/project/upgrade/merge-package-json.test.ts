import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergePackageJson, withDependency } from '../../../../src/project/upgrade/merge-package-json.ts';
import { spliceJson } from '../../../../src/project/upgrade/json-splice.ts';

const base = `{
  "name": "web",
  "scripts": {
    "build": "op-sdk build",
    "test": "vitest run"
  },
  "dependencies": {
    "opsdk": "^1.0.0"
  },
  "devDependencies": {
    "eslint": "^9.0.0",
    "typescript": "~5.8.0"
  }
}
`;
const merged = (edited: string, generated: string) => mergePackageJson({ base, edited, generated });

describe('package.json', () => {
  test('gets what the new version changes, beside edits on neighbouring lines', () => {
    const generated = base
      .replace('~5.8.0', '~5.9.0')
      .replace('"test": "vitest run"', '"lint": "eslint .",\n    "test": "vitest run"')
      .replace('    "eslint": "^9.0.0",\n', '');
    const edited = base
      .replace('"opsdk": "^1.0.0"', '"left-pad": "1.0.0",\n    "opsdk": "^1.0.0"')
      .replace('"typescript": "~5.8.0"', '"typescript": "~5.8.0",\n    "zod": "^4.0.0"')
      .replace('"name": "web"', '"name":   "web"');
    expect(merged(edited, generated)).toEqual({
      kept: [],
      text: edited
        .replace('~5.8.0', '~5.9.0')
        .replace('"test": "vitest run"', '"lint": "eslint .",\n    "test": "vitest run"')
        .replace('    "eslint": "^9.0.0",\n', ''),
    });
  });

  test('keeps entries that were edited or removed, and names the edited ones', () => {
    const generated = base.replace('vitest run', 'vitest').replace('~5.8.0', '~5.9.0');
    const edited = base.replace('vitest run', 'mocha').replace(',\n    "typescript": "~5.8.0"', '');
    expect(merged(edited, generated)).toEqual({ kept: ['scripts.test'], text: edited });
  });

  test('keeps its format: tabs, Windows line ends, one line', () => {
    const generated = base.replace('"name": "web",', '"name": "web",\n  "type": "module",');
    const tabs = base.replaceAll('  ', '\t');
    expect(merged(tabs, generated).text).toBe(tabs.replace('"web",', '"web",\n\t"type": "module",'));
    const windows = base.replaceAll('\n', '\r\n');
    expect(merged(windows, generated).text).toBe(windows.replace('"web",', '"web",\r\n  "type": "module",'));
    expect(merged('{"name":"web"}', generated).text).toBe('{"name":"web", "type": "module"}');
  });

  test('is refused if it is not an object', () => {
    expect(() => merged('{', base)).toThrow('project/cannot-edit');
  });

  test.each([
    ['^1.0.0', '^1.2.0', '^1.2.0'],
    ['~1.0.0', '^1.2.0', '~1.2.0'],
    ['1.0.0', '^1.2.0', '1.2.0'],
    ['1.0.0', 'file:.op-sdk/opsdk-1.2.0-dev.tgz', 'file:.op-sdk/opsdk-1.2.0-dev.tgz'],
    ['file:.op-sdk/opsdk-1.0.0-dev.tgz', '^1.2.0', '^1.2.0'],
    ['workspace:*', '^1.2.0', undefined],
    ['file:../opsdk.tgz', '^1.2.0', undefined],
    ['>=1 <2', '^1.2.0', undefined],
  ])('has its dependency %s moved to %s as %s', (from, to, expected) => {
    const text = base.replace('^1.0.0', from);
    expect(withDependency(text, to)).toBe(
      expected === undefined ? undefined : base.replace('^1.0.0', expected),
    );
  });
});

describe('a splice of JSON', () => {
  const key = fc.string({ maxLength: 4 });
  const json = fc.dictionary(key, fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.jsonValue())), {
    noNullPrototype: true,
  });
  const format = fc.constantFrom(undefined, 1, 2, 4, '\t');

  test('sets, adds and removes an entry, and leaves the value of all others', () => {
    fc.assert(
      fc.property(
        json,
        key,
        fc.option(fc.jsonValue(), { nil: undefined }),
        format,
        key,
        (map, name, value, space, after) => {
          fc.pre(name !== '__proto__' && !Object.hasOwn(map, '__proto__'));
          const text = JSON.stringify(map, null, space);
          const expected = structuredClone(map) as Record<string, unknown>;
          if (value === undefined) delete expected[name];
          else expected[name] = value;
          const normal = JSON.parse(JSON.stringify(expected)) as unknown;
          expect(JSON.parse(spliceJson(text, [name], value, after) ?? '')).toEqual(normal);
        },
      ),
    );
  });

  test('takes a new entry back without a trace', () => {
    fc.assert(
      fc.property(json, format, (map, space) => {
        fc.pre(Object.keys(map).length > 0 && !Object.hasOwn(map, '__proto__') && !Object.hasOwn(map, 'n'));
        const text = JSON.stringify(map, null, space);
        const added = spliceJson(text, ['n'], { a: [1] }, Object.keys(map).at(-1)) ?? '';
        expect(spliceJson(added, ['n'], undefined)).toBe(text);
      }),
    );
  });
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dependencyIn,
  mergePackageJson,
  withDependency,
} from '../../../../src/project/upgrade/merge-package-json.ts';
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
      notes: [],
      text: edited
        .replace('~5.8.0', '~5.9.0')
        .replace('"test": "vitest run"', '"lint": "eslint .",\n    "test": "vitest run"')
        .replace('    "eslint": "^9.0.0",\n', ''),
    });
  });

  test('keeps entries that were edited or removed, and names the edited ones', () => {
    const generated = base.replace('vitest run', 'vitest').replace('~5.8.0', '~5.9.0');
    const edited = base.replace('vitest run', 'mocha').replace(',\n    "typescript": "~5.8.0"', '');
    expect(merged(edited, generated)).toEqual({
      notes: [
        'package.json keeps your scripts.test, which the new version has changed.',
        'devDependencies.typescript was removed from package.json and stays so; the new version has changed it.',
      ],
      text: edited,
    });
  });

  test('keeps a dependency in the section in which the project lists it', () => {
    const generated = base
      .replace('~5.8.0', '~5.9.0')
      .replace('"eslint": "^9.0.0",', '"eslint": "^9.0.0",\n    "zod": "^4.0.0",');
    const edited = base
      .replace(',\n    "typescript": "~5.8.0"', '')
      .replace('"^1.0.0"', '"^1.0.0",\n    "typescript": "~5.8.0",\n    "zod": "^3.0.0"');
    expect(merged(edited, generated)).toEqual({
      notes: [
        'package.json keeps typescript in your dependencies; the new version has another one in devDependencies.',
        'package.json keeps zod in your dependencies; the new version has another one in devDependencies.',
      ],
      text: edited,
    });
  });

  test('has a dependency moved that the new version has moved, and its section made', () => {
    const moved = base
      .replace(',\n    "typescript": "~5.8.0"', '')
      .replace('"^1.0.0"', '"^1.0.0",\n    "typescript": "~5.8.0"');
    expect(merged(base, moved)).toEqual({ notes: [], text: moved });
    const { optionalDependencies } = JSON.parse(
      merged(base, base.replace('"scripts"', '"optionalDependencies": { "a": "1" }, "scripts"')).text,
    ) as Record<string, unknown>;
    expect(optionalDependencies).toEqual({ a: '1' });
  });

  test('lists nothing twice where the project has no such section', () => {
    const edited =
      '{\n  "name": "web",\n  "dependencies": {\n    "opsdk": "^1.0.0",\n    "zod": "3"\n  }\n}\n';
    const generated = base.replace(
      '"eslint": "^9.0.0"',
      '"eslint": "^9.0.0",\n    "vite": "7",\n    "zod": "4"',
    );
    const { text, notes } = merged(edited, generated);
    expect(JSON.parse(text)).toEqual({
      name: 'web',
      dependencies: { opsdk: '^1.0.0', zod: '3' },
      devDependencies: { vite: '7' },
    });
    expect(notes).toEqual([
      'package.json keeps zod in your dependencies; the new version has another one in devDependencies.',
    ]);
  });

  test('may have a key twice, of which the last counts', () => {
    const twice = (version: string): string =>
      base
        .replace('"eslint": "^9.0.0",', `"typescript": "1", "eslint": "^9.0.0",`)
        .replace('~5.8.0', version);
    const newer = base.replace('~5.8.0', '~5.9.0');
    expect(merged(twice('~5.8.0'), newer)).toEqual({ notes: [], text: twice('~5.9.0') });
    const without = base.replace(',\n    "typescript": "~5.8.0"', '');
    expect(JSON.parse(merged(twice('~5.8.0'), without).text)).toEqual(JSON.parse(without));
    const sections = base.replace('"scripts"', '"devDependencies": {},\n  "scripts"');
    expect(merged(sections, newer).text).toBe(sections.replace('~5.8.0', '~5.9.0'));
  });

  test('has its dependency moved in each section', () => {
    const lists = (a: string, b: string, c: string): string =>
      JSON.stringify({
        dependencies: { opsdk: a },
        optionalDependencies: { opsdk: b },
        peerDependencies: { opsdk: c },
      });
    expect(withDependency(lists('~1.0.0', '1.0.0', '>=1'), '^1.2.0')).toBe(lists('~1.2.0', '1.2.0', '>=1'));
    expect(withDependency(lists('*', '*', '>=1'), '^1.2.0')).toBeUndefined();
    const scaffolded = base.replace('^1.0.0', '1.0.0');
    const generated = base.replace('^1.0.0', '1.2.0');
    const edited = lists('~1.0.0', '1.0.0', '>=1');
    expect(mergePackageJson({ base: scaffolded, edited, generated })).toEqual({ text: edited, notes: [] });
    expect(dependencyIn(lists('a', 'b', 'c'))).toEqual({ section: 'optionalDependencies', value: 'b' });
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

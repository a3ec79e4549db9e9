import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseYaml } from '../../../../src/kubernetes/yaml/read-yaml.ts';
import {
  addToYamlList,
  editYamlDocument,
  removeFromYamlList,
  removeFromYamlMap,
  replaceInYamlMap,
  setInYamlMap,
  YamlSpliceError,
} from '../../../../src/kubernetes/yaml/splice.ts';

describe('addToYamlList', () => {
  it.each([
    ['resources:\n- a # one\n# end\n\npatches: []\n', 'resources:\n- a # one\n- b\n# end\n\npatches: []\n'],
    ['resources:\n  - a\nz: 1', 'resources:\n  - a\n  - b\nz: 1'],
    ['resources:\n- a', 'resources:\n- a\n- b\n'],
    ['resources: [a]  # flow\n', 'resources: [a, "b"]  # flow\n'],
    ['resources: [] # none\nz: 1\n', 'resources: ["b"] # none\nz: 1\n'],
    ['resources: # nothing yet\n# - x\nz: 1\n', 'resources: # nothing yet\n- b\n# - x\nz: 1\n'],
    ['# about z\nz: 1\n', '# about z\nresources:\n- b\nz: 1\n'],
    ['a: 1\n# about z\nz: 1\n', 'a: 1\nresources:\n- b\n# about z\nz: 1\n'],
    ['', 'resources:\n- b\n'],
    ['# only a comment\n', '# only a comment\nresources:\n- b\n'],
    ['resources:\r\n- a\r\n', 'resources:\r\n- a\r\n- b\r\n'],
    ['resources:\n- b\n', 'resources:\n- b\n'],
  ])('%j', (before, after) => {
    expect(addToYamlList(before, ['resources'], 'b')).toBe(after);
  });

  it('puts an item first', () => {
    expect(addToYamlList('r:\n# why\n- a\n- c\n', ['r'], 'b', 'first')).toBe('r:\n# why\n- b\n- a\n- c\n');
    expect(addToYamlList('r: [a]\n', ['r'], 'b', 'first')).toBe('r: ["b", a]\n');
  });

  it.each(['resources: text\n', 'resources: {}\n', 'resources: [\n', '- a\n', 'a: 1\n---\nb: 2\n'])(
    'refuses %j',
    (text) => {
      expect(() => addToYamlList(text, ['resources'], 'b')).toThrow(YamlSpliceError);
    },
  );

  it('keeps every byte of the file and adds the item, whatever it is', () => {
    const text = '# top\nkind: K\nresources:\n- a # x\n# mid\n- {b: "1"}\n\n# tail\nz:   1 # odd spacing\n';
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false, maxDepth: 3 }), (item) => {
        const edited = addToYamlList(text, ['resources'], item);
        // JSON has no negative zero.
        const written: unknown = JSON.parse(JSON.stringify(item));
        expect(parse(edited)).toEqual({ kind: 'K', resources: ['a', { b: '1' }, written], z: 1 });
        expect(edited.startsWith('# top\nkind: K\nresources:\n- a # x\n# mid\n- {b: "1"}\n')).toBe(true);
        expect(edited.endsWith('\n# tail\nz:   1 # odd spacing\n')).toBe(true);
      }),
    );
  });
});

describe('setInYamlMap', () => {
  it('adds, replaces, and makes the maps on the way', () => {
    const text = 'a:\n  b:\n    d: 1 # keep\nz: 0\n';
    expect(setInYamlMap(text, ['a', 'b'], { c: 'x', d: 2, e: null })).toBe(
      'a:\n  b:\n    c: x\n    d: 2 # keep\n    e: null\nz: 0\n',
    );
    expect(setInYamlMap(text, ['a', 'x', 'y'], { n: 1 })).toBe(
      'a:\n  b:\n    d: 1 # keep\n  x:\n    "y":\n      "n": 1\nz: 0\n',
    );
    expect(setInYamlMap('a: {}\n', ['a'], { b: 'c' })).toBe('a: {"b": "c"}\n');
    expect(setInYamlMap('a:\nb: 1\n', ['a'], { c: 1 })).toBe('a:\n  c: 1\nb: 1\n');
  });

  it('reaches into lists', () => {
    expect(setInYamlMap('r:\n- a: 1\n- b: 2 # two\n  z: 3\n', ['r', 1], { c: true })).toBe(
      'r:\n- a: 1\n- b: 2 # two\n  c: true\n  z: 3\n',
    );
    expect(() => setInYamlMap('r:\n- a: 1\n', ['r', 1], { c: true })).toThrow(YamlSpliceError);
  });

  it('refuses a value that is not a map', () => {
    expect(() => setInYamlMap('a: 1\n', ['a', 'b'], { c: 1 })).toThrow(YamlSpliceError);
    expect(() => setInYamlMap('a: {b: [1]}\n', ['a'], { b: 2 })).toThrow(YamlSpliceError);
  });
});

it.each(['38e41947', '1E400', '12345678', '1e5', '0x1F', 'on', '0644', '<<'])(
  'the text %s stays a text, when it is added and when others are',
  (text) => {
    const entries = { first: text, second: text };
    const written = setInYamlMap(addToYamlList('a:\n  first: x\n', ['b'], text), ['a'], entries);
    expect(parseYaml(written, 'a.yaml').value).toEqual({ a: entries, b: [text] });
    expect(removeFromYamlMap(written, ['a'], 'first')).not.toBe(written);
  },
);

describe('setInYamlMap replaces texts of several lines', () => {
  const set = (text: string, b: string): string => setInYamlMap(text, ['a'], { b });

  it('which stand on lines of their own', () => {
    expect(set('a:\n  b: |-\n    one\n    two\n  c: 1\n', 'x')).toBe('a:\n  b: x\n  c: 1\n');
    expect(set('a:\n  b: >\n    one\n    two\n# next\n', 'x')).toBe('a:\n  b: x\n# next\n');
    expect(set('a:\n  b: |-\n    one', 'x')).toBe('a:\n  b: x');
  });

  it('and writes such as machines do, where that can stand', () => {
    expect(set('a:\n  b: x\n  c: 1\n', 'one\n\n  two')).toBe('a:\n  b: |-\n    one\n\n      two\n  c: 1\n');
    expect(set('a:\r\n  b: x\r\n', 'one\ntwo\n')).toBe('a:\r\n  b: |\r\n    one\r\n    two\r\n');
    expect(set('a:\n  b: x # why\n', 'one\ntwo')).toBe('a:\n  b: "one\\ntwo" # why\n');
    expect(set('a: {b: x, c: 1}\n', 'y, z')).toBe('a: {b: "y, z", c: 1}\n');
  });
});

describe('removeFromYamlMap', () => {
  it.each([
    ['a line of its own', 'a: 1 # one\nb: 2\n', [], 'a', 'b: 2\n'],
    ['below its comment', 'a: 1\n# of b\nb: 2\nc: 3\n', [], 'b', 'a: 1\n# of b\nc: 3\n'],
    ['the first of a map in a list', 'l:\n- a: 1\n  b: 2\n', ['l', 0], 'a', 'l:\n- b: 2\n'],
    ['the last of a map in a list', 'l:\n- a: 1\n  b: 2\n- c\n', ['l', 0], 'b', 'l:\n- a: 1\n- c\n'],
    ['in braces', 'm: {a: 1, b: 2, c: 3}\n', ['m'], 'b', 'm: {a: 1, c: 3}\n'],
    [
      'with a map of its own',
      'l:\n- a: 1\n  b:\n    c:\n    - 2\n- d: 3\n',
      ['l', 0],
      'b',
      'l:\n- a: 1\n- d: 3\n',
    ],
    ['in front of another entry', 'a:\n  b: 1\nc: 2\n', [], 'a', 'c: 2\n'],
    ['the first in braces', 'm: {a: 1, b: 2}\n', ['m'], 'a', 'm: {b: 2}\n'],
    ['with Windows line ends', 'a: 1\r\nb: 2\r\n', [], 'a', 'b: 2\r\n'],
    ['what is not there', 'a: 1\n', [], 'b', 'a: 1\n'],
  ])('%s', (_name, text, path, key, expected) => {
    expect(removeFromYamlMap(text, path, key)).toBe(expected);
  });

  it('refuses to leave a list item empty', () => {
    expect(() => removeFromYamlMap('l:\n- a: 1\n', ['l', 0], 'a')).toThrow(YamlSpliceError);
  });
});

describe('replaceInYamlMap', () => {
  it.each([
    [
      'an empty list by one with items',
      'a: 1\nb: [] # ours\nc: 2\n',
      [],
      [{ x: 1 }],
      'a: 1\nb: # ours\n- x: 1\nc: 2\n',
    ],
    ['a list by an empty one', 'b:\n- x: 1\n- y\n# of c\nc: 2\n', [], [], 'b: []\n# of c\nc: 2\n'],
    ['a map by a text', 'm:\n  b:\n    c: 1\n  d: 2\n', ['m'], 'on', 'm:\n  b: "on"\n  d: 2\n'],
    ['the last line, without a break', 'b: {}', [], { c: 1 }, 'b:\n  c: 1\n'],
    ['with Windows line ends', 'b: {}\r\nc: 2\r\n', [], { c: 1 }, 'b:\r\n  c: 1\r\nc: 2\r\n'],
  ])('%s', (_name, text, path, value, expected) => {
    expect(replaceInYamlMap(text, path, 'b', value)).toBe(expected);
  });

  it.each([
    ['b:\n  c: 1 # ours\n', 'b has comments among its lines, which would be lost'],
    ['b:\n  # ours\n  c: 1\n', 'b has comments among its lines, which would be lost'],
    ['{b: [], c: 1}\n', 'b is not on lines of its own'],
    ['c: 1\n', 'b is not there'],
  ])('refuses %j', (text, message) => {
    expect(() => replaceInYamlMap(text, [], 'b', [1])).toThrow(message);
  });
});

describe('editYamlDocument', () => {
  const text = '# head\na: 1\n--- # two\nkind: B\nb: |\n  ---\n---\nc: 3\n';
  const isB = (value: unknown): boolean => (value as { kind?: string } | null)?.kind === 'B';

  it('edits one document, and nothing else', () => {
    const edited = editYamlDocument(text, isB, (document) => setInYamlMap(document, [], { kind: 'D' }));
    expect(edited).toBe(text.replace('kind: B', 'kind: D'));
  });

  it('gives undefined if none is wanted', () => {
    expect(editYamlDocument('a: 1\n', isB, () => '')).toBeUndefined();
  });
});

it('an entry goes behind the dash of a map in a list', () => {
  expect(setInYamlMap('l:\n- name: x\n  z: 1\n', ['l', 0], { digest: 'd' })).toBe(
    'l:\n- name: x\n  digest: d\n  z: 1\n',
  );
  expect(setInYamlMap('l:\n- name: x\n', ['l', 0], { digest: 'd' })).toBe('l:\n- name: x\n  digest: d\n');
});

describe('removeFromYamlList', () => {
  const isB = (item: unknown): boolean => item === 'b';

  it.each([
    ['r:\n- a\n- b # gone\n# about c\n- c\nz: 1\n', 'r:\n- a\n# about c\n- c\nz: 1\n'],
    ['r:\n- b\n- c\n', 'r:\n- c\n'],
    ['r:\n  - a\n  - b', 'r:\n  - a\n'],
    ['r:\n- b\nz: 1\n', 'r:\nz: 1\n'],
    ['# r\nr:\n- b\n', '# r\nr:\n'],
    ['r: [a, b, c]\n', 'r: [a, c]\n'],
    ['r: [b, c] # x\n', 'r: [c] # x\n'],
    ['r: [b]\n', 'r: []\n'],
    ['r:\r\n- a\r\n- b\r\n', 'r:\r\n- a\r\n'],
    ['r:\n- a\n', 'r:\n- a\n'],
    ['z: 1\n', 'z: 1\n'],
  ])('%j', (before, after) => {
    expect(removeFromYamlList(before, ['r'], isB)).toBe(after);
  });

  it('removes an item of several lines, and nothing of its neighbours', () => {
    const text = 'r:\n- k: a\n  n:\n  - 1\n- k: b\n  n:\n  - 2\n# c\n- k: c\nz: 1\n';
    expect(removeFromYamlList(text, ['r'], (_item, index) => index === 1)).toBe(
      'r:\n- k: a\n  n:\n  - 1\n# c\n- k: c\nz: 1\n',
    );
  });

  it('takes back what addToYamlList did', () => {
    const name = fc.stringMatching(/^[a-z]{1,5}$/);
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1 }), name, (names, added) => {
        fc.pre(!names.includes(added));
        const text = `# head\nr:\n${names.map((each) => `- ${each} # c\n`).join('')}z: 1\n`;
        const more = addToYamlList(text, ['r'], added);
        expect(removeFromYamlList(more, ['r'], (item) => item === added)).toBe(text);
      }),
    );
  });
});

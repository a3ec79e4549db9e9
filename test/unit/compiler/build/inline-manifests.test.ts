import { SourceMap, type SourceMapPayload } from 'node:module';
import { runInThisContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  inlineManifests,
  jsonLiteral,
  type Splice,
} from '../../../../src/compiler/build/inline-manifests.ts';

/** The text without its map, and a function from generated to original positions, both counted from 0. */
function read(inlined: string): {
  text: string;
  originalOf: (line: number, column: number) => { line: number; column: number };
} {
  const [text = '', encoded = ''] = inlined.split('\n//# sourceMappingURL=data:application/json;base64,');
  const payload = JSON.parse(Buffer.from(encoded.trim(), 'base64').toString()) as SourceMapPayload;
  const map = new SourceMap(payload);
  return {
    text,
    originalOf(line, column) {
      const entry = map.findEntry(line, column);
      if (!('originalLine' in entry)) throw new Error('no mapping');
      return { line: entry.originalLine, column: entry.originalColumn };
    },
  };
}

const positionIn = (text: string, word: string): { line: number; column: number } => {
  const before = text.slice(0, text.indexOf(word)).split('\n');
  return { line: before.length - 1, column: before.at(-1)?.length ?? 0 };
};

const splice = (text: string, path: string, value: unknown): Splice => ({
  start: text.indexOf(path),
  end: text.indexOf(path) + path.length,
  text: jsonLiteral(value),
});

test('the manifest replaces its path', () => {
  const source = `const a = load(A, 'a.yaml');\nconst b = load(B, 'b.yaml');\n`;
  const { text } = read(
    inlineManifests(source, 'x.ts', [
      splice(source, `'b.yaml'`, { b: [1, null] }),
      splice(source, `'a.yaml'`, { a: 'x' }),
    ]),
  );
  expect(text).toBe(`const a = load(A, {"a":"x"});\nconst b = load(B, {"b":[1,null]});\n`);
});

test('places before, between and after manifests are those of the source', () => {
  const source = `first();\nconst a = load(A, 'a.yaml') ?? second();\nconst b = load(\n  B,\n  \`b\n.yaml\`,\n); third();\n  fourth();\n`;
  const inlined = inlineManifests(source, 'x.ts', [
    splice(source, `'a.yaml'`, { long: 'x'.repeat(200) }),
    splice(source, '`b\n.yaml`', {}),
  ]);
  const { text, originalOf } = read(inlined);
  for (const word of ['first', 'load(A', 'second', 'const b', 'third', 'fourth']) {
    const { line, column } = positionIn(text, word);
    expect([word, originalOf(line, column)]).toEqual([word, positionIn(source, word)]);
  }
});

test('any JSON value is itself again, also with __proto__', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { text } = read(inlineManifests('(X)', 'x.ts', [{ start: 1, end: 2, text: jsonLiteral(value) }]));
      expect(JSON.stringify(runInThisContext(text))).toBe(JSON.stringify(value));
    }),
  );
  const hostile = JSON.parse('{"__proto__":{"polluted":true}}') as unknown;
  const { text } = read(inlineManifests('(X)', 'x.ts', [{ start: 1, end: 2, text: jsonLiteral(hostile) }]));
  const value = runInThisContext(text) as object;
  expect(Object.keys(value)).toEqual(['__proto__']);
  expect('polluted' in value).toBe(false);
});

test('words keep their places wherever a manifest is inlined', () => {
  const name = fc.stringMatching(/^[a-z]{3,8}$/);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(name, fc.constantFrom(' ', '\n', ';\n  ')), { minLength: 2, maxLength: 12 }),
      fc.nat(),
      (parts, pick) => {
        // Numbered, so that each word occurs once.
        const words = parts.map(([word], index) => `${word}${index}x`);
        const source = parts.map(([, gap], index) => `${words[index] ?? ''}${gap}`).join('');
        const replaced = words[pick % words.length] ?? '';
        const { text, originalOf } = read(
          inlineManifests(source, 'x.ts', [splice(source, replaced, { k: 1 })]),
        );
        for (const word of words.filter((candidate) => candidate !== replaced)) {
          const { line, column } = positionIn(text, word);
          expect(originalOf(line, column)).toEqual(positionIn(source, word));
        }
      },
    ),
  );
});

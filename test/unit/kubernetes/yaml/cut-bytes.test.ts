import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutBytes, type DocumentBytes } from '../../../../src/kubernetes/yaml/cut-bytes.ts';
import { cutYamlStream } from '../../../../src/kubernetes/yaml/stream.ts';

async function cut(
  text: string,
  sizes: readonly number[] = [7],
  most = 1e6,
): Promise<readonly DocumentBytes[]> {
  const bytes = Buffer.from(text);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0, index = 0; at < bytes.length; index++) {
      const size = sizes[index % sizes.length] ?? 1;
      yield bytes.subarray(at, at + size);
      at += size;
    }
  }
  const documents: DocumentBytes[] = [];
  for await (const document of cutBytes(chunks(), most, (line) => new RangeError(`line ${line}`)))
    documents.push({ ...document, bytes: Buffer.from(document.bytes) });
  return documents;
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });

describe('documents of a stream', () => {
  test('are cut where the whole text is cut', async () => {
    const line = fc.constantFrom('---', '--- # x', '---x', '--', 'a: 1', '', '# é', '  ---', 'b: "\\n---"');
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.constantFrom('\n', '\r\n'), sizes, async (lines, end, parts) => {
        const text = `a\n${lines.join(end)}`;
        const found = (await cut(text, parts)).map(({ bytes, line: at }) => ({
          text: bytes.toString(),
          line: at,
        }));
        expect(found).toEqual(cutYamlStream(text));
      }),
    );
  });

  test('may be objects of JSON without anything between them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1 }),
        fc.constantFrom('', '\n', ' \n\n'),
        sizes,
        async (objects, between, parts) => {
          const text = objects.map((each) => JSON.stringify(each, null, 2)).join(between);
          const found = await cut(text, parts);
          expect(found.map(({ bytes }) => JSON.parse(bytes.toString()) as unknown)).toEqual(
            objects.map((each) => JSON.parse(JSON.stringify(each)) as unknown),
          );
          for (const { bytes, start } of found)
            expect(
              Buffer.from(text)
                .subarray(start, start + bytes.length)
                .equals(bytes),
            ).toBe(true);
        },
      ),
    );
  });

  test('of JSON may be followed by documents of YAML', async () => {
    const found = await cut('{"a": 1}\n---\nb: 2\n---\n{"c": 3}');
    expect(found.map(({ bytes, line }) => [line, bytes.toString()])).toEqual([
      [1, '{"a": 1}'],
      [1, '\n'],
      [3, 'b: 2\n'],
      [5, '{"c": 3}'],
    ]);
  });

  test('end the reading if one of them is too large', async () => {
    await expect(cut(`a\n---\n${'b'.repeat(50)}`, [10], 20)).rejects.toThrow('line 3');
  });
});

import { expect, test } from 'vitest';
import { createSourceMemory, generateSchema, loadProgram } from '../../../../src/compiler/schema/index.ts';

const memory = createSourceMemory();

function generate(types: string) {
  const text = `import type { CustomResource, ExactlyOneOf, ListMap } from 'opsdk';
${types}
export interface Kind extends CustomResource { spec: A0 }
`;
  const source = loadProgram({
    projectDir: import.meta.dirname,
    rootFiles: ['kind.ts'],
    texts: new Map([['kind.ts', text]]),
    memory,
  });
  return generateSchema(source, 'Kind');
}

/** Types that lead from each other to the next, down to one with a field. */
const levels = (count: number, level: (one: string, next: string) => string): string =>
  [
    ...Array.from({ length: count }, (_, index) => level(`A${index}`, `A${index + 1}`)),
    `interface A${count} { name: string }`,
  ].join('\n');

test.each([
  ['interfaces', (one, next) => `interface ${one} { left: ${next}; right: ${next} }`],
  ['type literals', (one, next) => `type ${one} = { left: ${next}; right: ${next} };`],
  [
    'lists and records',
    (one, next) =>
      `interface ${one} { name: string; left: ListMap<${next}, 'name'>; right: Record<string, ${next}[]> }`,
  ],
  ['unions', (one, next) => `type ${one} = { type: 'a'; left: ${next} } | { type: 'b'; right: ${next} };`],
  ['intersections', (one, next) => `type ${one} = { left: ${next} } & { right: ${next} };`],
  ['mapped types', (one, next) => `type ${one} = Partial<{ left: ${next}; right: ${next} }>;`],
  ['choices', (one, next) => `type ${one} = ExactlyOneOf<{ left?: ${next}; right?: ${next} }>;`],
  [
    'bases that declare the same field',
    (one, next) =>
      `interface B${one} { left: ${next} } interface C${one} { left: ${next}; right: ${next} } interface ${one} extends B${one}, C${one} {}`,
  ],
] satisfies [string, (one: string, next: string) => string][])(
  'types that use each other twice are refused before their schema is made: %s',
  (_, level) => {
    const { findings } = generate(levels(28, level));
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ code: 'schema/too-large', where: { file: 'kind.ts' } });
    expect(findings[0]?.message).toMatch(
      /got \d+; most of them come from Kind\.spec → \w+\.\w+ → \w+\.\w+ → .*…$/,
    );
  },
);

test('a generic type whose argument doubles with every level is recursive, and found at once', () => {
  const { findings } = generate(`interface Pair<T> { left: T; right: T }
interface Grow<T> { inner: Grow<Pair<Pair<T>>>  }
type A0 = Grow<string>;`);
  expect(findings.map(({ code }) => code)).toEqual(['schema/recursive-type']);
});

test('an intersection of many unions is refused before its members are made', () => {
  const unions = Array.from({ length: 24 }, (_, index) => `({ t${index}: 'a' } | { t${index}: 'b' })`);
  const { findings } = generate(`type A0 = ${unions.join(' & ')};`);
  expect(findings).toMatchObject([{ code: 'schema/too-large' }]);
  expect(findings[0]?.message).toContain(String(2 ** 24));
});

test('mapped types inside of one another are refused before the engine has made all their fields', () => {
  const names = Array.from({ length: 60 }, (_, index) => `'k${index}'`).join(' | ');
  const { findings } = generate(`type Keys = ${names};
type A0 = Record<Keys, Record<Keys, Record<Keys, Record<Keys, string>>>>;`);
  expect(findings.map(({ code }) => code)).toContain('schema/too-large');
});

test('a field whose type @k8s gives counts once, whatever is in its own', () => {
  const { findings, schema } = generate(
    levels(28, (one, next) =>
      one === 'A3'
        ? `interface A3 {
            /** @k8s {"type": "string"} */
            left: ${next};
            /** @items.k8s {"type": "string"} */
            right: ${next}[];
          }`
        : `interface ${one} { left: ${next}; right: ${next} }`,
    ),
  );
  expect(findings).toEqual([]);
  expect(JSON.stringify(schema).match(/"string"/g)).toHaveLength(2 ** 3 * 2 + 2);
});

test('a schema larger than any that is published is made', () => {
  const wide = (name: string, type: string): string =>
    `interface ${name} { ${Array.from({ length: 25 }, (_, index) => `f${index}: ${type};`).join(' ')} }`;
  const { findings, schema } = generate(
    [wide('A0', 'A1'), wide('A1', 'A2'), wide('A2', 'string')].join('\n'),
  );
  expect(findings).toEqual([]);
  expect(JSON.stringify(schema).match(/"string"/g)).toHaveLength(25 ** 3 + 2);
});

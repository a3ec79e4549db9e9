// A field that two types describe differently is refused in every form: the compiler knows one of the descriptions, and would lose the other.
import { expect, test } from 'vitest';
import { readFields } from './read-fields.ts';

const declarations = `import type { CustomResource, Int32, Int64 } from 'opsdk';
interface Small { /** Small. @maximum 9 */ size?: Int32; }
interface Large { /** Large. @minimum 10 */ size?: Int32; }
interface Narrow { size?: Int32; }
interface Wide { size?: Int64; }
interface Narrows { size?: Int32[]; }
interface Wides { size?: Int64[]; }
interface ByDocs extends Small, Large {}
interface ByType extends Narrow, Wide {}
interface ByItems extends Narrows, Wides {}
interface ByUtility extends Partial<Small>, Large {}
interface Generic<T> extends Small, Large { value?: T }
type Intersection = Small & Large;
type DeepPartial<T> = { [K in keyof T]?: T[K] extends object ? DeepPartial<T[K]> : T[K] };
`;

const types = ['ByDocs', 'ByType', 'ByItems', 'ByUtility', 'Generic<string>', 'Intersection'];
const forms: readonly ((type: string) => string)[] = [
  (type) => type,
  (type) => `Partial<${type}>`,
  (type) => `Pick<${type}, 'size'>`,
  (type) => `Partial<${type} & { other: string }>`,
  (type) => `{ [K in keyof ${type} as \`\${K & string}\`]: ${type}[K] }`,
  (type) => `{ size?: ${type}['size'] }`,
  (type) => `DeepPartial<${type}>`,
  (type) => `ReturnType<typeof copy>`.replace('copy', `copy${types.indexOf(type)}`),
];
const copies = types.map(
  (type, index) =>
    `declare const value${index}: ${type};\nconst copy${index} = () => ({ ...value${index} });\n`,
);

test.each(types.flatMap((type) => forms.map((form) => form(type))))('%s', (form) => {
  const kind = `export interface Clash extends CustomResource { spec: { field: ${form} } }`;
  const { findings } = readFields('clash.ts', `${declarations}${copies.join('')}${kind}`, 'Clash');
  expect(findings.map(({ code }) => code)).toEqual(['schema/unsupported-type']);
  expect(findings[0]?.message).toMatch(/`size` (?:comes from two|is declared)/);
});

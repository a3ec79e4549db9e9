// What the utility types allow and refuse in code, as the compiler says it.
import { expect, test } from 'vitest';
import { loadProgram } from '../../../../src/compiler/schema/index.ts';

const text = `import type {
  RawExtension, AtLeastOneOf, AtMostOneOf, AtomicMap, AtomicObject, CustomResource, EmbeddedResource, EmptyObject, ExactlyOneOf, JsonPath, ListSet,
  EmbeddedObjectMeta,
} from 'opsdk';

interface Source { name: string; git?: { url: string }; http?: string | null; oci: string }
interface Widget extends CustomResource { spec: { size: string } }
const url = { url: 'u' };
const metadata = { name: 'n' };

export const exactly: ExactlyOneOf<Source, 'git' | 'http' | 'oci'>[] = [
  { name: 'n', git: url },
  { name: 'n', http: null },
  { name: 'n', oci: 'o' },
  { name: 'n' }, // error
  { git: url }, // error
  { name: 'n', git: url, oci: 'o' }, // error
  { name: 'n', git: undefined }, // error
  { name: 'n', git: url, more: 1 }, // error
];
export const all: ExactlyOneOf<{ a?: string; b?: string }>[] = [
  { a: 'a' },
  {}, // error
  { a: 'a', b: 'b' }, // error
];
export const most: AtMostOneOf<Source, 'git' | 'oci'>[] = [
  { name: 'n' },
  { name: 'n', oci: 'o', http: 'h' },
  { name: 'n', git: url, oci: 'o' }, // error
  { oci: 'o' }, // error
];
export const least: AtLeastOneOf<Source, 'git' | 'oci'>[] = [
  { name: 'n', oci: 'o' },
  { name: 'n', oci: 'o', git: url },
  { name: 'n' }, // error
  { name: 'n', http: 'h' }, // error
];
export const nested: AtLeastOneOf<ExactlyOneOf<{ a?: string; b?: string; c?: string }, 'a' | 'b'>, 'c'>[] = [
  { a: 'a', c: 'c' },
  { a: 'a' }, // error
  { a: 'a', b: 'b', c: 'c' }, // error
];
export type Unknown = ExactlyOneOf<Source, 'gti'>; // error
export type Scalar = AtomicObject<string>; // error

export const embedded: EmbeddedResource[] = [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'b' } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata },
  { kind: 'ConfigMap', metadata }, // error
];
declare const widget: Widget;
export const interfaces: EmbeddedResource[] = [widget];
export const ofKind: EmbeddedResource<Widget>[] = [
  { apiVersion: 'v1', kind: 'Widget', metadata, spec: { size: 's' } },
  { apiVersion: 'v1', kind: 'Widget', metadata }, // error
];

export const open: RawExtension = { a: [1, 'x'], b: { c: null } };
export const empty: EmptyObject[] = [
  {},
  { a: 1 }, // error
];
export const labels: AtomicMap<string>[] = [
  { a: 'b' },
  { a: 1 }, // error
];
export const template: EmbeddedObjectMeta[] = [
  { labels: { a: 'b' }, name: 'n' },
  { uid: 'u' }, // error
];
export const objects: ListSet<AtomicObject<{ x: string }>> = [{ x: 'x' }];

interface Kind extends CustomResource { spec: ExactlyOneOf<{ a?: string; b?: { c: string } }> }
export const paths: JsonPath<Kind>[] = [
  '.spec.a',
  '.spec.b.c',
  '.spec.d', // error
];
`;

test('the compiler refuses what the types do not allow, and nothing else', () => {
  const source = loadProgram({
    projectDir: import.meta.dirname,
    rootFiles: ['sample.ts'],
    texts: new Map([['sample.ts', text]]),
  });
  expect(source.diagnostics).toEqual([]);
  const file = source.program.getSourceFiles().find(({ fileName }) => fileName.endsWith('/sample.ts'));
  if (file === undefined) throw new Error('the sample was not loaded');
  const found = source.program
    .getSemanticDiagnostics(file)
    .map(({ start = 0 }) => file.getLineAndCharacterOfPosition(start).line);
  const lines = text.split('\n');
  const expected = lines.flatMap((line, index) => (line.endsWith('// error') ? [index] : []));
  const shown = (indexes: number[]): string[] =>
    [...new Set(indexes)].sort((a, b) => a - b).map((index) => lines[index] ?? '');
  expect(shown(found)).toEqual(shown(expected));
});

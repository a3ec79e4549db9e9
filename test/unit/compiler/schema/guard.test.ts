// The guard is no formality: what differs from the type is found, in each of the forms that a schema can have.
import { beforeAll, expect, test } from 'vitest';
import { readerOf } from '../../../../src/compiler/schema/engine/index.ts';
import { guard } from '../../../../src/compiler/schema/guard/guard.ts';
import {
  loadProgram,
  type JSONSchemaProps,
  type SourceProgram,
} from '../../../../src/compiler/schema/index.ts';
import { createSchemaReporter } from '../../../../src/compiler/schema/reporter.ts';
import { schemaOfShape } from '../../../../src/compiler/schema/structural.ts';

const text = `import type { AtLeastOneOf, AtMostOneOf, CustomResource, ExactlyOneOf, Int32 } from 'opsdk';
interface Plain { required: string; optional?: Int32; nullable: string | null; list: string[]; mode: 'a' | 'b' }
export interface Sample extends CustomResource {
  spec: {
    plain: Plain;
    record: Record<string, Int32>;
    union: { type: 'a'; a: string; same: Int32 } | { type: 'b'; b?: string; same: Int32 };
    exclusive: { s3: string; gcs?: never; note?: string } | { gcs: string; s3?: never };
    one: ExactlyOneOf<{ x?: string; y?: string; z: string }, 'x' | 'y'>;
    most: AtMostOneOf<{ x?: string; y?: string }>;
    least: AtLeastOneOf<{ x?: string; y?: string }>;
    template: \`v\${number}\`;
  };
}
`;

let source: SourceProgram;
beforeAll(() => {
  source = loadProgram({
    projectDir: import.meta.dirname,
    rootFiles: ['sample.ts'],
    texts: new Map([['sample.ts', text]]),
  });
});

/** What the guard finds after the schema was changed. */
function found(change: (spec: Record<string, JSONSchemaProps>) => void): string[] {
  const file = source.program.getSourceFiles().find(({ fileName }) => fileName.endsWith('/sample.ts'));
  const node = file?.statements.find(
    (item) => source.ts.isInterfaceDeclaration(item) && item.name.text === 'Sample',
  );
  if (node === undefined || !source.ts.isInterfaceDeclaration(node)) throw new Error('there is no Sample');
  const reporter = createSchemaReporter(source);
  const { root } = schemaOfShape(readerOf(source).resource(node).shape, reporter);
  expect(reporter.findings).toEqual([]);
  change(root.schema.properties?.['spec']?.properties ?? {});
  guard(source, node, root, reporter);
  return reporter.findings.map(({ message }) => message);
}

test('nothing is found in what the generator makes', () => expect(found(() => undefined)).toEqual([]));

type Spec = Record<string, JSONSchemaProps>;
const branch = (spec: Spec, field: string, index: number): JSONSchemaProps =>
  spec[field]?.oneOf?.[index] ?? {};
const property = (spec: Spec, field: string, name: string): JSONSchemaProps =>
  spec[field]?.properties?.[name] ?? {};

const changes: Record<string, (spec: Spec) => unknown> = {
  'a field is missing': (spec) => delete spec['plain']?.properties?.['optional'],
  'a field is too many': (spec) =>
    Object.assign(spec['plain']?.properties ?? {}, { more: { type: 'string' } }),
  'a required field is optional': (spec) => delete spec['plain']?.required,
  'an optional field is required': (spec) => spec['plain']?.required?.push('optional'),
  'null is refused': (spec) => delete property(spec, 'plain', 'nullable').nullable,
  'null is allowed': (spec) => Object.assign(property(spec, 'plain', 'required'), { nullable: true }),
  'the items are of another type': (spec) =>
    Object.assign(property(spec, 'plain', 'list'), { items: { type: 'integer' } }),
  'a value of an enumeration is missing': (spec) => property(spec, 'plain', 'mode').enum?.pop(),
  'the values of a record are of another type': (spec) =>
    Object.assign(spec['record'] ?? {}, { additionalProperties: { type: 'string' } }),
  'a union has lost its oneOf': (spec) => delete spec['union']?.oneOf,
  'a union has an alternative less': (spec) => spec['union']?.oneOf?.pop(),
  'a union has an alternative more': (spec) => spec['union']?.oneOf?.push({ required: ['b'] }),
  'an alternative requires less': (spec) => delete branch(spec, 'union', 0).required,
  'an alternative requires more': (spec) => Object.assign(branch(spec, 'union', 1), { required: ['b'] }),
  'an alternative has other values': (spec) =>
    Object.assign(branch(spec, 'union', 0), { properties: { type: { enum: ['b'] } } }),
  'an alternative has no values': (spec) => delete branch(spec, 'union', 0).properties,
  'an alternative forbids what its member has': (spec) =>
    Object.assign(branch(spec, 'union', 1), { not: { required: ['b'] } }),
  'an alternative constrains another field': (spec) =>
    Object.assign(branch(spec, 'union', 0), { properties: { type: { enum: ['a'] }, a: { enum: ['x'] } } }),
  'a field of all members is of another type': (spec) =>
    Object.assign(property(spec, 'union', 'same'), { type: 'string' }),
  'a field of one member is missing': (spec) => delete spec['exclusive']?.properties?.['note'],
  'a forbidden field has become an alternative of its own': (spec) =>
    spec['exclusive']?.oneOf?.push({ required: ['s3', 'gcs'] }),
  'a field to choose is required': (spec) => spec['one']?.required?.push('x'),
  'a field beside the choice is optional': (spec) => delete spec['one']?.required,
  'a field to choose from is missing': (spec) => delete spec['most']?.properties?.['x'],
  'a field to choose has another type': (spec) =>
    Object.assign(property(spec, 'least', 'x'), { type: 'boolean' }),
  'a pattern is not that of the template': (spec) => Object.assign(spec['template'] ?? {}, { pattern: '^v' }),
};

test.each(Object.entries(changes))('%s', (_, change) => {
  expect(found((spec) => void change(spec))).not.toEqual([]);
});

// What is wrong with how a schema of a library is given, with its place.
import { afterEach, expect, test } from 'vitest';
import { OpSdkError } from '../../../../../src/base/errors/index.ts';
import { generateManifests } from '../../../../../src/compiler/manifests/index.ts';
import { schemaProject } from '../../../../helpers/schema-project.ts';
import { lines } from '../../manifests/fixture.ts';
import type { ProjectFolder } from '../../manifests/project-folder.ts';

let folder: ProjectFolder | undefined;
afterEach(() => folder?.remove());

function findings(schema: string, files: Record<string, string> = {}): readonly string[] {
  folder = schemaProject(schema, files);
  try {
    generateManifests({ projectDir: folder.dir, only: 'crd' });
  } catch (error) {
    if (error instanceof OpSdkError) return lines(error.findings);
    throw error;
  }
  return [];
}

const sample = (declaration: string): Record<string, string> => ({
  'src/api/sample.ts': `import { defineResource, type CustomResource } from 'opsdk';
import { z } from 'zod';
import * as schemas from './sample.schema.ts';
const local = z.object({ spec: z.object({}) });
export interface Sample extends CustomResource { spec: { a: string } }
void [local, schemas];
export const Sample = ${declaration};
`,
});
const good = `import { z } from 'zod';
const hidden = z.object({ spec: z.object({ a: z.string() }) });
export { hidden as renamed };
export const schema = hidden.extend({});
let changing = hidden;
changing = hidden;
export { changing };
`;
const call = (schema: string): string =>
  `defineResource({ group: 'example.com', version: 'v1', kind: 'Sample', schema: ${schema} })`;

test.each(['schemas.schema', 'schemas.renamed', '(schemas.schema satisfies object)'])(
  '%s is an export of another module',
  { timeout: 300_000 },
  (schema) => {
    expect(findings(good, sample(call(schema)))).toEqual([]);
  },
);

test.each([
  ['z.object({})', 'is not the name of a constant'],
  ['schemas.changing', 'is not the name of a constant'],
  ['local', 'is in the file of the kind, which imports more than the schema library'],
])('%s is refused: it %s', { timeout: 300_000 }, (schema, problem) => {
  expect(findings(good, sample(call(schema)))).toEqual([
    expect.stringMatching(/^schema\/module-imports src\/api\/sample\.ts:7:\d+ /) as string,
  ]);
  expect(findings(good, sample(call(schema))).join()).toContain(
    `the \`schema\` of defineResource ${problem}`,
  );
});

test('an interface and a schema are refused together', { timeout: 300_000 }, () => {
  const both = call('schemas.schema').replace('defineResource(', 'defineResource<Sample>(');
  expect(findings(good, sample(both)).join()).toContain(
    'the fields of the kind are described twice: by an interface as type argument, and by `schema` of defineResource',
  );
});

test.each([
  [
    'a value that is no schema',
    'export const schema = { a: 1 };',
    'schema: expected a schema of zod, valibot, arktype or another library of the Standard JSON Schema interface',
  ],
  [
    'a schema of valibot by itself',
    "import * as v from 'valibot';\nexport const schema = v.object({ spec: v.object({}) });",
    'schema: the schema of valibot does not give JSON Schema',
  ],
  [
    'an old version of zod',
    "export const schema = { '~standard': { version: 1, vendor: 'zod', validate: () => ({}) } };",
    'schema: the schema of zod does not give JSON Schema',
  ],
  [
    'a module that throws',
    "import { z } from 'zod';\nexport const schema = z.object({ a: missing });",
    'the module of the schema cannot be run: ReferenceError: missing is not defined',
  ],
  [
    'a module that asks for the environment',
    "import { z } from 'zod';\nexport const schema = z.object({ spec: z.literal(process.env.X ?? '') });",
    'the module of the schema cannot be run: ReferenceError: process is not defined',
  ],
  [
    'a package that is not installed',
    "import { z } from 'zod/v5';\nexport const schema = z.object({});",
    'cannot load the module of schema: Could not resolve "zod/v5"',
  ],
  [
    'a schema that is not one of an object',
    "import { z } from 'zod';\nexport const schema = z.string();",
    'expected the schema of an object',
  ],
  [
    'an import of itself through another module',
    "import { z } from 'zod';\nimport { part } from './part.ts';\nexport const schema = z.object({ spec: part });",
    "the module of a schema imports '../controllers/x.ts'",
  ],
])('%s', { timeout: 300_000 }, (_, schema, problem) => {
  expect(
    findings(schema, { 'src/api/part.ts': "import '../controllers/x.ts';\nexport const part = 1;" }).join(),
  ).toContain(problem);
});

test('what valibot and arktype leave out of their JSON Schema', { timeout: 300_000 }, () => {
  const valibot = `import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
export const schema = toStandardJsonSchema(v.object({ spec: v.object({
  a: v.pipe(v.string(), v.transform(Number)),
  b: v.fallback(v.string(), 'x'),
  c: v.array(v.pipe(v.string(), v.trim())),
  d: v.record(v.string(), v.pipe(v.unknown(), v.toNumber())),
}) }));`;
  const lost = (what: readonly string[]): readonly unknown[] =>
    what.map((each): unknown => expect.stringContaining(each));
  expect(findings(valibot)).toEqual(
    lost([
      'spec.a: a transformation',
      'spec.b: a fallback',
      'spec.c[]: a transformation',
      'spec.d{}: a transformation',
    ]),
  );
  const arktype = `import { type } from 'arktype';
export const schema = type({ spec: {
  a: type('string').narrow(() => true),
  b: 'string.trim',
  c: /a/i,
  d: 'Date',
  e: type({ f: 'bigint' }).array(),
} });`;
  expect(findings(arktype)).toEqual(
    lost([
      'spec.a: a refinement',
      'spec.b: a transformation',
      'spec.c: a regular expression with flags',
      'spec.d: the type Date',
      'spec.e[].f: the type bigint',
    ]),
  );
});

test('what is wrong without end gives a report that ends', { timeout: 300_000 }, () => {
  const found = findings(`
type Value = { spec: { a: string } };
const required = Array.from({ length: 150_000 }, (_, index) => 'k' + index);
const a = { type: 'object', properties: { b: { type: 'n'.repeat(10_000) } }, default: Object.fromEntries(required.map((name) => [name, 1])) };
const json = () => ({ type: 'object', properties: { spec: { type: 'object', properties: { a, ...Object.fromEntries(required.slice(0, 5000).map((name) => [name, { type: name }])) } } } });
export const schema = { '~standard': { version: 1, vendor: 'other', validate: (value: unknown) => ({ value }), types: undefined as unknown as { input: Value; output: Value }, jsonSchema: { input: json, output: json } } };
`);
  expect(found.length).toBeGreaterThan(0);
  expect(found.length).toBeLessThan(1100);
  expect(Math.max(...found.map((line) => line.length))).toBeLessThan(3000);
});

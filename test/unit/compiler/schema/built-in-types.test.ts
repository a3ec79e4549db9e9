import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generateSchema, loadProgram, type JSONSchemaProps } from '../../../../src/compiler/schema/index.ts';
import {
  SchemaTableError,
  structuralSchema,
  tableNameOf,
  tableTypesOf,
} from '../../../../src/kubernetes/tables/index.ts';

const generated = join(import.meta.dirname, '../../../../src/sdk/k8s/generated');

/** The entries below `opsdk/k8s/`, such as `core/v1`. */
const entries = readdirSync(generated, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => path.replace(/\.ts$/, '').replaceAll('\\', '/'))
  .sort();

const load = (text: string) =>
  loadProgram({
    projectDir: import.meta.dirname,
    rootFiles: ['types.ts'],
    texts: new Map([['types.ts', text]]),
  });

interface Exported {
  readonly entry: string;
  readonly name: string;
  /** In the table. */
  readonly tableName: string;
  readonly field: string;
}

/** Every type that users can import and the table describes, each with a field name of its own. */
function exportedTypes(): Exported[] {
  const { ts, program, checker } = load(
    entries.map((entry) => `import type {} from 'opsdk/k8s/${entry}';`).join('\n'),
  );
  return entries.flatMap((entry) => {
    const file = program.getSourceFile(join(generated, `${entry}.ts`));
    const module = file && checker.getSymbolAtLocation(file);
    return (module === undefined ? [] : checker.getExportsOfModule(module))
      .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
      .filter((symbol) => (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) !== 0)
      .flatMap(({ name }): Exported[] => {
        const tableName = tableNameOf(entry, name);
        return tableName === undefined
          ? []
          : [{ entry, name, tableName, field: `${entry.replaceAll(/\W/g, '_')}_${name}` }];
      });
  });
}

/** What the table says, or why a CRD cannot hold it. Only Condition keeps its descriptions. */
function tableSays({ name, tableName }: Exported): JSONSchemaProps | 'refused' {
  try {
    return structuralSchema(tableName, { descriptions: name === 'Condition' });
  } catch (error) {
    if (error instanceof SchemaTableError) return 'refused';
    throw error;
  }
}

const kindOf = (types: readonly Exported[]): string =>
  [
    `import type { CustomResource } from 'opsdk';`,
    ...types.map(
      ({ entry, name, field }) => `import type { ${name} as ${field} } from 'opsdk/k8s/${entry}';`,
    ),
    'export interface All extends CustomResource {',
    '  spec: {',
    ...types.map(({ field }) => `    ${field}?: ${field};`),
    '  };',
    '}',
  ].join('\n');

const sortRequired = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'required' in value && Array.isArray(value.required)
    ? { ...value, required: [...(value.required as string[])].sort() }
    : value;
const comparable = (schema: unknown): unknown => JSON.parse(JSON.stringify(schema, sortRequired));

test('each built-in type, used as a field, gives exactly the schema of the table', () => {
  const types = exportedTypes();
  const expected = new Map(types.map((type) => [type.field, tableSays(type)]));
  const known = types.filter(({ field }) => expected.get(field) !== 'refused');
  const refused = types.filter(({ field }) => expected.get(field) === 'refused');
  expect(known.length).toBeGreaterThan(400);

  const { schema, findings } = generateSchema(load(kindOf(known)), 'All');
  expect(findings).toEqual([]);
  const fields = schema.properties?.['spec']?.properties ?? {};
  const different = known.filter(
    ({ field }) =>
      JSON.stringify(comparable(fields[field])) !== JSON.stringify(comparable(expected.get(field))),
  );
  expect(different.map(({ entry, name }) => `${entry} ${name}`)).toEqual([]);

  const others = generateSchema(load(kindOf(refused)), 'All');
  const places = others.findings.map(({ message }) => message);
  for (const { name } of refused) expect(places).toContainEqual(expect.stringContaining(`\`${name}\``));
});

test('users can import every type that the table has under an entry of opsdk/k8s', () => {
  const exported = new Set(exportedTypes().map(({ tableName }) => tableName));
  const missing = entries.flatMap((entry) => tableTypesOf(entry)).filter(({ name }) => !exported.has(name));
  expect(missing.map(({ typeName }) => typeName)).toEqual([]);
});

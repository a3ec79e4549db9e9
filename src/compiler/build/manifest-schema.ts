import {
  generateSchema,
  type ResourceDeclaration,
  type SourceProgram,
  type TokenInfo,
} from '../schema/index.ts';
import { structuralSchema, tableNameOfKind, tableSchema } from '../../kubernetes/tables/index.ts';
import type { CheckedSchema, ResolveSchema } from './check-object.ts';

/** The schema of a kind; undefined if nothing is known of it. */
export type SchemaLookup = (token: TokenInfo) => CheckedSchema | undefined;

/**
 * Schemas of built-in kinds from the canonical table, of the project's own kinds from their interfaces.
 * Faults of an interface are not reported here: `generate manifests` does, and the manifest then counts as unchecked.
 */
export function schemaLookup(
  program: SourceProgram,
  resources: readonly ResourceDeclaration[],
): SchemaLookup {
  return (token) => {
    const { group, version, kind } = token;
    const builtIn = tableNameOfKind(group === '' ? version : `${group}/${version}`, kind);
    if (builtIn !== undefined) return tableSchema(builtIn);
    const own = resources.find(({ definition }) => declares(definition, { group, version, kind }));
    const schema = own && generateSchema(program, own.root).schema;
    return schema && { ...schema, properties: { ...schema.properties, metadata: { $ref: objectMeta } } };
  };
}

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** The type of the built-in table that a reference names. Types that are more than their fields say have no entry of their own. */
export const resolveBuiltIn: ResolveSchema = (name) =>
  tableSchema(name) ?? structuralSchema(name, { descriptions: false });

function declares(
  definition: ResourceDeclaration['definition'],
  wanted: Readonly<Record<string, string>>,
): boolean {
  if (definition?.type !== 'object') return false;
  return Object.entries(wanted).every(([name, text]) => {
    const value = definition.properties.get(name)?.value;
    return value?.type === 'scalar' && value.value === text;
  });
}

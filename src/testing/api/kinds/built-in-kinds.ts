import { structuralSchema, tableNameOfKind, tableSchema } from '../../../kubernetes/tables/index.ts';
import { pathSegmentProblems, subdomainProblems } from '../objects/names.ts';
import { objectMetaSchema } from '../schema/object-meta.ts';
import type { Schema } from '../schema/schema.ts';
import { builtInRules } from './built-in-rules.ts';
import type { ServedKind } from './served-kind.ts';

/** The kinds whose behaviour is checked against a real API server, and only these. */
export function builtInKinds(): readonly ServedKind[] {
  return Object.entries(builtInRules).map(
    ([type, { plural, namespaced = true, hasStatus = false, nameRule, selectableFields = [], ...rules }]) => {
      const [apiVersion = '', kind = ''] = type.split(' ');
      const [version = '', group = ''] = apiVersion.split('/').reverse();
      return {
        group,
        version,
        apiVersion,
        kind,
        listKind: `${kind}List`,
        plural,
        namespaced,
        schema: schemaOf(apiVersion, kind),
        hasStatus,
        scale: undefined,
        nameRule:
          nameRule ?? (group === 'rbac.authorization.k8s.io' ? pathSegmentProblems : subdomainProblems),
        selectableFields,
        builtIn: rules,
      };
    },
  );
}

const metadataName = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

function schemaOf(apiVersion: string, kind: string): Schema {
  const name = tableNameOfKind(apiVersion, kind);
  if (name === undefined) throw new TypeError(`no built-in kind ${apiVersion} ${kind}`);
  const text: Schema = { type: 'string' };
  const schema = expanded(name, new Map());
  return {
    ...schema,
    properties: { ...schema.properties, apiVersion: text, kind: text, metadata: objectMetaSchema },
  };
}

/** With all references written out; a type that contains itself refers to one value. */
function expanded(name: string, known: Map<string, Schema>): Schema {
  if (name === metadataName) return objectMetaSchema;
  const found = known.get(name);
  if (found !== undefined) return found;
  const table = tableSchema(name);
  if (table === undefined) return structuralSchema(name, { descriptions: false });
  const result = {};
  known.set(name, result);
  return Object.assign(result, inner(table, known));
}

function inner(table: NonNullable<ReturnType<typeof tableSchema>>, known: Map<string, Schema>): Schema {
  const { $ref, properties, items, additionalProperties, knownValues: _, ...own } = table;
  const base = $ref === undefined ? {} : expanded($ref, known);
  return {
    ...base,
    ...(own as Schema),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, part]) => [name, inner(part, known)]),
          ),
        }),
    ...(items === undefined ? {} : { items: inner(items, known) }),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: inner(additionalProperties, known) }),
  };
}

import { jsonMapOf } from '../../../base/util/json-map.ts';
import type { CrdDocument } from '../../../kubernetes/crd/index.ts';

/**
 * Returns the path, in the notation of the API server, of the schema that a field of an object has in a CustomResourceDefinition:
 * `spec.items[0].name` becomes `spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[items].items.properties[name]`. Where
 * no schema has the field, the path leads to the schema around it.
 */
export function schemaPath({ spec }: CrdDocument, version: string, field: string): string {
  const index = spec.versions.findIndex(({ name }) => name === version);
  let path = `spec.versions[${index}].schema.openAPIV3Schema`;
  let schema = jsonMapOf(spec.versions[index]?.schema.openAPIV3Schema);
  for (const [, inBrackets, name = inBrackets ?? ''] of field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)) {
    const properties = jsonMapOf(schema['properties']);
    const [step, next] = Object.hasOwn(properties, name)
      ? [`.properties[${name}]`, properties[name]]
      : inBrackets !== undefined && schema['items'] !== undefined
        ? ['.items', schema['items']]
        : ['.additionalProperties', schema['additionalProperties']];
    if (next === undefined) break;
    path += step;
    schema = jsonMapOf(next);
  }
  return path;
}

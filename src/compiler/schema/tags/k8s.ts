import { isRecord, type JSONSchemaProps } from '../../../kubernetes/crd/json-schema-props.ts';
import type { Doc } from '../shape.ts';
import { readSchema } from './schema-json.ts';
import { parseJson, type Parsed } from './values.ts';

/** The object of a `@k8s` tag: any fields of JSONSchemaProps. Whether the API server takes them is seen from the whole schema. */
export function parseK8s(text: string): Parsed<JSONSchemaProps> {
  if (text === '') return { problem: 'expects a JSON object, such as `@k8s {"minLength": 1}`' };
  const parsed = parseJson(text);
  if ('problem' in parsed) return { problem: `expects a JSON object: ${parsed.problem}` };
  if (!isRecord(parsed.value)) return { problem: 'expects a JSON object, such as `@k8s {"minLength": 1}`' };
  return readSchema(parsed.value);
}

/** Merges the `@k8s` tags of a field and its type, the field's last; broken ones are left out here and reported elsewhere. */
export function k8sOverrides(docs: readonly Doc[]): JSONSchemaProps {
  const merged: JSONSchemaProps = {};
  for (const doc of docs.toReversed()) {
    for (const tag of doc.tags) {
      const parsed = tag.name === 'k8s' ? parseK8s(tag.text) : undefined;
      if (parsed !== undefined && 'value' in parsed) mergeOverrides(merged, parsed.value);
    }
  }
  return merged;
}

/** Writes the overrides into a schema: each keyword is replaced, but of `properties` only those that are named. */
export function mergeOverrides(schema: JSONSchemaProps, overrides: JSONSchemaProps): void {
  const properties = overrides.properties && { ...schema.properties, ...overrides.properties };
  Object.assign(schema, structuredClone(overrides), properties && { properties });
}

/** True if the overrides alone say what kind of value a field holds. */
export function saysType(overrides: JSONSchemaProps): boolean {
  return (
    overrides.type !== undefined ||
    overrides['x-kubernetes-int-or-string'] === true ||
    overrides['x-kubernetes-preserve-unknown-fields'] === true
  );
}

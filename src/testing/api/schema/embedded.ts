import { invalidValue, required, type FieldError } from '../field-error.ts';
import { FieldErrors } from '../field-errors.ts';
import { isJsonObject, objectOf, jsonTextOf, type Json, type JsonObject } from '../json.ts';
import { metadataErrors, normalizeMetadata } from '../objects/metadata.ts';
import { dns1035Problems, pathSegmentProblems } from '../objects/names.ts';
import { fieldSchema, valueSchema, type Schema } from './schema.ts';

type Visit = (value: JsonObject, path: string) => void;

/** Calls back for each embedded resource, below the root. */
function visitEmbedded(value: Json, schema: Schema, path: string, onResource: Visit, dotted = '.'): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      if (schema.items !== undefined) visitEmbedded(item, schema.items, `${path}[${index}]`, onResource);
    return;
  }
  if (!isJsonObject(value)) return;
  if (schema['x-kubernetes-embedded-resource'] === true && path !== '') onResource(value, path);
  const values = valueSchema(schema);
  for (const [name, item] of Object.entries(value)) {
    const property = fieldSchema(schema, name);
    if (property !== undefined)
      visitEmbedded(item, property, path === '' ? name : `${path}${dotted}${name}`, onResource);
    else if (values !== undefined) visitEmbedded(item, values, `${path}[${name}]`, onResource);
  }
}

/** Brings the metadata of embedded resources into their form, and gives the paths of unknown fields in them. */
export function normalizeEmbedded(object: JsonObject, schema: Schema, type: string): readonly string[] {
  const unknown: string[] = [];
  visitEmbedded(object, schema, '', (value, path) => {
    unknown.push(...normalizeMetadata(value, `${path}.metadata`, type));
  });
  return unknown;
}

/** Source: apiextensions-apiserver `pkg/apiserver/schema/objectmeta/validation.go`. */
export function embeddedErrors(object: JsonObject, schema: Schema): readonly FieldError[] {
  const errors = new FieldErrors();
  visitEmbedded(object, schema, '', (value, path) => errors.add(...resourceErrors(value, path)));
  return errors.all;
}

function resourceErrors(value: JsonObject, path: string): readonly FieldError[] {
  const errors = new FieldErrors();
  const { apiVersion, kind, metadata } = value;
  for (const [name, text] of Object.entries({ apiVersion, kind })) {
    if (text === undefined) errors.add(required(`${path}.${name}`));
    else if (typeof text !== 'string') errors.add(invalidValue(`${path}.${name}`, text, 'must be a string'));
    else if (text === '') errors.add(invalidValue(`${path}.${name}`, text, 'must not be empty'));
  }
  const version = jsonTextOf(apiVersion);
  if (version.split('/').length > 2)
    errors.add(invalidValue(`${path}.apiVersion`, version, `unexpected GroupVersion string: ${version}`));
  const kindText = jsonTextOf(kind);
  const problems = kindText === '' ? [] : dns1035Problems(kindText.toLowerCase());
  if (problems.length > 0)
    errors.add(
      invalidValue(
        `${path}.kind`,
        kindText,
        `may have mixed case, but should otherwise match: ${problems.join(',')}`,
      ),
    );
  if (metadata !== undefined) {
    const fields = objectOf(metadata);
    const named = jsonTextOf(fields['name']) === '' ? { ...fields, name: 'fakename' } : fields;
    const namespaced = jsonTextOf(fields['namespace']) !== '';
    errors.add(...metadataErrors(named, namespaced, pathSegmentProblems, `${path}.metadata`));
  }
  return errors.all;
}

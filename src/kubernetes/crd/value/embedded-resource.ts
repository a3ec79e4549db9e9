import { isRecord, type JsonValue } from '../json-schema-props.ts';

/** The fields that an embedded resource has, whatever its schema lists. */
export const resourceFields: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/**
 * Why the API server would not take the value as an embedded resource; undefined if it would. Of `metadata` only the maps of strings are
 * looked at.
 * Source: apiextensions-apiserver `pkg/apiserver/schema/objectmeta/validation.go`.
 */
export function embeddedResourceProblem(value: Readonly<Record<string, JsonValue>>): string | undefined {
  const { apiVersion, kind, metadata } = value;
  for (const [name, text] of Object.entries({ apiVersion, kind })) {
    if (text === undefined) return `an embedded resource needs ${name}`;
    if (typeof text !== 'string' || text === '') return `${name} must be a string that is not empty`;
  }
  if ((apiVersion as string).split('/').length > 2) return 'apiVersion is not a version or a group/version';
  if (!/^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/i.test(kind as string))
    return 'kind may have only letters, digits and "-"';
  if (metadata === undefined) return undefined;
  if (!isRecord(metadata)) return 'metadata is not an object';
  for (const name of ['labels', 'annotations']) {
    const map = metadata[name] ?? {};
    if (!isRecord(map) || Object.values(map).some((text) => typeof text !== 'string'))
      return `metadata.${name} may hold only strings`;
  }
  return undefined;
}

import { fieldSets } from './generated/field-sets.ts';
import { prefixes } from '../generated/names.ts';
import { tableTypesOf, tableSchema } from '../names.ts';

/**
 * Returns the different sets of field names that a type had in the Kubernetes releases for which operators are generated. Each set is one
 * string with sorted names, and equal sets are returned once. The result is empty for a type that no release contains.
 *
 * @param name name in the table of schemas, such as `io.k8s.api.core.v1.PodSpec`
 */
export function fieldSetsOf(name: string): readonly string[] {
  const older = Object.hasOwn(fieldSets, name) ? (fieldSets[name] ?? []) : [];
  const { properties } = tableSchema(name) ?? {};
  if (properties === undefined) return older;
  const own = Object.keys(properties).sort().join(' ');
  return older.includes(own) ? older : [...older, own];
}

/** Returns the names of all types of a file of `opsdk/k8s`, including types that only earlier Kubernetes releases contain. */
export function tableNamesEverOf(file: string): readonly string[] {
  const prefix = Object.hasOwn(prefixes, file) ? (prefixes[file] ?? '') : undefined;
  if (prefix === undefined) return [];
  const older = Object.keys(fieldSets).filter((name) => name.startsWith(prefix));
  return [...new Set([...tableTypesOf(file).map(({ name }) => name), ...older])];
}

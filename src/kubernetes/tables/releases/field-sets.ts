import { fieldSets } from './generated/field-sets.ts';
import { prefixes } from '../generated/names.ts';
import { tableTypesOf, tableSchema } from '../names.ts';

/**
 * The names of the fields that a type had in the releases of Kubernetes that operators are made with, each set sorted and in one text;
 * empty for a name that no release has.
 *
 * @param name the table's name, such as `io.k8s.api.core.v1.PodSpec`
 */
export function fieldSetsOf(name: string): readonly string[] {
  const older = Object.hasOwn(fieldSets, name) ? (fieldSets[name] ?? []) : [];
  const { properties } = tableSchema(name) ?? {};
  if (properties === undefined) return older;
  const own = Object.keys(properties).sort().join(' ');
  return older.includes(own) ? older : [...older, own];
}

/** The names of all types of one file of `opsdk/k8s`, and of those that it had in earlier releases. */
export function tableNamesEverOf(file: string): readonly string[] {
  const prefix = Object.hasOwn(prefixes, file) ? (prefixes[file] ?? '') : undefined;
  if (prefix === undefined) return [];
  const older = Object.keys(fieldSets).filter((name) => name.startsWith(prefix));
  return [...new Set([...tableTypesOf(file).map(({ name }) => name), ...older])];
}

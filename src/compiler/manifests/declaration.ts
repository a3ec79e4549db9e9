import type { Finding, FindingList } from '../../base/errors/index.ts';
import { jsonOf, placeAt, type Evaluated, type SourcePlace } from '../source/index.ts';
import { readJson, type JsonProblem, type JsonReader } from '../../base/util/read-json.ts';

/** A value with its place in the sources, so that a later check can report the place. */
export interface Placed<T> {
  readonly value: T;
  readonly place: SourcePlace;
}

/** Creates a finding about an invalid form of a declaration. */
export function invalidDeclaration(message: string, where: SourcePlace, fix: string): Finding {
  return { code: 'manifests/invalid-declaration', message, where, fix: [fix] };
}

/**
 * Reads the argument of a declaration. Parts that cannot be evaluated are skipped.
 * @param label name of the declaration in messages, such as `defineResource`
 * @returns the parts that could be read; each invalid part becomes a finding
 */
export function readDeclaration<T>(
  findings: FindingList,
  reader: JsonReader<T>,
  given: Evaluated,
  label: string,
): { readonly value: T | undefined; readonly problems: readonly JsonProblem[] } {
  const read = readJson(reader, jsonOf(given), label);
  for (const { message, fix, path, isKey, code } of read.problems) {
    const finding = invalidDeclaration(message, placeAt(given, path, isKey), fix);
    findings.add(code === undefined ? finding : { ...finding, code });
  }
  return read;
}

/** A Kubernetes manifest as plain JSON. */
export type ManifestDocument = Readonly<Record<string, unknown>>;

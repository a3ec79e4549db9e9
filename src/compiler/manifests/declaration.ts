import type { Finding, FindingList } from '../../base/errors/index.ts';
import { jsonOf, placeAt, type Evaluated, type SourcePlace } from '../source/index.ts';
import { readJson, type JsonProblem, type JsonReader } from '../../base/util/read-json.ts';

/** A value with the place where it was written, so that a later check can point at it. */
export interface Placed<T> {
  readonly value: T;
  readonly place: SourcePlace;
}

/** Creates a finding about the form of a declaration. */
export function invalidDeclaration(message: string, where: SourcePlace, fix: string): Finding {
  return { code: 'manifests/invalid-declaration', message, where, fix: [fix] };
}

/**
 * Reads the argument of a declaration; parts that cannot be evaluated are skipped.
 * @param label names the declaration in messages, such as `defineResource`
 * @returns the parts that could be read; the rest becomes findings
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

/** A document of a manifest: plain JSON. */
export type ManifestDocument = Readonly<Record<string, unknown>>;

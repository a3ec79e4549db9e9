import { createHash } from 'node:crypto';
import { canonicalJson } from '../../base/util/json-map.ts';

/**
 * Returns a short hash of a JSON value: 16 hexadecimal digits, which do not depend on the order of keys, nor on fields that are undefined.
 * Put the hash of a configuration into an annotation of a Pod template, so that Pods are replaced when it changes. It does not protect
 * against values that somebody chooses so that their hashes are equal.
 *
 * @example
 * annotations: { 'web.example.com/config': hashOf(configMap.data) }
 */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 16);
}

import { isJsonMap } from '../../../base/util/json-map.ts';

/** Replaces what a Secret holds by how long it is: pages are shown to others, and end in screenshots. */
export function withoutSecrets<T extends { readonly apiVersion: string; readonly kind: string }>(
  object: T,
): T {
  if (object.apiVersion !== 'v1' || object.kind !== 'Secret') return object;
  const { data } = object as { readonly data?: unknown };
  if (!isJsonMap(data)) return object;
  const lengths = Object.entries(data).map(([key, value]) => [
    key,
    `*** (${Buffer.byteLength(String(value), 'base64')} bytes)`,
  ]);
  return { ...object, data: Object.fromEntries(lengths) as unknown };
}

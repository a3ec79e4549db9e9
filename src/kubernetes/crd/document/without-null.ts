import { isJsonMap } from '../../../base/util/json-map.ts';

/** `null` is as good as nothing, as the API server reads it; inside of schemas, which are left as they are, it may be a value. */
export function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([name, item]) => [name, name === 'openAPIV3Schema' ? item : withoutNull(item)]),
  );
}

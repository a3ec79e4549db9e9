import { isJsonMap, type JsonMap } from '../../base/util/json-map.ts';

/** The words of `kubectl diff`. */
const masks = { same: '***', before: '*** (before)', after: '*** (after)' } as const;

/** The fields of a Secret that nobody should see. */
const secretFields = ['data', 'stringData'] as const;

/** Both sides of an object without the values of a Secret: only whether they differ can be seen. */
export function maskSecret(
  before: JsonMap | undefined,
  after: JsonMap | undefined,
): { readonly before: JsonMap | undefined; readonly after: JsonMap | undefined } {
  return {
    before: before && masked(before, after, masks.before),
    after: after && masked(after, before, masks.after),
  };
}

function masked(object: JsonMap, other: JsonMap | undefined, mask: string): JsonMap {
  if (object['apiVersion'] !== 'v1' || object['kind'] !== 'Secret') return object;
  const fields = secretFields.filter((field) => object[field] !== undefined);
  return {
    ...object,
    ...Object.fromEntries(fields.map((field) => [field, maskedField(object[field], other?.[field], mask)])),
  };
}

function maskedField(value: unknown, other: unknown, mask: string): unknown {
  const isOther = (each: unknown, counterpart: unknown): string =>
    counterpart === undefined || counterpart === each ? masks.same : mask;
  // Of another form than the API server's, which it will say.
  if (!isJsonMap(value)) return isOther(value, other);
  const others = isJsonMap(other) ? other : {};
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      isOther(each, Object.hasOwn(others, key) ? others[key] : undefined),
    ]),
  );
}

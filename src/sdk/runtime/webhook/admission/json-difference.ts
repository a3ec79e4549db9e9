import { inspect, isDeepStrictEqual } from 'node:util';
import { isJsonMap, type JsonMap } from '../../../../base/util/json-map.ts';
import { messageOf } from '../../../../base/errors/index.ts';
import { ApiError, type Status } from '../../../kube/index.ts';
import { secrets } from '../../../net/index.ts';
import { isPanic } from '../../controller/result.ts';

/** One operation of a JSON patch. Source: RFC 6902. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/**
 * Returns the JSON patch that turns one JSON value into another. Fields are compared by name, list items by position; equal parts are
 * omitted. An undefined field counts as absent, as in JSON.
 *
 * @param before plain JSON
 * @throws TypeError if `after` contains a value that JSON cannot represent, such as NaN
 */
export function jsonDifference(before: unknown, after: unknown): readonly PatchOperation[] {
  const operations: PatchOperation[] = [];
  compare(before, after, '', operations);
  return operations;
}

function compare(before: unknown, written: unknown, path: string, operations: PatchOperation[]): void {
  if (before === written) return;
  const after = asJson(written);
  if (isJsonMap(before) && isFields(after)) compareMaps(before, after, path, operations);
  else if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, path, operations);
  else if (before !== after) operations.push({ op: 'replace', path, value: checked(after, path) });
}

function compareMaps(before: JsonMap, after: JsonMap, path: string, operations: PatchOperation[]): void {
  for (const key of Object.keys(before))
    if (!Object.hasOwn(after, key) || after[key] === undefined)
      operations.push({ op: 'remove', path: `${path}/${escaped(key)}` });
  for (const key of Object.keys(after)) {
    if (after[key] === undefined) continue;
    const inner = `${path}/${escaped(key)}`;
    if (Object.hasOwn(before, key)) compare(before[key], after[key], inner, operations);
    else operations.push({ op: 'add', path: inner, value: checked(after[key], inner) });
  }
}

/** Compares two lists. Equal items at the start and at the end are kept, so that inserting or removing an item results in one operation. */
function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  operations: PatchOperation[],
): void {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isDeepStrictEqual(before[start], after[start])) start += 1;
  let end = 0;
  while (
    end < shorter - start &&
    isDeepStrictEqual(before[before.length - 1 - end], after[after.length - 1 - end])
  )
    end += 1;
  const common = shorter - end;
  for (let index = start; index < common; index += 1)
    compare(before[index], after[index], `${path}/${index}`, operations);
  // Removes items in reverse order, so that the index of an item does not change before it is removed.
  for (let index = before.length - end - 1; index >= common; index -= 1)
    operations.push({ op: 'remove', path: `${path}/${index}` });
  for (let index = common; index < after.length - end; index += 1)
    operations.push({
      op: 'add',
      path: `${path}/${index}`,
      value: checked(after[index], `${path}/${index}`),
    });
}

/** Returns the value that JSON.stringify would write, such as the text of a Date. */
function asJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? (Reflect.apply(toJSON, value, ['']) as unknown) : value;
}

/** Converts a value to plain JSON for a patch. @throws TypeError if JSON.stringify would drop or change the value */
function checked(value: unknown, path: string): unknown {
  const found = asJson(value);
  if (Array.isArray(found))
    return Array.from(found, (item: unknown, index) => checked(item, `${path}/${index}`));
  if (isFields(found)) {
    const fields = Object.entries(found).filter(([, field]) => field !== undefined);
    return Object.fromEntries(fields.map(([key, field]) => [key, checked(field, `${path}/${escaped(key)}`)]));
  }
  if (found === null || typeof found === 'string' || typeof found === 'boolean' || Number.isFinite(found))
    return found;
  throw notJson(found, path);
}

/** Returns true if JSON.stringify writes the entries of an object; false for a Map, for example. */
function isFields(value: unknown): value is JsonMap {
  return isJsonMap(value) && !(value instanceof Map || value instanceof Set);
}

function notJson(value: unknown, path: string): TypeError {
  return new TypeError(`default set ${path}: expected a JSON value, got ${inspect(value, { depth: 0 })}`);
}

function escaped(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
}

/** Creates a Status object for a failure. Secrets in the message are redacted. */
export function failure(code: number, reason: string, message: string): Status {
  return { kind: 'Status', status: 'Failure', code, reason, message: secrets.redact(message) };
}

/**
 * Converts an error of a webhook to a status for the user of the API server. An error response of the API server stays unchanged, and a
 * mistake in the program becomes an internal error. Any other error becomes the reason why the request is forbidden.
 */
export function refusalOf(error: unknown): Status {
  if (error instanceof ApiError) {
    const { status: code, reason, serverMessage, details } = error;
    return { ...failure(code, reason, serverMessage), ...(details === undefined ? {} : { details }) };
  }
  return isPanic(error)
    ? failure(500, 'InternalError', `the webhook failed: ${messageOf(error)}`)
    : failure(403, 'Forbidden', messageOf(error));
}

import type { KubeObject, Resource } from '../../api/index.ts';
import { FindingList, OpSdkError } from '../../../base/errors/index.ts';
import type { WriteOptions } from '../types.ts';
import type { Query } from './calls.ts';

interface Place {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly subresource?: string | undefined;
}

/**
 * Refuses requests that would reach another object than intended. For example, an empty name would turn the path of an object into the path
 * of the collection, and `..` would lead to another path if a proxy normalizes the path.
 * @param what `object` requires a name; for `new object` the server may generate the name; `collection` may also omit the namespace
 * @throws OpSdkError `kube/invalid-request` with all findings
 */
export function checkPlace(
  verb: string,
  resource: Resource,
  place: Place,
  what: 'object' | 'new object' | 'collection' = 'object',
): void {
  const findings = new FindingList();
  const object = `${resource.kind} ${[place.namespace, place.name].filter(Boolean).join('/')}`.trim();
  const add = (message: string, fix: string): void =>
    findings.add({
      code: 'kube/invalid-request',
      message: `${verb} ${resource.kind}: ${message}`,
      where: { object },
      fix: [fix],
    });
  if (what === 'object' && (place.name ?? '') === '')
    add(
      'the name is missing',
      isReview(resource) ? 'send it with raw.request: a review has no name' : 'set metadata.name',
    );
  const hasNamespace = (place.namespace ?? '') !== '';
  if (resource.namespaced && !hasNamespace && what !== 'collection')
    add('the namespace is missing', `set the namespace: ${resource.kind} is namespaced`);
  if (!resource.namespaced && hasNamespace) {
    add(`expected no namespace, got ${place.namespace}`, `leave it out: ${resource.kind} is cluster-scoped`);
  }
  if (place.subresource === '') add('the subresource is missing', 'give a name such as scale');
  for (const part of ['name', 'namespace', 'subresource'] as const) {
    if (!isPathSegment(place[part] ?? ''))
      add(
        `the ${part} ${JSON.stringify(place[part])} cannot be part of a path`,
        `use a ${part} that is neither . nor .., and contains neither / nor %`,
      );
  }
  findings.throwIfAny();
}

/** Returns true for a kind of questions about users and rights, which the API server answers without storing an object. */
function isReview({ group, kind }: Resource): boolean {
  return /^auth(?:orization|entication)\.k8s\.io$/.test(group) && kind.endsWith('Review');
}

/**
 * Returns true if a text can be one segment of a URL path.
 * Source: apimachinery `IsValidPathSegmentName`.
 */
export function isPathSegment(text: string): boolean {
  return text !== '.' && text !== '..' && !/[/%]/.test(text);
}

/**
 * Returns the object with `apiVersion` and `kind` set to those of the resource token.
 * @throws OpSdkError `kube/invalid-request` if the object has another apiVersion or kind
 */
export function withType<T extends object>(
  verb: string,
  resource: Resource,
  object: T,
): T & Pick<KubeObject, 'apiVersion' | 'kind'> {
  const fields = object as Partial<KubeObject>;
  const findings = new FindingList();
  for (const field of ['apiVersion', 'kind'] as const) {
    if (fields[field] === undefined || fields[field] === resource[field]) continue;
    findings.add({
      code: 'kube/invalid-request',
      message: `${verb} ${resource.kind}: the object has ${field} ${fields[field]}, but the request is for ${resource.apiVersion} ${resource.kind}`,
      where: {
        object: `${fields.kind ?? resource.kind} ${fields.metadata?.name ?? ''}`.trim(),
        path: `.${field}`,
      },
      fix: ["use the token of the object's own type"],
    });
  }
  findings.throwIfAny();
  return { ...object, apiVersion: resource.apiVersion, kind: resource.kind };
}

/**
 * Refuses to write integers that JavaScript may have rounded.
 *
 * @throws OpSdkError `kube/unsafe-integer` with all fields that have such an integer
 */
export function checkIntegers(verb: string, resource: Resource, place: Place, body: unknown): void {
  const findings = new FindingList();
  for (const { path, value } of unsafeIntegers(body)) {
    findings.add({
      code: 'kube/unsafe-integer',
      message: `${verb} ${resource.kind}: the object has the integer ${BigInt(value)}, which is beyond 2^53-1 and may have been rounded`,
      where: { object: `${resource.kind} ${[place.namespace, place.name].filter(Boolean).join('/')}`, path },
      fix: ['apply or patch the other fields instead', 'or send the exact JSON text with client.raw.request'],
    });
  }
  findings.throwIfAny();
}

/**
 * Refuses to apply an object that was read from the server, because server-side apply would claim ownership of all fields of the object.
 * @throws OpSdkError `kube/apply-read-only-fields` with all read-only fields
 */
export function checkApplied(resource: Resource, object: object): void {
  const findings = new FindingList();
  const fields = object as Partial<KubeObject> & { readonly status?: unknown };
  const where = `${resource.kind} ${fields.metadata?.name ?? ''}`.trim();
  const refuse = (path: string, fix: string): void =>
    findings.add({
      code: 'kube/apply-read-only-fields',
      message: `apply ${resource.kind}: ${path} must not be set`,
      where: { object: where, path },
      fix: [fix],
    });
  for (const field of ['resourceVersion', 'uid', 'managedFields'] as const) {
    if (fields.metadata?.[field] !== undefined)
      refuse(`.metadata.${field}`, 'build the object from the fields that you want to own');
  }
  if (fields.status !== undefined) refuse('.status', 'use applyStatus');
  findings.throwIfAny();
}

/**
 * Refuses to write an object with a metadata-only token, because the write would remove all other fields of the object.
 * @throws OpSdkError `kube/invalid-request`
 */
export function checkWhole(verb: string, { kind, metadataOnly }: Resource): void {
  if (metadataOnly !== true) return;
  throw new OpSdkError({
    code: 'kube/invalid-request',
    message: `${verb} ${kind}: expected the resource itself, got its metadataOnly form, which has only the metadata`,
    fix: [`use ${kind} instead of metadataOnly(${kind}), or patch the metadata`],
  });
}

/** Returns the query parameters that all writes share. */
export function writeQuery(options: WriteOptions, fieldManager: string): Query {
  return {
    fieldManager: options.fieldManager ?? fieldManager,
    fieldValidation: options.fieldValidation ?? 'Strict',
    dryRun: options.dryRun === true ? 'All' : undefined,
  };
}

/** An integer that JavaScript may have rounded, and its path. */
interface UnsafeInteger {
  /** Path of the integer, such as `.spec.size` or `.items[3].value`. */
  readonly path: string;
  readonly value: number;
}

const twoTo63 = 2 ** 63;

/**
 * Returns true if an integer may have been rounded, because it is beyond 2^53-1 but within the range of int64. Greater numbers need no
 * check, because the server reads them as floats.
 */
export function isUnsafeInteger(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) <= twoTo63;
}

/**
 * Returns integers that may differ from those that the server stores, because they are beyond 2^53-1 but within the range of int64. Parsing
 * maps several such integers to one number, so the original cannot be recovered. Greater numbers are not returned, because the server reads
 * them as floats.
 */
export function unsafeIntegers(value: unknown): readonly UnsafeInteger[] {
  const found: UnsafeInteger[] = [];
  visit(value, '', found);
  return found;
}

function visit(value: unknown, path: string, found: UnsafeInteger[]): void {
  if (typeof value === 'number') {
    if (isUnsafeInteger(value)) found.push({ path, value });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(item, `${path}[${index}]`, found);
    return;
  }
  for (const [key, item] of Object.entries(value)) visit(item, `${path}.${key}`, found);
}

/**
 * Length in digits of the smallest integer beyond 2^53-1. A text without a run of so many digits need not be searched for such integers.
 */
const longRun = 16;

/**
 * Returns true if the text contains a run of at least sixteen digits. Every such run covers one of the indexes 15, 31, 47, …, so only these
 * indexes and the digits around them are checked.
 */
export function hasLongDigits(text: string): boolean {
  for (let at = longRun - 1; at < text.length; at += longRun) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let start = at;
    while (start > 0 && at - start < longRun && isDigit(text.charCodeAt(start - 1))) start -= 1;
    let end = at + 1;
    while (end - start < longRun && isDigit(text.charCodeAt(end))) end += 1;
    if (end - start >= longRun) return true;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/**
 * Parses JSON and reports integers that parsing has rounded.
 * @throws SyntaxError
 */
export function parseExactly(text: string, onRounded: (rounded: readonly UnsafeInteger[]) => void): unknown {
  const value: unknown = JSON.parse(text);
  if (hasLongDigits(text)) {
    const rounded = unsafeIntegers(value);
    if (rounded.length > 0) onRounded(rounded);
  }
  return value;
}

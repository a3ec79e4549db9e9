import type { KubeObject, Resource } from '../../api/index.ts';
import { FindingList, OpSdkError } from '../../../base/errors/index.ts';
import { unsafeIntegers } from './unsafe-integers.ts';

interface Place {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}

/**
 * Refuses requests that would reach another object than the one meant: an empty name makes a collection of the path, and
 * `..` climbs out of it wherever a proxy cleans paths.
 *
 * @param what `object` needs a name; `new object` may leave it to the server; `collection` may leave out the namespace too
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
  if (what === 'object' && (place.name ?? '') === '') add('the name is missing', 'set metadata.name');
  const hasNamespace = (place.namespace ?? '') !== '';
  if (resource.namespaced && !hasNamespace && what !== 'collection')
    add('the namespace is missing', `set the namespace: ${resource.kind} is namespaced`);
  if (!resource.namespaced && hasNamespace) {
    add(`a namespace (${place.namespace}) is given`, `leave it out: ${resource.kind} is cluster-scoped`);
  }
  for (const part of ['name', 'namespace'] as const) {
    if (!isPathSegment(place[part] ?? ''))
      add(
        `the ${part} ${JSON.stringify(place[part])} cannot be part of a path`,
        `no ${part} is . or .. or holds / or %`,
      );
  }
  findings.throwIfAny();
}

/** Source: apimachinery `IsValidPathSegmentName`. */
export function isPathSegment(text: string): boolean {
  return text !== '.' && text !== '..' && !/[/%]/.test(text);
}

/**
 * The object with apiVersion and kind of its token.
 *
 * @throws OpSdkError `kube/invalid-request` if it says that it is something else
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
      message: `${verb} ${resource.kind}: ${field} is ${fields[field]}, but the type is ${resource.apiVersion} ${resource.kind}`,
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
 * @throws OpSdkError `kube/unsafe-integer` with each field
 */
export function checkIntegers(verb: string, resource: Resource, place: Place, body: unknown): void {
  const findings = new FindingList();
  for (const { path, value } of unsafeIntegers(body)) {
    findings.add({
      code: 'kube/unsafe-integer',
      message: `${verb} ${resource.kind}: ${BigInt(value)} is beyond 2^53-1 and may have been rounded`,
      where: { object: `${resource.kind} ${[place.namespace, place.name].filter(Boolean).join('/')}`, path },
      fix: ['apply or patch the other fields instead', 'or send the exact JSON text with client.raw.request'],
    });
  }
  findings.throwIfAny();
}

/**
 * Refuses to apply an object that was read from the server: server-side apply would claim all of its fields.
 *
 * @throws OpSdkError `kube/apply-read-only-fields` with each field
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
 * Refuses to write a whole object of which only the metadata was read: everything else would be removed.
 *
 * @throws OpSdkError `kube/invalid-request`
 */
export function checkWhole(verb: string, { kind, metadataOnly }: Resource): void {
  if (metadataOnly !== true) return;
  throw new OpSdkError({
    code: 'kube/invalid-request',
    message: `${verb} ${kind}: expected the token of the kind, got that of its metadata alone`,
    fix: [`use ${kind} instead of metadataOnly(${kind}), or patch the metadata`],
  });
}

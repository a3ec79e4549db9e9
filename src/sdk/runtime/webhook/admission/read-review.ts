import { isJsonMap, type JsonMap } from '../../../../base/util/json-map.ts';
import { deepFreeze } from '../../deep-freeze.ts';
import type { AdmissionOperation, AdmissionRequest } from '../webhook.ts';

/** A validated admission request. */
export interface AdmissionQuestion {
  readonly request: AdmissionRequest;
  /** The new object; undefined for a deletion. */
  readonly object: JsonMap | undefined;
  /** The stored object; undefined for a creation. */
  readonly oldObject: JsonMap | undefined;
}

/** Reason why a review cannot be answered, as a message for the client that sent it. */
export class InvalidReview extends Error {
  /** UID of the request; empty if it could not be read. */
  readonly uid: string;

  constructor(message: string, uid: string) {
    super(message);
    this.uid = uid;
  }
}

const versions = { type: 'AdmissionReview', version: 'admission.k8s.io/v1' } as const;

/** The objects that a request of each operation must contain. */
const objectsOf: Readonly<Record<AdmissionOperation, readonly ('object' | 'oldObject')[]>> = {
  CREATE: ['object'],
  UPDATE: ['object', 'oldObject'],
  DELETE: ['oldObject'],
};

const texts = ['name', 'namespace', 'subResource', 'requestSubResource'] as const;

/**
 * Validates the body of a webhook request. The body may be arbitrary, because any client in the network of the cluster can send one.
 *
 * @param kind the kind of the webhook
 * @throws InvalidReview
 */
export function readReview(
  review: unknown,
  kind: { readonly group: string; readonly version: string; readonly kind: string },
): AdmissionQuestion {
  let uid = '';
  const refuse = (subject: string, expected: string, found: unknown): never => {
    throw new InvalidReview(`${subject}: expected ${expected}, got ${describe(found)}`, uid);
  };
  if (!isJsonMap(review)) return refuse('body', 'an AdmissionReview', review);
  const { request } = review;
  if (isJsonMap(request) && typeof request['uid'] === 'string') ({ uid } = request as { uid: string });
  if (review['kind'] !== versions.type) refuse('kind', versions.type, review['kind']);
  if (review['apiVersion'] !== versions.version) refuse('apiVersion', versions.version, review['apiVersion']);
  if (!isJsonMap(request)) return refuse('request', 'an object', request);
  if (uid === '') refuse('request.uid', 'text', request['uid']);

  const operation = request['operation'];
  if (operation !== 'CREATE' && operation !== 'UPDATE' && operation !== 'DELETE')
    return refuse('request.operation', 'CREATE, UPDATE or DELETE', operation);
  const read: Record<string, unknown> = { uid, operation };
  const type = (name: string, last: string, required: boolean): void => {
    const value = request[name] ?? undefined;
    if (value === undefined && !required) return;
    if (!isJsonMap(value)) return refuse(`request.${name}`, 'an object', value);
    for (const part of ['group', 'version', last])
      if (typeof value[part] !== 'string') refuse(`request.${name}.${part}`, 'text', value[part]);
    read[name] = value;
  };
  type('kind', 'kind', true);
  type('resource', 'resource', true);
  type('requestKind', 'kind', false);
  type('requestResource', 'resource', false);
  for (const name of texts) {
    const value = request[name] ?? '';
    if (typeof value !== 'string') refuse(`request.${name}`, 'text', value);
    // An empty string counts as absent, as in Go.
    if (value !== '') read[name] = value;
  }
  const dryRun = request['dryRun'] ?? false;
  if (typeof dryRun !== 'boolean') refuse('request.dryRun', 'true or false', dryRun);
  read['dryRun'] = dryRun;
  const { userInfo, options } = request;
  if (!isJsonMap(userInfo)) refuse('request.userInfo', 'an object', userInfo);
  read['userInfo'] = userInfo;
  if (options !== undefined && options !== null) {
    if (!isJsonMap(options)) refuse('request.options', 'an object', options);
    read['options'] = options;
  }

  const asked = read['kind'] as AdmissionRequest['kind'];
  if (asked.group !== kind.group || asked.version !== kind.version || asked.kind !== kind.kind)
    refuse('request.kind', typeText(kind), typeText(asked));
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  const objects: Record<string, JsonMap> = {};
  for (const name of objectsOf[operation]) {
    const object = request[name];
    if (!isJsonMap(object)) return refuse(`request.${name}`, 'an object', object);
    if (object['kind'] !== kind.kind || object['apiVersion'] !== apiVersion)
      refuse(
        `request.${name}`,
        `${apiVersion} ${kind.kind}`,
        `${asWord(object['apiVersion'])} ${asWord(object['kind'])}`,
      );
    if (!isJsonMap(object['metadata'])) refuse(`request.${name}.metadata`, 'an object', object['metadata']);
    objects[name] = object;
  }
  return {
    // Each part of the request was checked above.
    request: deepFreeze(read) as unknown as AdmissionRequest,
    object: objects['object'],
    oldObject: objects['oldObject'],
  };
}

function typeText({ group, version, kind }: AdmissionRequest['kind']): string {
  return `${kind}.${version}${group === '' ? '' : `.${group}`}`;
}

function asWord(value: unknown): string {
  return typeof value === 'string' ? value : describe(value);
}

/** Describes a value briefly, so that an invalid request does not result in a large response. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return JSON.stringify(value);
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
}

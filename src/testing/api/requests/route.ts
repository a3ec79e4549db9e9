import { type Json, type JsonObject, objectOf } from '../../../kubernetes/objects/index.ts';
import { type KindRegistry, type ServedKind, valueAt } from '../kinds/served-kind.ts';
import { methodNotAllowed, StatusError, unsupportedHere, badRequest } from '../status-error.ts';
import { LabelSelectorError, labelsMatch, parseLabelSelector } from '../../../base/util/label-selector.ts';
import { jsonTextOf } from '../../../base/util/json-map.ts';

/** A request received from a transport. */
export interface RawCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
}

/** The 404 response for a path that the server does not know. */
export class PageNotFound extends StatusError {
  constructor() {
    super(404, 'NotFound', '404 page not found');
  }
}

const objectPath =
  /^\/(?:api\/(?<core>[^/]+)|apis\/(?<group>[^/]+)\/(?<version>[^/]+))(?<rest>(?:\/[^/]+)+)$/;

/**
 * Parses the path and method of a call into a request for objects of a kind. @throws StatusError 404 or 405; OpSdkError
 * `testapi/unsupported`
 */
export function route(kinds: KindRegistry, call: RawCall): ApiRequest {
  const url = new URL(call.path, 'https://test-api.invalid');
  const found = objectPath.exec(url.pathname)?.groups;
  if (found === undefined) throw unsupportedHere(`the path ${url.pathname}`);
  const { core, group = '', version = '', rest = '' } = found;
  const apiVersion = core ?? `${group}/${version}`;
  const parts = rest.slice(1).split('/').map(decodeURIComponent);
  const inNamespace = parts[0] === 'namespaces' && parts.length > 2 && !isNamespaceSubresource(parts);
  const [plural = '', name = '', subresource] = inNamespace ? parts.slice(2) : parts;
  const namespace = inNamespace ? (parts[1] ?? '') : '';
  const kind = kinds.atPath(apiVersion, plural);
  if (kind === undefined) {
    if (core !== undefined || isBuiltInGroup(group)) throw unsupportedHere(`${plural} of ${apiVersion}`);
    throw new PageNotFound();
  }
  const contentType = (call.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const request = {
    kind,
    subresource,
    namespace,
    name,
    query: url.searchParams,
    headers: call.headers,
    body: call.body,
    contentType,
  };
  return { ...request, verb: verbOf(call.method, request) };
}

const isNamespaceSubresource = (parts: readonly string[]): boolean =>
  parts.length === 3 && (parts[2] === 'status' || parts[2] === 'finalize');

/** Returns true for a group of kube-apiserver. metrics.k8s.io and its like are served by servers behind it, or not at all. */
export const isBuiltInGroup = (group: string): boolean =>
  !group.includes('.') || (group.endsWith('.k8s.io') && !/^(?:.*\.)?metrics\.k8s\.io$/.test(group));

function verbOf(
  method: string,
  { name, subresource, query, contentType }: Omit<ApiRequest, 'verb'>,
): ApiRequest['verb'] {
  const isJsonObject = name !== '';
  switch (method) {
    case 'GET':
      if (isJsonObject) return 'get';
      return query.get('watch') === 'true' || query.get('watch') === '1' ? 'watch' : 'list';
    case 'POST':
      if (isJsonObject && subresource === undefined) throw methodNotAllowed();
      return 'create';
    case 'PUT':
      if (!isJsonObject) throw methodNotAllowed();
      return 'update';
    case 'PATCH':
      if (!isJsonObject) throw methodNotAllowed();
      return contentType === 'application/apply-patch+yaml' ? 'apply' : 'patch';
    case 'DELETE':
      return isJsonObject ? 'delete' : 'deletecollection';
    default:
      throw methodNotAllowed();
  }
}

/** A request for objects, parsed from its path and method. */
export interface ApiRequest {
  readonly verb:
    'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deletecollection';
  readonly kind: ServedKind;
  readonly subresource: string | undefined;
  /** Namespace of the request; `''` for cluster-scoped kinds, and for requests that cover all namespaces. */
  readonly namespace: string;
  /** Name of the object; `''` if the request is for a collection. */
  readonly name: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
  /** Media type of the request body, without parameters, in lower case. */
  readonly contentType: string;
}

/** Returns the id of the collection that holds the objects of a kind in the store. All versions of the kind share one collection. */
export function collectionId({ group, plural }: ServedKind): string {
  return `${group}/${plural}`;
}

/** Returns the key under which a collection stores an object. */
export function objectKey(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

export const isDryRun = ({ query }: ApiRequest): boolean => query.get('dryRun') === 'All';

/** Parts of an object that a response contains: the complete object, or only its metadata (PartialObjectMetadata). */
export type Form = 'whole' | 'metadata';

/** Parses an Accept header into the form of the response. @throws OpSdkError `testapi/unsupported` */
export function formOf(accept: string | undefined): Form {
  const choices = (accept ?? '*/*').split(',').map((choice) => choice.replaceAll(' ', ''));
  for (const choice of choices) {
    if (/;as=PartialObjectMetadata(List)?\b/.test(choice)) return 'metadata';
    if (!choice.includes(';as=') && /^(?:application\/json|application\/\*|\*\/\*)/.test(choice))
      return 'whole';
  }
  throw unsupportedHere(`answers of the form ${accept ?? ''}`, 'ask for application/json');
}

export function inForm(object: JsonObject, form: Form): JsonObject {
  if (form === 'whole') return object;
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object['metadata'] ?? {} };
}

/** Function that returns true for an object that belongs to a list or watch. */
export type Test = (object: JsonObject) => boolean;

/** Builds the test that selects objects by namespace, and by the label and field selectors of a query. @throws StatusError 400 */
export function selection(kind: ServedKind, namespace: string, query: URLSearchParams): Test {
  const byLabel = labelTest(query.get('labelSelector') ?? '');
  const byField = fieldTest(kind, query.get('fieldSelector') ?? '');
  return (object) => {
    const metadata = objectOf(object['metadata']);
    return (
      (namespace === '' || metadata['namespace'] === namespace) &&
      byLabel(objectOf(metadata['labels']) as Record<string, string>) &&
      byField(object)
    );
  };
}

function labelTest(selector: string): (labels: Readonly<Record<string, string>>) => boolean {
  try {
    const requirements = parseLabelSelector(selector);
    return (labels) => labelsMatch(requirements, labels);
  } catch (error) {
    if (!(error instanceof LabelSelectorError)) throw error;
    throw badRequest(`unable to parse requirement: ${error.message}`);
  }
}

function fieldTest(kind: ServedKind, selector: string): Test {
  const terms = selector.split(',').filter((term) => term !== '');
  const tests = terms.map((term): Test => {
    const parts = /^(.*?)(!=|==|=)(.*)$/.exec(term);
    if (parts === null)
      throw badRequest(`invalid field selector: invalid selector: '${selector}'; can't understand '${term}'`);
    const [, path = '', operator, wanted = ''] = parts;
    const isKnown =
      path === 'metadata.name' ||
      (path === 'metadata.namespace' && kind.namespaced) ||
      kind.selectableFields.includes(path);
    if (!isKnown) throw badRequest(`field label not supported: ${path}`);
    return (object) => (fieldText(object, path) === wanted) === (operator !== '!=');
  });
  return (object) => tests.every((test) => test(object));
}

function fieldText(object: JsonObject, path: string): string {
  if (path.startsWith('metadata.'))
    return jsonTextOf(objectOf(object['metadata'])[path.slice('metadata.'.length)]);
  const value = valueAt(object, path);
  return value === undefined || value === null ? '' : textual(value);
}

/** Converts the value of a selectable field (a string, integer or boolean) to text. */
function textual(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

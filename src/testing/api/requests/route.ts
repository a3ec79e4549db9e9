import type { Json } from '../json.ts';
import type { KindRegistry } from '../kinds/registry.ts';
import { methodNotAllowed, StatusError } from '../status-error.ts';
import { unsupportedHere } from '../unsupported.ts';
import type { ApiRequest } from './request.ts';

/** A request as it comes from a transport. */
export interface RawCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
}

/** The answer of a path that nothing is at. */
export class PageNotFound extends StatusError {
  constructor() {
    super(404, 'NotFound', '404 page not found');
  }
}

const objectPath =
  /^\/(?:api\/(?<core>[^/]+)|apis\/(?<group>[^/]+)\/(?<version>[^/]+))(?<rest>(?:\/[^/]+)+)$/;

/** Parses path and method into a request for a kind. @throws StatusError 404, 405; OpSdkError `testapi/unsupported` */
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

const isBuiltInGroup = (group: string): boolean => !group.includes('.') || group.endsWith('.k8s.io');

function verbOf(method: string, { name, query, contentType }: Omit<ApiRequest, 'verb'>): ApiRequest['verb'] {
  const isJsonObject = name !== '';
  switch (method) {
    case 'GET':
      if (isJsonObject) return 'get';
      return query.get('watch') === 'true' || query.get('watch') === '1' ? 'watch' : 'list';
    case 'POST':
      if (isJsonObject) throw methodNotAllowed();
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

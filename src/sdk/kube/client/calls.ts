import type { Resource } from '../../api/index.ts';

/** Returns the URL path of a collection, an object or a subresource; all parts are percent-encoded. */
export function resourcePath(
  resource: Pick<Resource, 'group' | 'version' | 'plural'>,
  place: {
    readonly namespace?: string | undefined;
    readonly name?: string | undefined;
    readonly subresource?: string | undefined;
  },
): string {
  const parts =
    resource.group === '' ? ['api', resource.version] : ['apis', resource.group, resource.version];
  if (place.namespace !== undefined && place.namespace !== '') parts.push('namespaces', place.namespace);
  parts.push(resource.plural);
  if (place.name !== undefined) parts.push(place.name);
  if (place.subresource !== undefined) parts.push(place.subresource);
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

/** Query parameters of a request; parameters with the value undefined are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Appends the query to a path. Undefined values are omitted; empty strings are kept. */
export function withQuery(path: string, query: Query | undefined): string {
  let text = path;
  let mark = path.includes('?') ? '&' : '?';
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    text += `${mark}${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    mark = '&';
  }
  return text;
}

/** The content types of all patches except server-side apply. */
export const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** The content type of a server-side apply. */
export const applyPatch = 'application/apply-patch+yaml';

/**
 * Returns a function that reports each distinct text only once, so that a warning on every reconcile does not flood the log. Remembers the
 * last 1,000 texts.
 */
export function reportOnce(report: (text: string) => void): (text: string) => void {
  const seen = new Set<string>();
  return (text) => {
    if (seen.has(text)) return;
    if (seen.size >= 1000)
      for (const oldest of seen.values()) {
        seen.delete(oldest);
        break;
      }
    seen.add(text);
    report(text);
  };
}

/** Returns the texts of a `Warning` header: `299 - "deprecated", 299 - "other"`. Source: RFC 7234 section 5.5. */
export function parseWarnings(header: string | undefined): readonly string[] {
  if (header === undefined) return [];
  return [...header.matchAll(/\b\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    text.replaceAll(/\\(.)/g, '$1'),
  );
}

/** Description of a request for error messages and metrics: verb, resource type and object. */
export interface CallTarget {
  /**
   * The RBAC verb (`get`, `list`, `watch`, `create`, `update`, `patch`, `delete`), or `apply`. For raw requests, the method and the path.
   */
  readonly verb: string;
  /** The resource type of the request; absent for raw requests. */
  readonly resource?: Pick<Resource, 'group' | 'plural'>;
  /** The subresource, such as `status`. */
  readonly subresource?: string | undefined;
  /** The namespace of the request; absent for cluster-scoped objects and for requests to all namespaces. */
  readonly namespace?: string | undefined;
  /** Name of the object; absent for requests to a collection. */
  readonly name?: string | undefined;
}

/** Describes a target in words, such as `create deployments.apps default/web`. */
export function describeTarget(target: CallTarget): string {
  if (target.resource === undefined) return target.verb;
  const { group, plural } = target.resource;
  const type =
    (group === '' ? plural : `${plural}.${group}`) +
    (target.subresource === undefined ? '' : `/${target.subresource}`);
  const place = [target.namespace, target.name].filter((part) => part !== undefined && part !== '').join('/');
  if (place === '') return `${target.verb} ${type}`;
  return target.name === undefined
    ? `${target.verb} ${type} in namespace ${place}`
    : `${target.verb} ${type} ${place}`;
}

/**
 * Answer of the API server to a request for which it does not return an object. Source: apimachinery `metav1.Status`.
 */
export interface Status {
  /** Distinguishes a Status from other objects. */
  readonly kind: 'Status';
  /** The outcome: `Success` or `Failure`. */
  readonly status?: string;
  /** Message for people. */
  readonly message?: string;
  /** Reason for programs: `NotFound`, `Conflict`, `Invalid`, … */
  readonly reason?: string;
  /** The HTTP status. */
  readonly code?: number;
  /** The object that the request concerns, and the causes of a failure. `retryAfterSeconds` is the delay in seconds before a retry. */
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly {
      readonly reason?: string;
      readonly message?: string;
      readonly field?: string;
    }[];
    readonly retryAfterSeconds?: number;
  };
}

export function isStatus(value: unknown): value is Status {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'Status';
}

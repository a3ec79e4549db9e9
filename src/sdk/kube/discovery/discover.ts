import type { CallOptions } from '../types.ts';
import type { Connection } from '../client/connection.ts';
import { ApiError, isForbidden, isUnauthorized } from '../client/api-error.ts';
import { externalResource, type KubeObject, type Resource } from '../../api/index.ts';

/**
 * Reads the types that an API server serves. Sends two requests if the server aggregates its discovery documents (Kubernetes 1.27 and
 * later), otherwise one request per version of each group.
 *
 * @throws ApiError, TransportError
 */
export async function discover(connection: Connection, options: CallOptions = {}): Promise<ApiDirectory> {
  const [core, groups] = await Promise.all([
    discoverAt(connection, '/api', options.signal),
    discoverAt(connection, '/apis', options.signal),
  ]);
  return {
    types: [...core.types, ...groups.types],
    unavailable: [...core.unavailable, ...groups.unavailable],
  };
}

async function discoverAt(
  connection: Connection,
  path: '/api' | '/apis',
  signal: AbortSignal | undefined,
): Promise<ApiDirectory> {
  const response = await connection.request({
    target: { verb: `GET ${path}` },
    method: 'GET',
    path,
    headers: { accept: aggregatedAccept },
    signal,
  });
  const document = response.json();
  if (isAggregated(document)) return readAggregated(document);
  const versions =
    path === '/api' ? coreVersions(document as APIVersions) : listedVersions(document as APIGroupList);
  return readPlain(connection, versions, signal);
}

/**
 * Accept header that requests the aggregated form of the discovery documents. Servers without this form return the plain form. Source:
 * KEP-3352.
 */
const aggregatedAccept = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

/** Aggregated form of a discovery document. Source: k8s.io/api/apidiscovery/v2; v2beta1 has the same shape. All fields may be absent. */
interface APIGroupDiscoveryList {
  readonly kind: 'APIGroupDiscoveryList';
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind?: string };
        readonly scope?: string;
        readonly singularResource?: string;
        readonly verbs?: readonly string[];
        readonly shortNames?: readonly string[];
      }[];
    }[];
  }[];
}

function isAggregated(document: unknown): document is APIGroupDiscoveryList {
  return (document as { readonly kind?: unknown } | null)?.kind === 'APIGroupDiscoveryList';
}

/** Reads one aggregated discovery document: the document of `/api` or the document of `/apis`. */
function readAggregated(document: APIGroupDiscoveryList): ApiDirectory {
  const types: ServedType[] = [];
  const unavailable: string[] = [];
  for (const { metadata, versions } of document.items ?? []) {
    const group = metadata?.name ?? '';
    for (const { version, freshness, resources } of versions ?? []) {
      // If an aggregated API server is unavailable and was never reached, its entry in the discovery document is stale and has no
      // resources.
      if (freshness === 'Stale' && (resources ?? []).length === 0) unavailable.push(`${group}/${version}`);
      for (const { resource, responseKind, scope, singularResource, verbs, shortNames } of resources ?? []) {
        const kind = responseKind?.kind ?? '';
        // A type without a kind is listed only because of its subresources, so it is skipped.
        if (kind === '') continue;
        const namespaced = scope === 'Namespaced';
        const described = { kind, plural: resource, singular: singularResource, namespaced };
        types.push(servedType(group, version, { ...described, verbs, shortNames }));
      }
    }
  }
  return { types, unavailable };
}

/** Response to a GET of `/api`. Source: apimachinery `metav1.APIVersions`. */
interface APIVersions {
  readonly versions?: readonly string[];
}

/** Response to a GET of `/apis`. Source: apimachinery `metav1.APIGroupList`. */
interface APIGroupList {
  readonly groups?: readonly {
    readonly name: string;
    readonly versions?: readonly { readonly version: string }[];
    readonly preferredVersion?: { readonly version?: string };
  }[];
}

/** Response to a GET of `/apis/<group>/<version>`. Source: apimachinery `metav1.APIResourceList`. */
interface APIResourceList {
  readonly resources?: readonly {
    readonly name: string;
    readonly singularName?: string;
    readonly namespaced?: boolean;
    readonly kind: string;
    readonly verbs?: readonly string[];
    readonly shortNames?: readonly string[];
  }[];
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Returns the versions of the core group. */
function coreVersions({ versions }: APIVersions): readonly GroupVersion[] {
  return (versions ?? []).map((version) => ({ group: '', version }));
}

/** Returns the versions of all groups except the core group. Within each group, the preferred version comes first. */
function listedVersions({ groups }: APIGroupList): readonly GroupVersion[] {
  return (groups ?? []).flatMap(({ name: group, versions = [], preferredVersion }) => {
    const preferred = versions.filter(({ version }) => version === preferredVersion?.version);
    const others = versions.filter(({ version }) => version !== preferredVersion?.version);
    return [...preferred, ...others].map(({ version }) => ({ group, version }));
  });
}

/**
 * Reads the types of each version with one request per version. Used for servers without aggregated discovery.
 *
 * @throws ApiError if discovery is unauthorized or forbidden; a version that fails for another reason is reported as unavailable
 */
async function readPlain(
  connection: Connection,
  versions: readonly GroupVersion[],
  signal: AbortSignal | undefined,
): Promise<ApiDirectory> {
  const types: ServedType[] = [];
  const unavailable: string[] = [];
  const answers = await Promise.all(versions.map((each) => typesOf(connection, each, signal)));
  for (const [index, { group, version }] of versions.entries()) {
    const answer = answers[index];
    if (answer === undefined) unavailable.push(group === '' ? version : `${group}/${version}`);
    else types.push(...answer);
  }
  return { types, unavailable };
}

async function typesOf(
  connection: Connection,
  { group, version }: GroupVersion,
  signal: AbortSignal | undefined,
): Promise<readonly ServedType[] | undefined> {
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  try {
    const response = await connection.request({
      target: { verb: `GET ${path}` },
      method: 'GET',
      path,
      signal,
      honourRetryAfter: false,
    });
    const { resources = [] } = response.json<APIResourceList>();
    return resources
      .filter(({ name }) => !name.includes('/'))
      .map(({ name, singularName, namespaced, kind, verbs, shortNames }) =>
        servedType(group, version, {
          kind,
          plural: name,
          singular: singularName,
          namespaced: namespaced === true,
          verbs,
          shortNames,
        }),
      );
  } catch (error) {
    // An unavailable aggregated API server must not hide the other groups.
    if (error instanceof ApiError && !isForbidden(error) && !isUnauthorized(error)) return undefined;
    throw error;
  }
}

/** Resolves an apiVersion and a kind to a type with its path, scope and verbs. */
export interface RestMapper {
  /**
   * Returns the type with this apiVersion and kind. @returns undefined if the server does not serve the type. @throws ApiError,
   * TransportError
   */
  find(apiVersion: string, kind: string, options?: CallOptions): Promise<ServedType | undefined>;
  /** Returns the types that the server served at the first discovery. @throws ApiError, TransportError */
  directory(options?: CallOptions): Promise<ApiDirectory>;
}

/** Creates a mapper of one API server. The mapper runs discovery once, when it is first used. */
export function createRestMapper(connection: Connection): RestMapper {
  let known: ApiDirectory | undefined;
  const directory = async ({ signal }: CallOptions = {}): Promise<ApiDirectory> => {
    known ??= await discover(connection, { signal });
    return known;
  };
  return {
    directory,
    async find(apiVersion, kind, options) {
      const { types } = await directory(options);
      return types.find(({ resource }) => resource.apiVersion === apiVersion && resource.kind === kind);
    },
  };
}

/** A type that an API server serves, as its discovery documents describe it. */
export interface ServedType {
  /** Token of the type, to pass to a client. */
  readonly resource: Resource<KubeObject>;
  /** Singular name of the type in lower case, as in messages of kubectl, such as `deployment`. May be empty. */
  readonly singular: string;
  /** Short names that kubectl accepts, such as `deploy`. */
  readonly shortNames: readonly string[];
  /** Verbs that the server supports for the type: `get`, `list`, `patch`, … */
  readonly verbs: readonly string[];
}

/** All types that an API server serves at one moment. */
export interface ApiDirectory {
  /** Served types. The groups have the server's order; within a group, the preferred version comes first. Subresources are omitted. */
  readonly types: readonly ServedType[];
  /** Group versions, such as `metrics.k8s.io/v1beta1`, whose types are unknown because their aggregated API server is unavailable. */
  readonly unavailable: readonly string[];
}

/** Description of a type, with the fields that the aggregated and the plain form of discovery documents have in common. */
interface TypeDescription {
  readonly kind: string;
  readonly plural: string;
  readonly singular?: string | undefined;
  readonly namespaced: boolean;
  readonly verbs?: readonly string[] | undefined;
  readonly shortNames?: readonly string[] | undefined;
}

function servedType(group: string, version: string, type: TypeDescription): ServedType {
  return {
    resource: externalResource({
      group,
      version,
      kind: type.kind,
      plural: type.plural,
      scope: type.namespaced ? 'Namespaced' : 'Cluster',
    }),
    singular: type.singular ?? '',
    shortNames: type.shortNames ?? [],
    verbs: type.verbs ?? [],
  };
}

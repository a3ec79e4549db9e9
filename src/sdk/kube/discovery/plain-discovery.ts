import { ApiError, isForbidden, isUnauthorized } from '../client/api-error.ts';
import type { Connection } from '../client/connection.ts';
import { servedType, type ApiDirectory, type ServedType } from './served-type.ts';

/** The answer of `/api`. Source: apimachinery `metav1.APIVersions`. */
export interface APIVersions {
  readonly versions?: readonly string[];
}

/** The answer of `/apis`. Source: apimachinery `metav1.APIGroupList`. */
export interface APIGroupList {
  readonly groups?: readonly {
    readonly name: string;
    readonly versions?: readonly { readonly version: string }[];
    readonly preferredVersion?: { readonly version?: string };
  }[];
}

/** The answer of `/apis/<group>/<version>`. Source: apimachinery `metav1.APIResourceList`. */
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

/** The versions of the core group. */
export function coreVersions({ versions }: APIVersions): readonly GroupVersion[] {
  return (versions ?? []).map((version) => ({ group: '', version }));
}

/** The versions of all other groups, the preferred one of each first. */
export function listedVersions({ groups }: APIGroupList): readonly GroupVersion[] {
  return (groups ?? []).flatMap(({ name: group, versions = [], preferredVersion }) => {
    const preferred = versions.filter(({ version }) => version === preferredVersion?.version);
    const others = versions.filter(({ version }) => version !== preferredVersion?.version);
    return [...preferred, ...others].map(({ version }) => ({ group, version }));
  });
}

/**
 * Asks for the types of each version: what servers without aggregated discovery offer.
 *
 * @throws ApiError if we may not ask at all; a version that fails for another reason is reported as unavailable
 */
export async function readPlain(
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
    // An aggregated API server that is away must not hide the other groups.
    if (error instanceof ApiError && !isForbidden(error) && !isUnauthorized(error)) return undefined;
    throw error;
  }
}

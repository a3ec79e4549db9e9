import type { Finding } from '../../../base/errors/index.ts';
import {
  createRestMapper,
  isNotFound,
  isTypeNotServed,
  type KubeClient,
  isForbidden,
} from '../../../sdk/kube/index.ts';
import { problemsOf, resolveObjects, type ClusterObject } from '../../../cluster/index.ts';
import { inParallel } from '../../../base/util/in-parallel.ts';
import type { ManifestObject, PlacedObject } from '../../../kubernetes/yaml/index.ts';
import { olmFacts } from '../release/check-release.ts';
import type { OlmVersion } from '../../catalog/index.ts';
import type { KubeObject, Resource } from '../../../sdk/api/index.ts';
import { jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import { CatalogSource, ClusterCatalog } from '../../run/index.ts';
import { type InstalledOlm, objectHealth, type ObjectHealth, statusCondition } from './find-olms.ts';

/** An object of an OLM release, together with its health on the cluster. */
type ObjectState = ObjectHealth & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
};

/** State of an OLM installation: each object of its release, and each catalogue. */
export interface OlmState extends InstalledOlm {
  readonly objects: readonly ObjectState[];
  readonly catalogues: readonly CatalogueState[];
}

interface Call {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Looks up each object of an OLM release on the cluster, and lists the catalogues.
 *
 * @param objects the objects of the release; see {@link knownObjects}
 * @throws OpSdkError `cluster/duplicate-object`; ApiError, TransportError
 */
export async function olmState(
  client: KubeClient,
  installed: InstalledOlm,
  objects: readonly PlacedObject[],
  { signal }: Call,
): Promise<OlmState> {
  const mapper = createRestMapper(client.connection);
  const namespace = installed.namespace ?? olmFacts[installed.olm].namespace;
  const resolved = await resolveObjects(objects, { mapper, namespace, purpose: 'delete', signal });
  const health = await inParallel(resolved, (object) => healthOf(client, object, { signal }));
  const byPlace = new Map(resolved.map(({ where }, index) => [where, health[index]]));
  return {
    ...installed,
    objects: objects.map(({ object, where }) => ({
      ...placeOf(object),
      ...(byPlace.get(where) ?? notServed(object)),
    })),
    catalogues: await listCatalogues(client, installed.olm, { signal }),
  };
}

/** Returns the objects that every release of an OLM version contains; used for clusters whose release is unknown. */
export function knownObjects({ olm, namespace }: InstalledOlm): readonly PlacedObject[] {
  const { crds, deployments, namespace: usual } = olmFacts[olm];
  const place = namespace ?? usual;
  const object = (apiVersion: string, kind: string, name: string, inside?: string): PlacedObject => ({
    object: {
      apiVersion,
      kind,
      metadata: { name, ...(inside === undefined ? {} : { namespace: inside }) },
    },
    where: { object: `${kind} ${name}` },
  });
  return [
    object('v1', 'Namespace', place),
    ...crds.map((name) => object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', name)),
    ...deployments.map((name) => object('apps/v1', 'Deployment', name, place)),
    ...(olm === 'v0'
      ? [object('operators.coreos.com/v1alpha1', 'ClusterServiceVersion', 'packageserver', place)]
      : []),
  ];
}

/** Returns findings about an OLM installation: errors for its objects, warnings for its catalogues. */
export function stateFindings(state: OlmState): {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
} {
  const { olm, objects, catalogues } = state;
  const bad = objects.filter(({ status }) => status !== 'Installed');
  const lines = bad.map((each) => `${each.kind} ${nameOf(each)}: ${healthText(each)}`);
  return {
    errors:
      bad.length === 0
        ? []
        : [
            {
              code: 'olm/unhealthy',
              message: [
                `OLM ${olm}: ${bad.length} of ${objects.length} objects are missing or unhealthy`,
                ...lines,
              ].join('\n'),
              fix: [installAgain(state)],
            },
          ],
    warnings: catalogues
      .filter(({ serving }) => !serving)
      .map((each) => ({
        code: 'olm/catalog-not-serving',
        message: `OLM ${olm}: the catalogue ${nameOf(each)} is not served: ${each.state}`,
        fix: [`look at it: kubectl describe ${describedAs(olm, each)}`],
      })),
  };
}

/** Returns the usual name of an object: `namespace/name`, or only the name if it has no namespace. */
export function nameOf({ namespace, name }: { readonly name: string; readonly namespace?: string }): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Returns the health of an object with its reason: `Unhealthy: it is being deleted`. */
export function healthText(health: ObjectHealth): string {
  const reason = 'reason' in health ? health.reason : undefined;
  return reason === undefined ? health.status : `${health.status}: ${reason}`;
}

/** Returns the health of an object whose kind the server does not serve. */
function notServed({ apiVersion, kind }: Pick<Resource, 'apiVersion' | 'kind'>): ObjectHealth {
  return { status: 'Missing', reason: `no matches for kind "${kind}" in version "${apiVersion}"` };
}

function installAgain({ olm, version }: OlmState): string {
  const flags = version === undefined ? '' : ` --version ${version}`;
  return `create what is missing: op-sdk olm install --olm ${olm}${flags}`;
}

function describedAs(olm: OlmVersion, { name, namespace }: CatalogueState): string {
  return olm === 'v1' ? `clustercatalog ${name}` : `catalogsource ${name} -n ${namespace ?? ''}`;
}

function placeOf({ apiVersion, kind, metadata }: ManifestObject): Omit<ObjectState, keyof ObjectHealth> {
  const { name, namespace } = metadata;
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

async function healthOf(
  client: KubeClient,
  { resource, key }: ClusterObject,
  { signal }: Call,
): Promise<ObjectHealth> {
  let live: KubeObject | undefined;
  try {
    live = await client.find(resource, key, { signal });
  } catch (error) {
    if (isTypeNotServed(error)) return notServed(resource);
    if (!isNotFound(error)) throw error;
  }
  const health = objectHealth(resource.kind, live);
  if (health.status !== 'Unhealthy' || live === undefined || resource.kind !== 'Deployment') return health;
  const [first] = await problemsOf(client, live, { signal });
  if (first === undefined) return health;
  return { ...health, reason: `${health.reason}; Pod ${first.pod.metadata.name}: ${first.problem.message}` };
}

/** A CatalogSource or a ClusterCatalog. */
interface CatalogueState {
  readonly name: string;
  readonly namespace?: string;
  readonly serving: boolean;
  /** State of the catalogue as OLM reports it. */
  readonly state: string;
}

/** Lists the catalogues of an OLM version on a cluster. Returns an empty list if the user may not read them. */
async function listCatalogues(
  client: KubeClient,
  olm: OlmVersion,
  { signal }: { readonly signal?: AbortSignal | undefined },
): Promise<readonly CatalogueState[]> {
  const type: Resource<KubeObject> = olm === 'v0' ? CatalogSource : ClusterCatalog;
  try {
    return (await client.list(type, { signal })).items.map((object) => catalogueState(olm, object));
  } catch (error) {
    if (isForbidden(error) || isTypeNotServed(error)) return [];
    throw error;
  }
}

/** Returns the state of a catalogue. `serving` is true if OLM can install operators from the catalogue. */
export function catalogueState(olm: OlmVersion, object: KubeObject): CatalogueState {
  const { name, namespace } = object.metadata;
  const status = jsonMapOf((object as KubeObject & { readonly status?: unknown }).status);
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(olm === 'v0' ? sourceState(status) : clusterCatalogState(status)),
  };
}

/** Returns the state of a CatalogSource. A gRPC connection that works is READY; an unused connection becomes IDLE. */
function sourceState(status: Readonly<Record<string, unknown>>): Pick<CatalogueState, 'serving' | 'state'> {
  const state = jsonTextOf(jsonMapOf(status['connectionState'])['lastObservedState']);
  const message = jsonTextOf(status['message']);
  const words = [state === '' ? 'not seen by OLM yet' : state, message].filter(Boolean).join(': ');
  return { serving: state === 'READY' || state === 'IDLE', state: words };
}

function clusterCatalogState(
  status: Readonly<Record<string, unknown>>,
): Pick<CatalogueState, 'serving' | 'state'> {
  const serving = statusCondition(status, 'Serving');
  if (serving?.['status'] === 'True') return { serving: true, state: 'Serving' };
  // The reason why a catalogue is not served is in the condition Progressing.
  const progressing = statusCondition(status, 'Progressing');
  const reason = jsonTextOf((progressing ?? serving)?.['reason']);
  const message = jsonTextOf((progressing ?? serving)?.['message']);
  const words = [reason, message].filter(Boolean).join(': ');
  return { serving: false, state: words === '' ? 'not seen by OLM yet' : words };
}

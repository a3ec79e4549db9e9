import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import { isCopiedByOlm } from '../../cluster/index.ts';
import type { OlmVersion } from '../catalog/index.ts';
import { CustomResourceDefinition } from '../../sdk/k8s/generated/apiextensions/v1.ts';
import { Deployment } from '../../sdk/k8s/generated/apps/v1.ts';
import { Job } from '../../sdk/k8s/generated/batch/v1.ts';
import { Pod } from '../../sdk/k8s/generated/core/v1.ts';
import { isForbidden, type KubeClient } from '../../sdk/kube/index.ts';
import {
  type RunNames,
  CatalogSource,
  ClusterCatalog,
  ClusterExtension,
  ClusterServiceVersion,
  InstallPlan,
  OperatorGroup,
  Subscription,
} from './run-names.ts';

const v0 = 'operators.coreos.com/';

/**
 * Names the owners of a CustomResourceDefinition, as OLM labels it: `operator web-operator in namespace web`, `ClusterExtension web`.
 * Nothing if OLM did not, or if definitions may not be read.
 */
export function crdOwners(observed: Observed, crd: string): readonly string[] {
  const labels = observed.get('CustomResourceDefinition', crd)?.metadata.labels ?? {};
  const extension = labels['olm.operatorframework.io/owner-name'];
  // `<package>.<namespace>`; packages may have dots, namespaces do not.
  const operators = Object.keys(labels).flatMap((key) => {
    const match = key.startsWith(v0) ? /^(.+)\.([^.]+)$/.exec(key.slice(v0.length)) : null;
    return match === null ? [] : [`operator ${match[1]} in namespace ${match[2]}`];
  });
  return [...(extension === undefined ? [] : [`ClusterExtension ${extension}`]), ...operators];
}

/** Kinds that show the progress of an installation. */
type ObservedKind =
  | 'CatalogSource'
  | 'ClusterCatalog'
  | 'ClusterExtension'
  | 'ClusterServiceVersion'
  | 'CustomResourceDefinition'
  | 'Deployment'
  | 'InstallPlan'
  | 'Job'
  | 'OperatorGroup'
  | 'Pod'
  | 'Subscription';

/** Observed state of the cluster at one moment. Judgements use only this state and send no requests themselves. */
export interface Observed {
  /** Returns the object; undefined if it is missing. Omit `namespace` for cluster-scoped kinds. */
  get<T extends KubeObject>(kind: ObservedKind, name: string, namespace?: string): T | undefined;
  /** All objects of the kind, of one namespace if it is given; the oldest first. */
  list<T extends KubeObject>(kind: ObservedKind, namespace?: string): readonly T[];
}

/** Objects as they were read, in one list. ClusterServiceVersions that OLM copied from other namespaces are left out. */
export class ObservedObjects implements Observed {
  readonly #byKind: ReadonlyMap<string, readonly KubeObject[]>;

  constructor(objects: Iterable<KubeObject>) {
    const byKind = new Map<string, KubeObject[]>();
    for (const object of objects) {
      if (isCopiedByOlm(object)) continue;
      const others = byKind.get(object.kind);
      if (others === undefined) byKind.set(object.kind, [object]);
      else others.push(object);
    }
    for (const list of byKind.values()) list.sort((a, b) => created(a).localeCompare(created(b)));
    this.#byKind = byKind;
  }

  /** Returns the state with additional objects. */
  with(objects: readonly KubeObject[]): ObservedObjects {
    return new ObservedObjects([...this.#byKind.values()].flat().concat(objects));
  }

  get<T extends KubeObject>(kind: ObservedKind, name: string, namespace?: string): T | undefined {
    return this.list<T>(kind, namespace).find(({ metadata }) => metadata.name === name);
  }

  // The cast is safe, because all fields of `T` that are read are optional.
  list<T extends KubeObject>(kind: ObservedKind, namespace?: string): readonly T[] {
    const all = (this.#byKind.get(kind) ?? []) as readonly T[];
    return namespace === undefined ? all : all.filter(({ metadata }) => metadata.namespace === namespace);
  }
}

function created({ metadata }: KubeObject): string {
  return metadata.creationTimestamp ?? '';
}

/** A condition as OLM writes it: v0 leaves out what is required elsewhere. */
interface OlmCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
}

export interface Conditioned extends KubeObject {
  readonly status?: { readonly conditions?: readonly OlmCondition[] };
}

/** Returns a condition of an object, unless it describes a former generation. */
export function conditionOf({ metadata, status }: Conditioned, type: string): OlmCondition | undefined {
  const found = status?.conditions?.find((condition) => condition.type === type);
  const { generation = 0 } = metadata;
  return (found?.observedGeneration ?? generation) < generation ? undefined : found;
}

export function trueCondition(object: Conditioned, type: string): OlmCondition | undefined {
  const found = conditionOf(object, type);
  return found?.status === 'True' ? found : undefined;
}

/** Names of the objects that OLM v0 is expected to install. */
export interface ExpectedV0 {
  /** Namespace of the Subscription and the operator. */
  readonly namespace: string;
  /** Bundles are unpacked in its namespace. */
  readonly catalogSource: { readonly name: string; readonly namespace: string };
  readonly subscription: string;
  /** The ClusterServiceVersion, such as `web-operator.v0.0.1`. */
  readonly csv: string;
  readonly package: string;
  readonly channel: string;
  /** Identifies the Job that unpacks the bundle; without it, the newest Job is used. */
  readonly bundleImage?: string | undefined;
}

/** Names of the objects that OLM v1 is expected to install. */
export interface ExpectedV1 {
  /** The ClusterCatalog. */
  readonly catalog: string;
  /** The ClusterExtension. */
  readonly extension: string;
  readonly package: string;
  /** Version of the bundle, such as `0.0.1`. */
  readonly version: string;
  /** Namespace of the operator. */
  readonly namespace: string;
  /** Names of the Deployments of the bundle: OLM v1 does not wait for them. */
  readonly deployments: readonly string[];
}

/** Installation that OLM is expected to make. */
export interface Installation {
  readonly olm: OlmVersion;
  readonly names: RunNames;
  readonly packageName: string;
  /** The name of the ClusterServiceVersion. */
  readonly csv: string;
  readonly version: string;
  /** Image of the bundle as named in the catalogue. */
  readonly bundleImage: string;
  /** Where the operator runs. */
  readonly namespace: string;
  /** The names of its Deployments. */
  readonly deployments: readonly string[];
  /** The names of its CustomResourceDefinitions. */
  readonly definitions: readonly string[];
}

const workloads = [Deployment, Pod];
const kindsOf = {
  v0: [CatalogSource, OperatorGroup, Subscription, InstallPlan, ClusterServiceVersion, Job, ...workloads],
  v1: [ClusterCatalog, ClusterExtension, ...workloads],
} as const;

/** Reads all objects that show the progress of an installation: those of its namespace, and those of OLM v1. */
export async function observeInstallation(
  client: KubeClient,
  { olm, namespace }: Pick<Installation, 'olm' | 'namespace'>,
  signal: AbortSignal,
): Promise<ObservedObjects> {
  const kinds: readonly Resource<KubeObject>[] = kindsOf[olm];
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const { items } = await client.list(kind, { signal, ...(kind.namespaced ? { namespace } : {}) });
      // List items have no `apiVersion` and `kind`.
      return items.map((item) => ({ ...item, apiVersion: kind.apiVersion, kind: kind.kind }));
    }),
  );
  return new ObservedObjects(lists.flat());
}

/** Reads the CustomResourceDefinitions of an operator, which name their owners; none if they may not be read. */
export async function observeDefinitions(
  client: KubeClient,
  { definitions }: Pick<Installation, 'definitions'>,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  try {
    const found = await Promise.all(
      definitions.map((name) => client.find(CustomResourceDefinition, { name }, { signal })),
    );
    return found.filter((definition) => definition !== undefined);
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}

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
 * Returns the names of the owners of a CustomResourceDefinition, read from the labels that OLM sets, such as `operator web-operator in
 * namespace web` or `ClusterExtension web`. The list is empty if OLM did not set labels, or if the user may not read
 * CustomResourceDefinitions.
 */
export function crdOwners(observed: Observed, crd: string): readonly string[] {
  const labels = observed.get('CustomResourceDefinition', crd)?.metadata.labels ?? {};
  const extension = labels['olm.operatorframework.io/owner-name'];
  // The rest of the label key is `<package>.<namespace>`. A package name may contain dots, a namespace may not.
  const operators = Object.keys(labels).flatMap((key) => {
    const match = key.startsWith(v0) ? /^(.+)\.([^.]+)$/.exec(key.slice(v0.length)) : null;
    return match === null ? [] : [`operator ${match[1]} in namespace ${match[2]}`];
  });
  return [...(extension === undefined ? [] : [`ClusterExtension ${extension}`]), ...operators];
}

/** Kinds of objects that show the progress of an installation. */
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

/** Objects of the cluster as observed at one moment. Judgements use only these objects and send no requests themselves. */
export interface Observed {
  /** Returns the object with this kind and name; undefined if it is missing. Omit `namespace` for cluster-scoped kinds. */
  get<T extends KubeObject>(kind: ObservedKind, name: string, namespace?: string): T | undefined;
  /** Returns all objects of the kind, oldest first; if `namespace` is given, only those of this namespace. */
  list<T extends KubeObject>(kind: ObservedKind, namespace?: string): readonly T[];
}

/**
 * Implementation of {@link Observed} for objects that have been read from the cluster. Omits ClusterServiceVersions that OLM copied from
 * other namespaces.
 */
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

  /** Returns an observed state that contains additional objects. */
  with(objects: readonly KubeObject[]): ObservedObjects {
    return new ObservedObjects([...this.#byKind.values()].flat().concat(objects));
  }

  get<T extends KubeObject>(kind: ObservedKind, name: string, namespace?: string): T | undefined {
    return this.list<T>(kind, namespace).find(({ metadata }) => metadata.name === name);
  }

  // The cast is safe, because every field of `T` that callers read is optional.
  list<T extends KubeObject>(kind: ObservedKind, namespace?: string): readonly T[] {
    const all = (this.#byKind.get(kind) ?? []) as readonly T[];
    return namespace === undefined ? all : all.filter(({ metadata }) => metadata.namespace === namespace);
  }
}

function created({ metadata }: KubeObject): string {
  return metadata.creationTimestamp ?? '';
}

/** A condition in the form in which OLM writes it. OLM v0 leaves out fields that other Kubernetes conditions must have. */
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

/** Returns a condition of an object; undefined if it is missing, or describes a former generation of the object. */
export function conditionOf({ metadata, status }: Conditioned, type: string): OlmCondition | undefined {
  const found = status?.conditions?.find((condition) => condition.type === type);
  const { generation = 0 } = metadata;
  return (found?.observedGeneration ?? generation) < generation ? undefined : found;
}

export function trueCondition(object: Conditioned, type: string): OlmCondition | undefined {
  const found = conditionOf(object, type);
  return found?.status === 'True' ? found : undefined;
}

/** Names by which the objects of an installation by OLM v0 are found. */
export interface ExpectedV0 {
  /** Namespace of the Subscription and the operator. */
  readonly namespace: string;
  /** The CatalogSource. OLM unpacks bundles in the namespace of the CatalogSource. */
  readonly catalogSource: { readonly name: string; readonly namespace: string };
  readonly subscription: string;
  /** Name of the ClusterServiceVersion, such as `web-operator.v0.0.1`. */
  readonly csv: string;
  readonly package: string;
  readonly channel: string;
  /** Image of the bundle. It identifies the Job that unpacks the bundle. Default: the newest Job is used. */
  readonly bundleImage?: string | undefined;
}

/** Names by which the objects of an installation by OLM v1 are found. */
export interface ExpectedV1 {
  /** Name of the ClusterCatalog. */
  readonly catalog: string;
  /** Name of the ClusterExtension. */
  readonly extension: string;
  readonly package: string;
  /** Version of the bundle, such as `0.0.1`. */
  readonly version: string;
  /** Namespace of the operator. */
  readonly namespace: string;
  /** Names of the bundle's Deployments. They are checked here, because OLM v1 does not wait for them. */
  readonly deployments: readonly string[];
}

/** An installation that OLM is expected to complete. */
export interface Installation {
  readonly olm: OlmVersion;
  readonly names: RunNames;
  readonly packageName: string;
  /** The name of the ClusterServiceVersion. */
  readonly csv: string;
  readonly version: string;
  /** Image of the bundle, as the catalogue names it. */
  readonly bundleImage: string;
  /** Namespace of the operator. */
  readonly namespace: string;
  /** Names of the operator's Deployments. */
  readonly deployments: readonly string[];
  /** Names of the operator's CustomResourceDefinitions. */
  readonly definitions: readonly string[];
}

const workloads = [Deployment, Pod];
const kindsOf = {
  v0: [CatalogSource, OperatorGroup, Subscription, InstallPlan, ClusterServiceVersion, Job, ...workloads],
  v1: [ClusterCatalog, ClusterExtension, ...workloads],
} as const;

/** Reads all objects that show the progress of an installation: the objects in its namespace, and the cluster-scoped objects of OLM v1. */
export async function observeInstallation(
  client: KubeClient,
  { olm, namespace }: Pick<Installation, 'olm' | 'namespace'>,
  signal: AbortSignal,
): Promise<ObservedObjects> {
  const kinds: readonly Resource<KubeObject>[] = kindsOf[olm];
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const { items } = await client.list(kind, { signal, ...(kind.namespaced ? { namespace } : {}) });
      // The items of a list have no `apiVersion` and `kind`, so both are added.
      return items.map((item) => ({ ...item, apiVersion: kind.apiVersion, kind: kind.kind }));
    }),
  );
  return new ObservedObjects(lists.flat());
}

/**
 * Reads the CustomResourceDefinitions of an operator. Their labels name the operators that own them. Returns an empty list if the user may
 * not read them.
 */
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

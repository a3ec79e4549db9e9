import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import { CustomResourceDefinition } from '../../sdk/k8s/generated/apiextensions/v1.ts';
import { Deployment } from '../../sdk/k8s/generated/apps/v1.ts';
import { Job } from '../../sdk/k8s/generated/batch/v1.ts';
import { Pod } from '../../sdk/k8s/generated/core/v1.ts';
import { isForbidden, type KubeClient } from '../../sdk/kube/index.ts';
import {
  CatalogSource,
  ClusterCatalog,
  ClusterExtension,
  ClusterServiceVersion,
  InstallPlan,
  OperatorGroup,
  Subscription,
} from './olm-kinds.ts';
import type { Installation } from './installation.ts';
import { ObservedObjects } from './observed.ts';

const workloads = [Deployment, Pod];
const kindsOf = {
  v0: [CatalogSource, OperatorGroup, Subscription, InstallPlan, ClusterServiceVersion, Job, ...workloads],
  v1: [ClusterCatalog, ClusterExtension, ...workloads],
} as const;

/** Reads everything that says how far an installation is: the objects of its namespace, and those of OLM v1. */
export async function observeInstallation(
  client: KubeClient,
  { olm, namespace }: Pick<Installation, 'olm' | 'namespace'>,
  signal: AbortSignal,
): Promise<ObservedObjects> {
  const kinds: readonly Resource<KubeObject>[] = kindsOf[olm];
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const { items } = await client.list(kind, { signal, ...(kind.namespaced ? { namespace } : {}) });
      // Lists do not say it of their items.
      return items.map((item) => ({ ...item, apiVersion: kind.apiVersion, kind: kind.kind }));
    }),
  );
  return new ObservedObjects(lists.flat());
}

/** Reads the CustomResourceDefinitions of an operator, which say who owns them; none if they may not be read. */
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

// Stands for OLM v0, as far as the release itself needs it.
import type { KubeObject, Resource } from '../../../src/sdk/api/index.ts';
import { APIService } from '../../../src/sdk/k8s/generated/apiregistration/v1.ts';
import { Deployment } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import { ClusterRole, RoleBinding } from '../../../src/sdk/k8s/generated/rbac/v1.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { CatalogSource, ClusterServiceVersion } from '../../../src/olm/run/run-names.ts';
import { ensure, listOf, setFinalizers, setStatus, StandIn } from './stand-in.ts';

/** The finalizer of each CSV. */
export const csvCleanup = 'operators.coreos.com/csv-cleanup';

const untyped = (type: unknown): Resource<KubeObject> => type as Resource<KubeObject>;

/**
 * What the operators of OLM v0 do while their Deployment is available: install the package server, connect to catalogues, clean up after CSVs.
 * @param node what a node does, where there is none
 */
export function operatorsOfV0(client: KubeClient, node = () => Promise.resolve()): StandIn {
  return new StandIn(async () => {
    await node();
    const running = await client.find(Deployment, { name: 'olm-operator', namespace: 'olm' });
    if ((running?.status?.availableReplicas ?? 0) === 0) return;
    for (const csv of await listOf(client, ClusterServiceVersion)) {
      const { deletionTimestamp, finalizers = [], labels = {} } = csv.metadata;
      if (labels['olm.copiedFrom'] !== undefined) continue;
      if (deletionTimestamp !== undefined) {
        if (finalizers.length > 0) await setFinalizers(client, ClusterServiceVersion, csv, null);
        continue;
      }
      if (finalizers.length === 0) await setFinalizers(client, ClusterServiceVersion, csv, [csvCleanup]);
      if (csv.metadata.name === 'packageserver') await installPackageServer(client);
      const { status } = csv as KubeObject & { readonly status?: { readonly phase?: string } };
      if (status?.phase !== 'Succeeded')
        await setStatus(client, ClusterServiceVersion, csv, {
          phase: 'Succeeded',
          reason: 'InstallSucceeded',
          message: 'install strategy completed with no errors',
        });
    }
    for (const source of await listOf(client, CatalogSource))
      await setStatus(client, CatalogSource, source, { connectionState: { lastObservedState: 'READY' } });
  });
}

/** Creates the RoleBinding that OLM makes for the servers of a namespace: without an owner. */
export function bringAuthReader(client: KubeClient, name: string, namespace: string): Promise<void> {
  return ensure(client, untyped(RoleBinding), {
    metadata: { name, namespace: 'kube-system', labels: { 'olm.managed': 'true' } },
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'Role',
      name: 'extension-apiserver-authentication-reader',
    },
    subjects: [{ kind: 'ServiceAccount', name: 'server', namespace }],
  });
}

/** What OLM makes of the package server's CSV and of OperatorGroups outside of its namespaces. */
async function installPackageServer(client: KubeClient): Promise<void> {
  const labels = {
    'olm.owner': 'packageserver',
    'olm.owner.namespace': 'olm',
    'olm.owner.kind': 'ClusterServiceVersion',
    'olm.managed': 'true',
  };
  await ensure(client, untyped(ClusterRole), { metadata: { name: 'packageserver-abc', labels }, rules: [] });
  const group = { 'olm.owner': 'global-operators', 'olm.owner.kind': 'OperatorGroup' };
  await ensure(client, untyped(ClusterRole), {
    metadata: { name: 'olm.og.global-operators.admin-abc', labels: group },
    rules: [],
  });
  await bringAuthReader(client, 'packageserver-service-auth-reader', 'olm');
  // Nobody serves it here, as when the package server has gone.
  await ensure(client, untyped(APIService), {
    metadata: { name: 'v1.packages.operators.coreos.com', labels },
    spec: {
      group: 'packages.operators.coreos.com',
      version: 'v1',
      groupPriorityMinimum: 2000,
      versionPriority: 15,
      service: { name: 'packageserver-service', namespace: 'olm', port: 5443 },
      insecureSkipTLSVerify: true,
    },
  });
}

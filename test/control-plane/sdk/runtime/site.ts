import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  defineResource,
  type Condition,
  type CustomResource,
  type Int32,
  type ListMap,
} from '../../../../src/index.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { startControlPlane, type ControlPlane } from '../../../../src/testing/index.ts';

/** The kind that these tests reconcile. */
export interface Site extends CustomResource {
  spec: { replicas?: Int32; secretName?: string };
  status?: { conditions?: ListMap<Condition, 'type'> };
}

export const Site = defineResource<Site>({ group: 'web.example.com', version: 'v1', kind: 'Site' });

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const status = {
  type: 'object',
  properties: {
    conditions: {
      type: 'array',
      items: { ...anything, required: ['type'], properties: { type: { type: 'string' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
    },
  },
};

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'sites.web.example.com' },
  spec: {
    group: 'web.example.com',
    scope: 'Namespaced',
    names: { kind: 'Site', plural: 'sites', singular: 'site', listKind: 'SiteList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: anything, status } } },
      },
    ],
  },
};

/** A control plane of its own that serves Site, for tests that watch all namespaces, add users or kill the API server. */
export async function startSitePlane(): Promise<{
  readonly plane: ControlPlane;
  readonly client: KubeClient;
}> {
  const plane = await startControlPlane({ controllerManager: true });
  const cluster = await loadCluster({ kubeconfig: plane.kubeconfig });
  await installSite(plane);
  return { plane, client: createClient({ cluster, fieldManager: 'test' }) };
}

/** Lets the API server of a control plane serve Site. */
export async function installSite(controlPlane: ControlPlane): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'opsdk-site-'));
  try {
    await writeFile(join(folder, 'site.json'), JSON.stringify(crd));
    await controlPlane.installCrds([folder]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

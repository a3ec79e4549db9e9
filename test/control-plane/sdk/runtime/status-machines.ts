// A kind whose status has a field of each sort, and two controllers of one operator that write it.
import { afterAll, beforeAll } from 'vitest';
import {
  defineController,
  defineResource,
  type ControllerClient,
  type CustomResource,
  type MergePatch,
} from '../../../../src/index.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { eventually } from '../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { runManager, type RunningManager } from './running-manager.ts';
import { slow } from './site-controller.ts';

interface Port {
  name: string;
  protocol: string;
  number?: number;
}

export interface Status {
  phase?: string;
  count?: number;
  detail?: { a?: string | undefined; b?: string | undefined };
  /** Replaced as a whole. */
  labels?: Record<string, string>;
  tags?: string[];
  list?: string[];
  ports?: Port[];
  /** Like ports, but the protocol has a default. */
  routes?: { name: string; protocol?: string; number?: number; hosts?: { name: string; path?: string }[] }[];
  /** Any texts by name. */
  texts?: Record<string, string>;
  /** Conditions that are no map. */
  child?: { conditions?: { type: string }[] };
  conditions?: { type: string; status: string; message?: string }[];
}

export interface Machine extends CustomResource {
  status?: Status;
}

export const group = `${uniqueName()}.example.com`;
export const Machine = defineResource<Machine>({ group, version: 'v1', kind: 'Machine' });
const text = { type: 'string' };
const mapList = (keys: readonly string[], properties: object) => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
  items: { type: 'object', required: keys, properties },
});
const list = (items: object) => ({ type: 'array', items });
const properties = {
  phase: text,
  texts: { type: 'object', additionalProperties: text },
  child: { type: 'object', properties: { conditions: list({ type: 'object', properties: { type: text } }) } },
  routes: {
    ...mapList(['name', 'protocol'], {}),
    items: {
      type: 'object',
      required: ['name'],
      properties: {
        name: text,
        protocol: { ...text, default: 'TCP' },
        number: { type: 'integer' },
        hosts: mapList(['name'], { name: text, path: text }),
      },
    },
  },
  count: { type: 'integer' },
  detail: { type: 'object', properties: { a: text, b: text } },
  labels: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: text },
  tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
  list: list(text),
  ports: mapList(['name', 'protocol'], { name: text, protocol: text, number: { type: 'integer' } }),
  conditions: mapList(['type'], { type: text, status: text, message: text }),
};
const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `machines.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind: 'Machine', plural: 'machines' },
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      subresources: { status: {} },
      schema: { openAPIV3Schema: { type: 'object', properties: { status: { type: 'object', properties } } } },
    })),
  },
};

/** Starts an operator with two controllers, `one` and `two`, for the tests of a file. */
export function machines() {
  let plane: SharedControlPlane;
  let server: KubeClient;
  let namespace: string;
  let running: RunningManager;
  const clients = new Map<string, ControllerClient>();
  beforeAll(async () => {
    plane = await sharedControlPlane();
    server = createClient({ cluster: await loadCluster(plane), fieldManager: 'test' });
    await server.raw.request({
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      body: crd,
    });
    namespace = await uniqueNamespace(plane);
    const controllers = ['one', 'two'].map((name) =>
      defineController({ name, for: Machine, reconcile: (_, { client }) => void clients.set(name, client) }),
    );
    running = await runManager({ kubeconfig: plane.kubeconfig, namespaces: [namespace] }, ...controllers);
    await eventually(async () => server.create(Machine, { metadata: { name: 'first', namespace } }), slow);
    await eventually(() => clients.size === 2, slow);
  });
  afterAll(async () => {
    await running[Symbol.asyncDispose]();
    await server.close();
  });
  const clientOf = (who: string): ControllerClient => {
    const client = clients.get(who);
    if (client === undefined) throw new Error(`expected a controller ${who}`);
    return client;
  };
  const merge = (who: string, key: { name: string; namespace: string }, change: MergePatch<Status>) =>
    clientOf(who).mergeStatus(Machine, key, change);
  return {
    clientOf,
    merge,
    setup: () => ({ plane, server, namespace }),
    /** Creates an object with fields of another manager, so that the API server records the owner of each field. */
    machine: async () => {
      const key = { name: uniqueName(), namespace };
      await server.create(Machine, { metadata: { ...key, labels: { app: 'test' } } });
      const read = async () => server.get(Machine, key);
      return {
        key,
        read,
        merge: (who: string, change: MergePatch<Status>) => merge(who, key, change),
        apply: (who: string, status: Status) => clientOf(who).applyStatus(Machine, key, status),
        status: async () => (await read()).status ?? {},
        owned: async (who: string) =>
          ((await read()).metadata.managedFields ?? []).find(({ manager = '' }) => manager.endsWith(who))
            ?.fieldsV1,
      };
    },
  };
}

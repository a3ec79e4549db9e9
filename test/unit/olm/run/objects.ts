// Objects as OLM makes them, as far as they are judged.
import type { KubeObject } from '../../../../src/sdk/api/index.ts';

export const namespace = 'demo';
export const now = new Date('2026-01-01T00:10:00Z');
/** Seconds before `now`, as objects write times. */
export const ago = (seconds: number): string => new Date(now.getTime() - seconds * 1000).toISOString();

const groups: Readonly<Record<string, string>> = {
  Pod: 'v1',
  Deployment: 'apps/v1',
  Job: 'batch/v1',
  CustomResourceDefinition: 'apiextensions.k8s.io/v1',
  ClusterCatalog: 'olm.operatorframework.io/v1',
  ClusterExtension: 'olm.operatorframework.io/v1',
};
const clusterScoped = /^(?:ClusterCatalog|ClusterExtension|CustomResourceDefinition)$/;

interface Fields {
  readonly metadata?: Partial<KubeObject['metadata']>;
  readonly spec?: unknown;
  readonly status?: unknown;
}

export function object(kind: string, name: string, { metadata, spec, status }: Fields = {}): KubeObject {
  const place = clusterScoped.test(kind) ? {} : { namespace };
  return {
    apiVersion: groups[kind] ?? 'operators.coreos.com/v1alpha1',
    kind,
    metadata: { name, ...place, creationTimestamp: ago(120), ...metadata },
    ...(spec === undefined ? {} : { spec }),
    ...(status === undefined ? {} : { status }),
  };
}

export const condition = (
  type: string,
  status: string,
  { reason = type, message = '', ...more }: Readonly<Record<string, unknown>> = {},
) => ({ type, status, reason, message, ...more });

/** A Pod with one container in this state. */
export const pod = (
  name: string,
  {
    labels = {},
    created = 60,
    phase = 'Running',
    ...container
  }: Readonly<Record<string, unknown>> & {
    readonly labels?: Record<string, string>;
    readonly created?: number;
  },
): KubeObject =>
  object('Pod', name, {
    metadata: { labels, creationTimestamp: ago(created) },
    status: {
      phase,
      conditions: [],
      containerStatuses: [{ name: 'manager', image: 'example.com/web:1', ready: false, ...container }],
    },
  });

export const waiting = (reason: string, message = 'why') => ({ state: { waiting: { reason, message } } });

export const deployment = (status: Readonly<Record<string, unknown>> = {}): KubeObject =>
  object('Deployment', 'web', {
    metadata: { generation: 1 },
    spec: { replicas: 1, selector: { matchLabels: { app: 'web' } } },
    status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, ...status },
  });

export const available = { availableReplicas: 1 };

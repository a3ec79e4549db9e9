import type { Resource } from '../../../../src/index.ts';
import { DaemonSet, Deployment, StatefulSet } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import { CronJob } from '../../../../src/sdk/k8s/generated/batch/v1.ts';
import {
  PersistentVolumeClaim,
  ReplicationController,
  Secret,
  Service,
} from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { Ingress, NetworkPolicy } from '../../../../src/sdk/k8s/generated/networking/v1.ts';
import { PodDisruptionBudget } from '../../../../src/sdk/k8s/generated/policy/v1.ts';

export const labels = { app: 'web' };
const template = {
  metadata: { labels },
  spec: {
    nodeSelector: { disk: 'ssd' },
    securityContext: {},
    hostNetwork: false,
    restartPolicy: 'Always' as const,
    containers: [
      {
        name: 'web',
        image: 'nginx',
        env: [
          { name: 'EMPTY', value: '' },
          { name: 'HOST', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } },
        ],
      },
    ],
  },
};
const selector = { matchLabels: labels };

interface BuiltIn {
  readonly resource: Resource;
  readonly fields: object;
  /** Merge patches of others that the API server accepts. */
  readonly edits: readonly object[];
}
const ofTemplate = (change: object): object => ({ spec: { template: { spec: change } } });
const podEdits = [
  ofTemplate({ nodeSelector: { zone: 'nowhere' } }),
  ofTemplate({ nodeSelector: null }),
  ofTemplate({ hostNetwork: true }),
  ofTemplate({ securityContext: { runAsUser: 5 } }),
  ofTemplate({ tolerations: [{ operator: 'Exists' }] }),
];
const pods = { selector, template };
export const port = { name: 'web', port: 80 };
/** Built-in kinds with maps that are one value, and with fields that are only written. */
export const builtIn: readonly BuiltIn[] = [
  {
    resource: NetworkPolicy,
    fields: {
      spec: { podSelector: {}, ingress: [{ from: [{ podSelector: selector }] }], policyTypes: ['Ingress'] },
    },
    edits: [
      { spec: { podSelector: { matchLabels: { app: 'nobody' } } } },
      { spec: { podSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } } },
      { spec: { ingress: [{}] } },
    ],
  },
  {
    resource: Service,
    fields: { spec: { selector: labels, ports: [port] } },
    edits: [
      { spec: { selector: { color: 'blue' } } },
      { spec: { selector: null } },
      { spec: { ports: [port, { name: 'b', port: 81 }] } },
    ],
  },
  {
    resource: PodDisruptionBudget,
    fields: { spec: { minAvailable: 1, selector } },
    edits: [{ spec: { selector: { matchLabels: { color: 'blue' } } } }, { spec: { minAvailable: '50%' } }],
  },
  {
    resource: Deployment,
    fields: { spec: { replicas: 0, paused: false, ...pods } },
    edits: [...podEdits, { spec: { paused: true } }],
  },
  { resource: DaemonSet, fields: { spec: pods }, edits: podEdits },
  {
    resource: StatefulSet,
    fields: { spec: { replicas: 0, serviceName: 'web', ...pods } },
    edits: podEdits,
  },
  {
    resource: ReplicationController,
    fields: { spec: { replicas: 0, selector: labels, template } },
    edits: podEdits,
  },
  {
    resource: CronJob,
    fields: {
      spec: {
        schedule: '0 0 1 1 *',
        suspend: true,
        jobTemplate: {
          spec: { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
        },
      },
    },
    edits: [
      { spec: { suspend: false } },
      { spec: { jobTemplate: { spec: { template: { spec: { nodeSelector: { zone: 'nowhere' } } } } } } },
    ],
  },
  {
    resource: Ingress,
    fields: { spec: { defaultBackend: { resource: { kind: 'Bucket', name: 'a' } } } },
    edits: [{ spec: { defaultBackend: { resource: { apiGroup: 'example.com' } } } }],
  },
  {
    resource: PersistentVolumeClaim,
    fields: {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } }, selector: {} },
    },
    edits: [{ metadata: { annotations: { other: 'x' } } }],
  },
  {
    resource: Secret,
    fields: { stringData: { password: 'right', empty: '' }, data: { key: 'YQ==' } },
    edits: [
      { data: { password: 'd3Jvbmc=' } },
      { data: null },
      { data: { empty: 'YQ==' } },
      { data: { key: 'Yg==' } },
    ],
  },
];

export const anyEdit = { metadata: { labels: { other: 'x' }, annotations: { other: 'y' } } };

import { hashOf, ownedBy, type ApplyObject } from 'opsdk';
import type { Deployment } from 'opsdk/k8s/apps/v1';
import type { ConfigMap } from 'opsdk/k8s/core/v1';
import type { KubeScheduler } from '../api/scheduling/v1alpha1/kube-scheduler.ts';
import type { schedulerConfiguration } from './scheduler-configuration.ts';

/** Where the scheduler runs. `config/operand` makes it, with the ServiceAccount and its rights. */
export const operandKey = { name: 'cluster-scheduler', namespace: 'cluster-scheduler' };

const labels = { 'app.kubernetes.io/name': 'cluster-scheduler' };
const verbosity = { Normal: 2, Debug: 4, Trace: 6, TraceAll: 8 } as const;

type Configuration = ReturnType<typeof schedulerConfiguration>;

export function desiredConfigMap(
  scheduler: KubeScheduler,
  configuration: Configuration,
): ApplyObject<ConfigMap> {
  return {
    metadata: { ...operandKey, ...ownedBy(scheduler), namespace: operandKey.namespace, labels },
    data: { 'config.yaml': `${JSON.stringify(configuration, undefined, 2)}\n` },
  };
}

/** Only the fields that the operator decides: resources, tolerations and whatever else somebody sets stay as they are. */
export function desiredDeployment(
  scheduler: KubeScheduler,
  configuration: Configuration,
): ApplyObject<Deployment> {
  const { image, replicas, logLevel = 'Normal' } = scheduler.spec;
  return {
    metadata: { ...operandKey, ...ownedBy(scheduler), namespace: operandKey.namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        // kube-scheduler reads its configuration once.
        metadata: { labels, annotations: { 'scheduling.example.com/configuration': hashOf(configuration) } },
        spec: {
          serviceAccountName: operandKey.name,
          priorityClassName: 'system-cluster-critical',
          containers: [
            {
              name: 'kube-scheduler',
              image,
              command: ['kube-scheduler'],
              args: ['--config=/etc/scheduler/config.yaml', `--v=${verbosity[logLevel]}`],
              readinessProbe: { httpGet: { path: '/readyz', port: 10259, scheme: 'HTTPS' } },
              volumeMounts: [{ name: 'config', mountPath: '/etc/scheduler', readOnly: true }],
            },
          ],
          volumes: [{ name: 'config', configMap: { name: operandKey.name } }],
        },
      },
    },
  };
}

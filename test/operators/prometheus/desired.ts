import { ownedBy, type ApplyObject } from 'opsdk';
import type { StatefulSet } from 'opsdk/k8s/apps/v1';
import type { Secret, Service } from 'opsdk/k8s/core/v1';
import type { Prometheus } from './api/prometheus.ts';
import { renderConfig, type ConfigParts } from './render-config.ts';

const port = 9090;
const reloaderImage = 'quay.io/prometheus-operator/prometheus-config-reloader:v0.85.0';

/** Returns the name of all objects of a Prometheus. */
export function nameOf({ metadata }: Prometheus): string {
  return `prometheus-${metadata.name}`;
}

function labelsOf({ metadata }: Prometheus): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': 'prometheus', 'app.kubernetes.io/instance': metadata.name ?? '' };
}

export function desiredSecret(prometheus: Prometheus, parts: ConfigParts): ApplyObject<Secret> {
  return {
    metadata: { name: nameOf(prometheus), ...ownedBy(prometheus) },
    data: { 'prometheus.yaml': Buffer.from(renderConfig(prometheus, parts)).toString('base64') },
  };
}

/** Returns the headless Service by which the Pods are found. */
export function desiredService(prometheus: Prometheus): ApplyObject<Service> {
  const labels = labelsOf(prometheus);
  return {
    metadata: { name: nameOf(prometheus), labels, ...ownedBy(prometheus) },
    spec: { clusterIP: 'None', selector: labels, ports: [{ name: 'web', port }] },
  };
}

/** Returns Pods with Prometheus, and a config reloader before and beside it. */
export function desiredStatefulSet(prometheus: Prometheus): ApplyObject<StatefulSet> {
  const { spec } = prometheus;
  const labels = labelsOf(prometheus);
  const env = [
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
  ];
  const written = { name: 'written', mountPath: '/etc/prometheus/written' };
  const reloader = {
    image: reloaderImage,
    env,
    volumeMounts: [{ name: 'config', mountPath: '/etc/prometheus/config' }, written],
  };
  const reloaderArgs = [
    '--config-file=/etc/prometheus/config/prometheus.yaml',
    '--config-envsubst-file=/etc/prometheus/written/prometheus.yaml',
  ];
  return {
    metadata: { name: nameOf(prometheus), labels, ...ownedBy(prometheus) },
    spec: {
      replicas: spec.replicas ?? 1,
      serviceName: nameOf(prometheus),
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          initContainers: [{ ...reloader, name: 'init', args: [...reloaderArgs, '--watch-interval=0'] }],
          containers: [
            {
              name: 'prometheus',
              image: `${spec.image}:${spec.version}`,
              args: [
                '--config.file=/etc/prometheus/written/prometheus.yaml',
                '--storage.tsdb.path=/prometheus',
                `--storage.tsdb.retention.time=${spec.retention}`,
                `--web.listen-address=$(POD_IP):${port}`,
                '--web.enable-lifecycle',
              ],
              env,
              ports: [{ name: 'web', containerPort: port }],
              volumeMounts: [written, { name: 'data', mountPath: '/prometheus' }],
              startupProbe: { httpGet: { path: '/-/ready', port: 'web' }, failureThreshold: 60 },
              readinessProbe: { httpGet: { path: '/-/ready', port: 'web' }, periodSeconds: 5 },
            },
            {
              ...reloader,
              name: 'config-reloader',
              args: [...reloaderArgs, `--reload-url=http://$(POD_IP):${port}/-/reload`],
            },
          ],
          volumes: [
            { name: 'config', secret: { secretName: nameOf(prometheus) } },
            { name: 'written', emptyDir: {} },
            { name: 'data', emptyDir: {} },
          ],
        },
      },
    },
  };
}

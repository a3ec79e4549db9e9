import { ownedBy, type ApplyObject } from 'opsdk';
import type { StatefulSet } from 'opsdk/k8s/apps/v1';
import type { Container, Secret, Service } from 'opsdk/k8s/core/v1';
import type { Alertmanager } from '../api/monitoring/v1/alertmanager.ts';
import { configFile, configFolder } from '../config/alertmanager-config.ts';
import {
  containerSecurityContext,
  dataVolume,
  imageOf,
  logArgs,
  pathPrefix,
  podEnv,
  pullPolicy,
  webPort,
  webProbe,
} from './pod-parts.ts';
import { reloaders } from './reloader.ts';
import { desiredPods } from './stateful-set.ts';

const port = 9093;
const clusterPort = 9094;

/** Returns the name of the Service and of the StatefulSet of an Alertmanager. */
export function alertmanagerName({ metadata }: Alertmanager): string {
  return `alertmanager-${metadata.name}`;
}

/** Returns the name of the Secret with the configuration that Pods read. */
export function generatedSecretName(alertmanager: Alertmanager): string {
  return `${alertmanagerName(alertmanager)}-generated`;
}

/** Returns the name of the Secret with the configuration that users write. */
export function configSecretName(alertmanager: Alertmanager): string {
  return alertmanager.spec.configSecret || alertmanagerName(alertmanager);
}

/** Returns the labels of everything that belongs to an Alertmanager. */
export function alertmanagerLabels({ metadata }: Alertmanager): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/name': 'alertmanager',
    'app.kubernetes.io/instance': metadata.name ?? '',
    'app.kubernetes.io/managed-by': 'prometheus-operator',
    alertmanager: metadata.name ?? '',
  };
}

/** @param data of the Secret, as base64 */
export function desiredSecret(alertmanager: Alertmanager, data: Record<string, string>): ApplyObject<Secret> {
  return {
    metadata: {
      name: generatedSecretName(alertmanager),
      labels: alertmanagerLabels(alertmanager),
      ...ownedBy(alertmanager),
    },
    data,
  };
}

/** Returns the headless Service by which the Pods find each other, also those that are not ready. */
export function desiredService(alertmanager: Alertmanager): ApplyObject<Service> {
  const labels = alertmanagerLabels(alertmanager);
  const web = webPort(alertmanager.spec);
  return {
    metadata: { name: alertmanagerName(alertmanager), labels, ...ownedBy(alertmanager) },
    spec: {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: labels,
      ports: [
        { name: web, port, targetPort: web },
        { name: 'tcp-mesh', port: clusterPort, targetPort: 'mesh-tcp' },
        { name: 'udp-mesh', port: clusterPort, targetPort: 'mesh-udp', protocol: 'UDP' },
      ],
    },
  };
}

export function desiredStatefulSet(alertmanager: Alertmanager): ApplyObject<StatefulSet> {
  const { spec } = alertmanager;
  const name = alertmanagerName(alertmanager);
  const labels = alertmanagerLabels(alertmanager);
  const data = dataVolume(spec, `${name}-db`, '/alertmanager');
  const config = { name: 'config', mountPath: configFolder, readOnly: true };
  const { sidecar } = reloaders({
    spec,
    watchedFolders: [configFolder],
    reloadUrl: `http://$(POD_IP):${port}${pathPrefix(spec)}/-/reload`,
    mounts: [config],
  });
  return desiredPods(alertmanager, {
    ...{ name, serviceName: name, labels, program: 'alertmanager', gracePeriod: 120, data },
    pod: {
      containers: [desiredContainer(alertmanager, [config, data.mount]), sidecar],
      volumes: [{ name: 'config', secret: { secretName: generatedSecretName(alertmanager) } }],
    },
  });
}

function desiredContainer(
  alertmanager: Alertmanager,
  volumeMounts: NonNullable<Container['volumeMounts']>,
): Container {
  const { spec } = alertmanager;
  return {
    name: 'alertmanager',
    image: imageOf(spec, 'quay.io/prometheus/alertmanager', spec.version),
    ...pullPolicy(spec),
    args: [...alertmanagerArgs(alertmanager)],
    env: [...podEnv],
    ports: [
      { name: webPort(spec), containerPort: port },
      { name: 'mesh-tcp', containerPort: clusterPort },
      { name: 'mesh-udp', containerPort: clusterPort, protocol: 'UDP' },
    ],
    volumeMounts: [...volumeMounts],
    ...(spec.resources && { resources: spec.resources }),
    readinessProbe: { ...webProbe(spec, 'ready'), periodSeconds: 5, failureThreshold: 10 },
    livenessProbe: { ...webProbe(spec, 'healthy'), periodSeconds: 10, failureThreshold: 10 },
    securityContext: containerSecurityContext,
  };
}

/** Returns the command line of Alertmanager. Replicas find each other by the names that the Service gives them. */
export function alertmanagerArgs(alertmanager: Alertmanager): readonly string[] {
  const { metadata, spec } = alertmanager;
  const { replicas = 1, additionalPeers = [] } = spec;
  const name = alertmanagerName(alertmanager);
  const isCluster = replicas > 1 || additionalPeers.length > 0 || spec.forceEnableClusterMode === true;
  const peers = Array.from(
    { length: replicas },
    (_, index) => `${name}-${index}.${name}.${metadata.namespace}.svc:${clusterPort}`,
  );
  return [
    `--config.file=${configFolder}/${configFile}`,
    '--storage.path=/alertmanager',
    `--data.retention=${spec.retention ?? '120h'}`,
    `--web.listen-address=$(POD_IP):${port}`,
    `--web.route-prefix=${pathPrefix(spec) || '/'}`,
    ...(spec.externalUrl ? [`--web.external-url=${spec.externalUrl}`] : []),
    `--cluster.listen-address=${isCluster ? `$(POD_IP):${clusterPort}` : ''}`,
    ...(isCluster ? ['--cluster.reconnect-timeout=5m'] : []),
    ...(isCluster ? [...peers, ...additionalPeers].map((peer) => `--cluster.peer=${peer}`) : []),
    ...(spec.clusterGossipInterval ? [`--cluster.gossip-interval=${spec.clusterGossipInterval}`] : []),
    ...(spec.clusterPushpullInterval ? [`--cluster.pushpull-interval=${spec.clusterPushpullInterval}`] : []),
    ...(spec.clusterPeerTimeout ? [`--cluster.peer-timeout=${spec.clusterPeerTimeout}`] : []),
    ...logArgs(spec),
  ];
}

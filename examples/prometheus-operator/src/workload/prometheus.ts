import { ownedBy, type ApplyObject } from 'opsdk';
import type { StatefulSet } from 'opsdk/k8s/apps/v1';
import type { ConfigMap, Container, Secret, Service } from 'opsdk/k8s/core/v1';
import type { Prometheus } from '../api/monitoring/v1/prometheus.ts';
import { configFile, configFolder, rulesFolder } from '../config/prometheus-config.ts';
import { encodeData } from '../config/render.ts';
import type { RuleFiles } from '../config/rule-files.ts';
import { ProgramVersion } from '../config/version.ts';
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

const port = 9090;
const outputFolder = '/etc/prometheus/config_out';
const outputFile = `${outputFolder}/prometheus.env.yaml`;
export const shardLabel = 'operator.prometheus.io/shard';

/** Returns the name of the Service, of the Secret and of the first StatefulSet of a Prometheus. */
export function prometheusName({ metadata }: Prometheus): string {
  return `prometheus-${metadata.name}`;
}

export function shardName(prometheus: Prometheus, shard: number): string {
  return shard === 0 ? prometheusName(prometheus) : `${prometheusName(prometheus)}-shard-${shard}`;
}

export function ruleMapName(prometheus: Prometheus, index: number): string {
  return `${prometheusName(prometheus)}-rulefiles-${index}`;
}

/** Returns the labels of everything that belongs to a Prometheus. */
export function prometheusLabels({ metadata }: Prometheus): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/name': 'prometheus',
    'app.kubernetes.io/instance': metadata.name ?? '',
    'app.kubernetes.io/managed-by': 'prometheus-operator',
    'operator.prometheus.io/name': metadata.name ?? '',
  };
}

export function desiredSecret(
  prometheus: Prometheus,
  files: ReadonlyMap<string, string>,
): ApplyObject<Secret> {
  return {
    metadata: {
      name: prometheusName(prometheus),
      labels: prometheusLabels(prometheus),
      ...ownedBy(prometheus),
    },
    data: encodeData(files),
  };
}

export function desiredRuleMap(
  prometheus: Prometheus,
  index: number,
  files: RuleFiles,
): ApplyObject<ConfigMap> {
  return {
    metadata: {
      name: ruleMapName(prometheus, index),
      labels: prometheusLabels(prometheus),
      ...ownedBy(prometheus),
    },
    data: Object.fromEntries(files),
  };
}

/** Returns the headless Service that gives the Pods their names. */
export function desiredService(prometheus: Prometheus): ApplyObject<Service> {
  const labels = prometheusLabels(prometheus);
  return {
    metadata: { name: prometheusName(prometheus), labels, ...ownedBy(prometheus) },
    spec: {
      clusterIP: 'None',
      selector: labels,
      ports: [{ name: webPort(prometheus.spec), port, targetPort: webPort(prometheus.spec) }],
    },
  };
}

/**
 * Returns the StatefulSet of a shard. Nothing in it follows from the monitors, so that their changes restart no Pod.
 *
 * @param ruleMaps number of ConfigMaps with rule files
 */
export function desiredShard(
  prometheus: Prometheus,
  shard: number,
  ruleMaps: number,
): ApplyObject<StatefulSet> {
  const { spec } = prometheus;
  const name = shardName(prometheus, shard);
  const labels = { ...prometheusLabels(prometheus), [shardLabel]: String(shard) };
  const data = dataVolume(spec, `${prometheusName(prometheus)}-db`, '/prometheus');
  const rules = Array.from({ length: ruleMaps }, (_, index) => ruleMapName(prometheus, index));
  const config = { name: 'config', mountPath: configFolder, readOnly: true };
  const output = { name: 'config-out', mountPath: outputFolder };
  const ruleMounts = rules.map((each) => ({
    name: each,
    mountPath: `${rulesFolder}/${each}`,
    readOnly: true,
  }));
  const { init, sidecar } = reloaders({
    spec,
    configFile: `${configFolder}/${configFile}`,
    outputFile,
    watchedFolders: rules.map((each) => `${rulesFolder}/${each}`),
    reloadUrl: `http://$(POD_IP):${port}${pathPrefix(spec)}/-/reload`,
    mounts: [config, output, ...ruleMounts],
    env: [{ name: 'SHARD', value: String(shard) }],
  });
  return desiredPods(prometheus, {
    ...{ name, serviceName: prometheusName(prometheus), labels, program: 'prometheus', data },
    // Prometheus writes its head block when it ends.
    gracePeriod: 600,
    pod: {
      initContainers: [init],
      containers: [
        desiredContainer(prometheus, [config, { ...output, readOnly: true }, ...ruleMounts, data.mount]),
        sidecar,
      ],
      volumes: [
        { name: 'config', secret: { secretName: prometheusName(prometheus) } },
        { name: 'config-out', emptyDir: { medium: 'Memory' } },
        ...rules.map((each) => ({ name: each, configMap: { name: each } })),
      ],
    },
  });
}

function desiredContainer(
  { spec }: Prometheus,
  volumeMounts: NonNullable<Container['volumeMounts']>,
): Container {
  return {
    name: 'prometheus',
    image: imageOf(spec, 'quay.io/prometheus/prometheus', spec.version),
    ...pullPolicy(spec),
    args: [...prometheusArgs(spec)],
    env: [...podEnv],
    ports: [{ name: webPort(spec), containerPort: port }],
    volumeMounts: [...volumeMounts],
    ...(spec.resources && { resources: spec.resources }),
    // A replay of the write-ahead log takes its time.
    startupProbe: { ...webProbe(spec, 'ready'), periodSeconds: 3, failureThreshold: 300 },
    readinessProbe: { ...webProbe(spec, 'ready'), periodSeconds: 5, failureThreshold: 3 },
    livenessProbe: { ...webProbe(spec, 'healthy'), periodSeconds: 5, failureThreshold: 6 },
    securityContext: containerSecurityContext,
  };
}

/** Returns the command line of Prometheus. */
export function prometheusArgs(spec: Prometheus['spec']): readonly string[] {
  const version = new ProgramVersion('Prometheus', spec.version ?? '');
  const { retention = spec.retentionSize ? '' : '24h', retentionSize, enableFeatures = [] } = spec;
  return [
    `--config.file=${outputFile}`,
    '--storage.tsdb.path=/prometheus',
    ...(retention ? [`--storage.tsdb.retention.time=${retention}`] : []),
    ...(retentionSize ? [`--storage.tsdb.retention.size=${retentionSize}`] : []),
    ...(spec.walCompression === false ? ['--no-storage.tsdb.wal-compression'] : []),
    `--web.listen-address=$(POD_IP):${port}`,
    // For kubectl port-forward; earlier versions listen on one address.
    ...(version.isAtLeast('3.0.0') ? [`--web.listen-address=127.0.0.1:${port}`] : []),
    '--web.enable-lifecycle',
    `--web.route-prefix=${pathPrefix(spec) || '/'}`,
    ...(spec.externalUrl ? [`--web.external-url=${spec.externalUrl}`] : []),
    ...(spec.enableAdminAPI === true ? ['--web.enable-admin-api'] : []),
    ...(spec.enableRemoteWriteReceiver === true ? ['--web.enable-remote-write-receiver'] : []),
    ...(enableFeatures.length > 0 ? [`--enable-feature=${enableFeatures.join(',')}`] : []),
    ...logArgs(spec),
  ];
}

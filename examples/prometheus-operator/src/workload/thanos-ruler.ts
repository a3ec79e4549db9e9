import { ownedBy, type ApplyObject } from 'opsdk';
import type { StatefulSet } from 'opsdk/k8s/apps/v1';
import type { ConfigMap, Container, EnvVar, SecretKeySelector, Service } from 'opsdk/k8s/core/v1';
import type { ThanosRuler } from '../api/monitoring/v1/thanos-ruler.ts';
import type { RuleFiles } from '../config/rule-files.ts';
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

const httpPort = 10902;
const grpcPort = 10901;
const rulesFolder = '/etc/thanos/rules';
const replicaLabel = 'thanos_ruler_replica';

/** Returns the name of the Service and of the StatefulSet of a ThanosRuler. */
export function thanosRulerName({ metadata }: ThanosRuler): string {
  return `thanos-ruler-${metadata.name}`;
}

export function ruleMapName(ruler: ThanosRuler, index: number): string {
  return `${thanosRulerName(ruler)}-rulefiles-${index}`;
}

/** Returns the labels of everything that belongs to a ThanosRuler. */
export function thanosRulerLabels({ metadata }: ThanosRuler): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/name': 'thanos-ruler',
    'app.kubernetes.io/instance': metadata.name ?? '',
    'app.kubernetes.io/managed-by': 'prometheus-operator',
    'thanos-ruler': metadata.name ?? '',
  };
}

export function desiredRuleMap(ruler: ThanosRuler, index: number, files: RuleFiles): ApplyObject<ConfigMap> {
  return {
    metadata: { name: ruleMapName(ruler, index), labels: thanosRulerLabels(ruler), ...ownedBy(ruler) },
    data: Object.fromEntries(files),
  };
}

/** Returns the headless Service that gives the Pods their names. Queriers find them by its port `grpc`. */
export function desiredService(ruler: ThanosRuler): ApplyObject<Service> {
  const labels = thanosRulerLabels(ruler);
  const web = webPort(ruler.spec);
  return {
    metadata: { name: thanosRulerName(ruler), labels, ...ownedBy(ruler) },
    spec: {
      clusterIP: 'None',
      selector: labels,
      ports: [
        { name: web, port: httpPort, targetPort: web },
        { name: 'grpc', port: grpcPort, targetPort: 'grpc' },
      ],
    },
  };
}

/** @param ruleMaps number of ConfigMaps with rule files */
export function desiredStatefulSet(ruler: ThanosRuler, ruleMaps: number): ApplyObject<StatefulSet> {
  const { spec } = ruler;
  const name = thanosRulerName(ruler);
  const labels = thanosRulerLabels(ruler);
  const data = dataVolume(spec, `${name}-data`, '/thanos/data');
  const rules = Array.from({ length: ruleMaps }, (_, index) => ruleMapName(ruler, index));
  const mounts = rules.map((each) => ({ name: each, mountPath: `${rulesFolder}/${each}`, readOnly: true }));
  const { sidecar } = reloaders({
    spec,
    watchedFolders: rules.map((each) => `${rulesFolder}/${each}`),
    reloadUrl: `http://$(POD_IP):${httpPort}${pathPrefix(spec)}/-/reload`,
    mounts,
  });
  return desiredPods(ruler, {
    ...{ name, serviceName: name, labels, program: 'thanos-ruler', gracePeriod: 120, data },
    pod: {
      containers: [desiredContainer(ruler, [...mounts, data.mount]), sidecar],
      volumes: rules.map((each) => ({ name: each, configMap: { name: each } })),
    },
  });
}

function desiredContainer(
  ruler: ThanosRuler,
  volumeMounts: NonNullable<Container['volumeMounts']>,
): Container {
  const { spec } = ruler;
  const { args, env } = secretArgs(spec);
  return {
    name: 'thanos-ruler',
    image: imageOf(spec, 'quay.io/thanos/thanos', spec.version),
    ...pullPolicy(spec),
    args: ['rule', ...thanosRulerArgs(spec), ...args],
    env: [...podEnv, ...env],
    ports: [
      { name: webPort(spec), containerPort: httpPort },
      { name: 'grpc', containerPort: grpcPort },
    ],
    volumeMounts: [...volumeMounts],
    ...(spec.resources && { resources: spec.resources }),
    readinessProbe: { ...webProbe(spec, 'ready'), periodSeconds: 5, failureThreshold: 10 },
    livenessProbe: { ...webProbe(spec, 'healthy'), periodSeconds: 10, failureThreshold: 10 },
    securityContext: containerSecurityContext,
  };
}

/** Returns flags whose values are keys of Secrets: the kubelet puts them in place, so that no object has them. */
function secretArgs(spec: ThanosRuler['spec']): { readonly args: string[]; readonly env: readonly EnvVar[] } {
  const sources: readonly (readonly [flag: string, name: string, key: SecretKeySelector | undefined])[] = [
    ['query.config', 'QUERY_CONFIG', spec.queryConfig],
    ['alertmanagers.config', 'ALERTMANAGERS_CONFIG', spec.alertmanagersConfig],
    ['objstore.config', 'OBJSTORE_CONFIG', spec.objectStorageConfig],
  ];
  const present = sources.flatMap(([flag, name, key]) => (key === undefined ? [] : [{ flag, name, key }]));
  return {
    args: present.map(({ flag, name }) => `--${flag}=$(${name})`),
    env: present.map(({ name, key }) => ({ name, valueFrom: { secretKeyRef: key } })),
  };
}

/** Returns the command line of the ruler, without what comes from Secrets. */
export function thanosRulerArgs(spec: ThanosRuler['spec']): readonly string[] {
  const { alertDropLabels = [], alertmanagersUrl = [], labels = {}, queryEndpoints = [] } = spec;
  return [
    '--data-dir=/thanos/data',
    `--eval-interval=${spec.evaluationInterval || '15s'}`,
    `--tsdb.retention=${spec.retention || '24h'}`,
    `--http-address=$(POD_IP):${httpPort}`,
    `--grpc-address=$(POD_IP):${grpcPort}`,
    `--web.route-prefix=${pathPrefix(spec) || '/'}`,
    `--rule-file=${rulesFolder}/*/*.yaml`,
    `--label=${replicaLabel}="$(POD_NAME)"`,
    ...Object.entries(labels)
      .filter(([name]) => name !== replicaLabel)
      .map(([name, value]) => `--label=${name}=${JSON.stringify(value)}`),
    ...[replicaLabel, ...alertDropLabels].map((label) => `--alert.label-drop=${label}`),
    ...(spec.queryConfig === undefined ? queryEndpoints.map((each) => `--query=${each}`) : []),
    ...(spec.alertmanagersConfig === undefined
      ? alertmanagersUrl.map((each) => `--alertmanagers.url=${each}`)
      : []),
    ...(spec.alertQueryUrl ? [`--alert.query-url=${spec.alertQueryUrl}`] : []),
    ...logArgs(spec),
  ];
}

/** Returns what keeps a ruler from starting. */
export function thanosRulerProblems({ spec }: ThanosRuler): readonly string[] {
  const problems: string[] = [];
  if (spec.queryConfig === undefined && (spec.queryEndpoints ?? []).length === 0)
    problems.push('spec: expected one of queryEndpoints and queryConfig');
  for (const label of Object.keys(spec.labels ?? {}))
    if (!/^[a-zA-Z_]\w*$/.test(label))
      problems.push(`spec.labels.${label}: expected the name of a label, got "${label}"`);
  return problems;
}

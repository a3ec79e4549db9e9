import { kubernetesSchema, type JsonSchema as Schema } from './kubernetes-schema.ts';
import type { ManagerValues } from './manager.ts';

/** Settings that a chart has only if deploy's objects have the parts that they are about. */
export interface ChartFeatures {
  readonly hasMetrics: boolean;
  readonly hasNetworkPolicies: boolean;
  readonly hasMonitoring: boolean;
  readonly hasDashboard: boolean;
  readonly hasDefinitions: boolean;
}

const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more });
const flag = (description: string): Schema => ({ type: 'boolean', description });
const map = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
});
/** Names of labels and annotations. Source: apimachinery, pkg/util/validation, `IsQualifiedName`. */
const qualifiedName = String.raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$`;
const labelValue = String.raw`^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$`;
const label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
const subdomain = String.raw`[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`;

/** Returns the schema of labels or annotations. @param value schema of each value */
const named = (description: string, value: Schema): Schema => ({
  type: 'object',
  description,
  // With `propertyNames`, Helm names the wrong place.
  patternProperties: { [qualifiedName]: { type: 'string', ...value } },
  additionalProperties: false,
});
const labels = (description: string): Schema => named(description, { pattern: labelValue });
const listOf = (type: string): Schema => ({ type: 'array', items: kubernetesSchema(type) });

/** Returns the JSON schema of the values of a chart, by which Helm refuses values that it does not know. */
export function valuesSchema(values: Pick<ManagerValues, 'isNamespaced'>, has: ChartFeatures): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...map({
      // Helm sets it for charts that depend on this one.
      global: { type: 'object' },
      nameOverride: text('in place of the name of the chart in names', { pattern: `^(${label})?$` }),
      fullnameOverride: text('in place of the name of release and chart in names', {
        pattern: `^(${label})?$`,
      }),
      image: map({
        repository: text('image without tag', { pattern: String.raw`^[a-z0-9][\w.:/-]*$` }),
        tag: text('the version of the chart if empty', { pattern: String.raw`^(\w[\w.-]{0,127})?$` }),
        digest: text('in place of the tag', { pattern: '^(sha256:[0-9a-f]{64})?$' }),
        pullPolicy: text('decided by Kubernetes if empty', { enum: ['', 'Always', 'IfNotPresent', 'Never'] }),
      }),
      imagePullSecrets: {
        type: 'array',
        items: { ...map({ name: { type: 'string', pattern: `^${subdomain}$` } }), required: ['name'] },
      },
      replicas: { type: 'integer', minimum: 0, description: 'Pods of the operator, of which one leads' },
      resources: kubernetesSchema('ResourceRequirements'),
      nodeOptions: text('NODE_OPTIONS: the heap belongs to resources.limits.memory'),
      nodeSelector: labels('labels of the nodes that Pods run on'),
      tolerations: listOf('Toleration'),
      affinity: kubernetesSchema('Affinity'),
      topologySpreadConstraints: listOf('TopologySpreadConstraint'),
      priorityClassName: text('PriorityClass of the Pods', { pattern: `^(${subdomain})?$` }),
      terminationGracePeriodSeconds: { type: 'integer', minimum: 0 },
      podAnnotations: named('annotations of the Pods', {}),
      podLabels: labels('labels of the Pods'),
      podSecurityContext: kubernetesSchema('PodSecurityContext'),
      securityContext: kubernetesSchema('SecurityContext'),
      extraArgs: {
        type: 'array',
        items: { type: 'string' },
        description: 'further arguments of the operator',
      },
      extraEnv: listOf('EnvVar'),
      ...(values.isNamespaced
        ? {}
        : {
            watchNamespaces: {
              type: 'array',
              items: { type: 'string', pattern: `^${label}$` },
              description: 'namespaces that the operator watches; all if empty',
            },
          }),
      leaderElection: map({ enabled: flag('one Pod works at a time; needed with more than one replica') }),
      ...(has.hasMetrics ? { metrics: map({ enabled: flag('serve metrics') }) } : {}),
      ...(has.hasNetworkPolicies ? { networkPolicy: map({ enabled: flag('create NetworkPolicies') }) } : {}),
      ...(has.hasMonitoring || has.hasDashboard
        ? {
            monitoring: map({
              ...(has.hasMonitoring ? { enabled: flag('objects for the Prometheus Operator') } : {}),
              ...(has.hasDashboard ? { dashboard: flag('a ConfigMap for the sidecar of Grafana') } : {}),
            }),
          }
        : {}),
      serviceAccount: map({
        create: flag('create the ServiceAccount'),
        name: text('its name; made from that of the release if empty', { pattern: `^(${subdomain})?$` }),
        annotations: named('annotations of the ServiceAccount', {}),
      }),
      rbac: map({
        create: flag('create roles and bindings'),
        userRoles: flag('create the roles that administrators may grant to users'),
      }),
      ...(has.hasDefinitions
        ? {
            crds: map({
              install: flag('create and update the CustomResourceDefinitions'),
              keep: flag('keep them, and with them all objects of their kinds, when the release is removed'),
            }),
          }
        : {}),
    }),
  };
}

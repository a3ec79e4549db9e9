import { jsonMapOf } from '../../base/util/json-map.ts';
import { accepts } from './accepts.ts';
import { kubernetesSchema } from './kubernetes-schema.ts';
import type { ManagerValues } from './manager.ts';
import { forms, type JsonSchema as Schema } from './type-rules.ts';

/** Features of the operator. A chart has the settings of a feature only if the objects of `deploy` include the feature. */
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
/**
 * Returns the schema of labels or annotations.
 *
 * @param value schema of each value
 * @param own names that the chart sets itself and that values must not set, because selectors depend on them
 */
const named = (description: string, value: Schema, own: readonly string[] = []): Schema => ({
  type: 'object',
  description,
  // With `propertyNames`, Helm would report the wrong path.
  ...(own.length === 0 ? {} : { properties: Object.fromEntries(own.map((name) => [name, false])) }),
  patternProperties: { [forms.qualifiedName.pattern]: { type: 'string', ...value } },
  additionalProperties: false,
});
const labels = (description: string, own?: readonly string[]): Schema =>
  named(description, forms.labelValue, own);
const listOf = (type: string): Schema => ({ type: 'array', items: kubernetesSchema(type) });

/** Returns the schema of additional environment variables. Their names must differ from those that the chart sets itself. */
function variables(own: readonly string[]): Schema {
  const variable = kubernetesSchema('EnvVar');
  const properties = variable['properties'] as Readonly<Record<string, Schema>>;
  const name = { ...properties['name'], not: { enum: own } };
  return { type: 'array', items: { ...variable, properties: { ...properties, name } } };
}

/**
 * Returns the JSON schema of the values of a chart, by which Helm refuses values that it or the API server does not accept. Where
 * config/default itself has what the schema does not know, such as huge pages, only the type of the value is checked.
 */
export function valuesSchema(
  values: Pick<ManagerValues, 'isNamespaced' | 'ownNames'> & Partial<ManagerValues>,
  has: ChartFeatures,
): Schema {
  const schema = strictSchema(values, has);
  const properties = Object.entries(jsonMapOf(schema['properties'])).map(([name, each]) => {
    const value = values[name as keyof ManagerValues];
    if (value === undefined || !isSettable(name) || accepts(each, value)) return [name, each] as const;
    const { type, description } = jsonMapOf(each);
    return [name, { type, ...(description === undefined ? {} : { description }) }] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Returns true for a value that {@link ManagerValues} has as the chart has it. */
function isSettable(name: string): boolean {
  return name !== 'leaderElection' && name !== 'metrics';
}

function strictSchema(values: Pick<ManagerValues, 'isNamespaced' | 'ownNames'>, has: ChartFeatures): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...map({
      // Helm sets it for charts that depend on this one.
      global: { type: 'object' },
      enabled: flag('has no effect here: the condition under which a chart that depends on this one has it'),
      nameOverride: text('in place of the name of the chart in names', forms.labelOrNone),
      fullnameOverride: text('in place of the name of release and chart in names', forms.letterLabelOrNone),
      image: map({
        repository: text('image without tag', { pattern: String.raw`^[a-z0-9][\w.:/-]*$` }),
        tag: text('the version of the chart if empty', { pattern: String.raw`^(\w[\w.-]{0,127})?$` }),
        digest: text('in place of the tag', { pattern: '^(sha256:[0-9a-f]{64})?$' }),
        pullPolicy: text('decided by Kubernetes if empty', { enum: ['', 'Always', 'IfNotPresent', 'Never'] }),
      }),
      imagePullSecrets: {
        type: 'array',
        items: { ...map({ name: { type: 'string', ...forms.subdomain } }), required: ['name'] },
      },
      ...podProperties(values.ownNames),
      ...(values.isNamespaced
        ? {}
        : {
            watchNamespaces: {
              type: 'array',
              items: { type: 'string', ...forms.label },
              description: 'namespaces that the operator watches; all if empty',
            },
          }),
      leaderElection: map({ enabled: flag('one Pod works at a time; needed with more than one replica') }),
      ...featureProperties(has),
      serviceAccount: map({
        create: flag('create the ServiceAccount'),
        name: text('its name; made from that of the release if empty', forms.subdomainOrNone),
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

/** Returns the schemas of settings of the operator's Pods and container. */
function podProperties(ownNames: ManagerValues['ownNames']): Readonly<Record<string, Schema>> {
  return {
    replicas: {
      type: 'integer',
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Pods of the operator, of which one leads',
    },
    resources: kubernetesSchema('ResourceRequirements'),
    nodeOptions: text('NODE_OPTIONS: the heap belongs to resources.limits.memory'),
    nodeSelector: labels('labels of the nodes that Pods run on'),
    tolerations: listOf('Toleration'),
    affinity: kubernetesSchema('Affinity'),
    topologySpreadConstraints: listOf('TopologySpreadConstraint'),
    priorityClassName: text('PriorityClass of the Pods', forms.subdomainOrNone),
    terminationGracePeriodSeconds: { type: 'integer', minimum: 0 },
    podAnnotations: named('annotations of the Pods', {}, ownNames.annotations),
    podLabels: labels('labels of the Pods', ownNames.labels),
    podSecurityContext: kubernetesSchema('PodSecurityContext'),
    securityContext: kubernetesSchema('SecurityContext'),
    extraArgs: {
      type: 'array',
      items: { type: 'string' },
      description: 'further arguments of the operator',
    },
    extraEnv: variables(ownNames.variables),
  };
}

/** Returns the schemas of settings of optional features. */
function featureProperties(has: ChartFeatures): Readonly<Record<string, Schema>> {
  return {
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
  };
}

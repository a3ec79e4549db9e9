import { jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../base/util/json-map.ts';
import type { ManifestObject } from '../../kubernetes/yaml/index.ts';
import { podOf } from './certificate-parts.ts';
import { withProviders, type CertificateChoice } from './certificates.ts';
import type { ReleaseNames } from './release-names.ts';
import { block, entries, optional, Placed, scalar } from './template-text.ts';

/** Values of the chart. Their defaults are the settings of config/default. */
export interface ManagerValues {
  readonly image: { readonly repository: string; readonly tag: string; readonly digest: string };
  readonly pullPolicy: string;
  readonly imagePullSecrets: readonly unknown[];
  /** Undefined if config/default leaves the number to others, such as a HorizontalPodAutoscaler. */
  readonly replicas: number | undefined;
  readonly resources: JsonMap;
  readonly nodeSelector: JsonMap;
  readonly tolerations: readonly unknown[];
  readonly affinity: JsonMap;
  readonly topologySpreadConstraints: readonly unknown[];
  readonly priorityClassName: string;
  readonly terminationGracePeriodSeconds: number;
  readonly podSecurityContext: JsonMap;
  readonly securityContext: JsonMap;
  readonly nodeOptions: string;
  readonly leaderElection: boolean;
  /** Namespaces that the operator watches; undefined if config/default determines them by something other than a list. */
  readonly watchNamespaces: readonly string[];
  /** True if the operator watches only the namespace of its release when the list is empty; false if it then watches all namespaces. */
  readonly isNamespaced: boolean;
  readonly metrics: boolean;
  /** Names of labels, annotations and variables of the Pods that the chart sets itself. */
  readonly ownNames: {
    readonly labels: readonly string[];
    readonly annotations: readonly string[];
    readonly variables: readonly string[];
  };
}

const managerName = 'manager';
const leaderElect = '--leader-elect';
const metricsAddress = '--metrics-bind-address';
const noMetrics = `${metricsAddress}=0`;

/**
 * Returns the Deployment of the operator: the one whose container is `manager`, otherwise the first one. Of several, the one that has the
 * name of the scaffolded Deployment.
 */
export function managerOf(objects: readonly ManifestObject[]): ManifestObject | undefined {
  const deployments = objects.filter(({ kind }) => kind === 'Deployment');
  const managers = deployments.filter((deployment) =>
    containersOf(deployment).some((container) => container['name'] === managerName),
  );
  return (
    managers.find(({ metadata }) => metadata.name.includes('controller-manager')) ??
    managers[0] ??
    deployments[0]
  );
}

function containersOf(deployment: ManifestObject): readonly JsonMap[] {
  return jsonListOf(podOf(deployment)['containers']).map((each) => jsonMapOf(each));
}

function managerContainer(deployment: ManifestObject): JsonMap {
  const containers = containersOf(deployment);
  return containers.find(({ name }) => name === managerName) ?? containers[0] ?? {};
}

/**
 * Reads the values of a chart from the Deployment of the operator. Objects of the chart that it names are no values, as their names are
 * those of the release.
 */
export function managerValues(
  deployment: ManifestObject,
  objects: readonly ManifestObject[] = [],
): ManagerValues {
  const pod = podOf(deployment);
  const container = managerContainer(deployment);
  const env = envOf(container);
  const watched = env.find(({ name }) => name === watchNamespace);
  const args = argsOf(container);
  const { replicas } = jsonMapOf(deployment['spec']);
  const list = jsonTextOf(watched?.['value']).trim();
  const podMetadata = jsonMapOf(jsonMapOf(jsonMapOf(deployment['spec'])['template'])['metadata']);
  return {
    image: partsOfImage(imageOf(deployment)),
    pullPolicy: jsonTextOf(container['imagePullPolicy']),
    imagePullSecrets: jsonListOf(pod['imagePullSecrets']).filter(
      (each) => !hasObject(objects, 'Secret', jsonMapOf(each)['name']),
    ),
    replicas: typeof replicas === 'number' ? replicas : undefined,
    resources: jsonMapOf(container['resources']),
    nodeSelector: jsonMapOf(pod['nodeSelector']),
    tolerations: jsonListOf(pod['tolerations']),
    affinity: jsonMapOf(pod['affinity']),
    topologySpreadConstraints: jsonListOf(pod['topologySpreadConstraints']),
    priorityClassName: hasObject(objects, 'PriorityClass', pod['priorityClassName'])
      ? ''
      : jsonTextOf(pod['priorityClassName']),
    terminationGracePeriodSeconds: numberOf(pod['terminationGracePeriodSeconds'], 30),
    podSecurityContext: jsonMapOf(pod['securityContext']),
    securityContext: jsonMapOf(container['securityContext']),
    nodeOptions: jsonTextOf(env.find(({ name }) => name === nodeOptions)?.['value']),
    leaderElection: args.some(isLeading),
    watchNamespaces: list === '' ? [] : list.split(',').map((each) => each.trim()),
    isNamespaced: watched?.['valueFrom'] !== undefined,
    metrics: args.some((arg) => arg.startsWith(`${metricsAddress}=`) && arg !== noMetrics),
    ownNames: {
      labels: [...Object.keys(jsonMapOf(podMetadata['labels'])), 'app.kubernetes.io/instance'],
      annotations: Object.keys(jsonMapOf(podMetadata['annotations'])),
      variables: [...new Set([...env.map(({ name }) => jsonTextOf(name)), nodeOptions, watchNamespace])],
    },
  };
}

function hasObject(objects: readonly ManifestObject[], kind: string, name: unknown): boolean {
  return objects.some((object) => object.kind === kind && object.metadata.name === name);
}

const watchNamespace = 'WATCH_NAMESPACE';
const nodeOptions = 'NODE_OPTIONS';

/** Returns the image of the operator. */
export function imageOf(deployment: ManifestObject): string {
  return jsonTextOf(managerContainer(deployment)['image']);
}

/**
 * Returns the source of the namespaces that the operator watches: the namespace of the release, or the values. Undefined if config/default
 * determines them in another way.
 */
export function watchScope(deployment: ManifestObject): 'release' | 'values' | undefined {
  const watched = envOf(managerContainer(deployment)).find(({ name }) => name === watchNamespace);
  const from = watched?.['valueFrom'];
  if (from === undefined) return 'values';
  const { fieldPath } = jsonMapOf(jsonMapOf(from)['fieldRef']);
  return fieldPath === 'metadata.namespace' ? 'release' : undefined;
}

/**
 * Returns the Deployment with the values of a release in the places that they set. Parts of both providers of certificates are in it if
 * a value chooses one.
 */
export function templatedManager(
  deployment: ManifestObject,
  {
    chart,
    objects,
    names,
    certificates,
  }: {
    readonly chart: string;
    readonly objects: readonly ManifestObject[];
    readonly names: ReleaseNames;
    readonly certificates: CertificateChoice | undefined;
  },
): unknown {
  const spec = jsonMapOf(deployment['spec']);
  const template = jsonMapOf(spec['template']);
  const metadata = jsonMapOf(template['metadata']);
  const name = managerContainer(deployment)['name'];
  const pod = podOf(deployment);
  const ownSecrets = jsonListOf(pod['imagePullSecrets']).filter((each) =>
    hasObject(objects, 'Secret', jsonMapOf(each)['name']),
  );
  const priority = jsonTextOf(pod['priorityClassName']);
  return {
    ...deployment,
    spec: {
      ...spec,
      replicas:
        spec['replicas'] === undefined
          ? optional('if not (kindIs "invalid" .Values.replicas)', scalar('.Values.replicas'))
          : scalar('.Values.replicas'),
      template: {
        ...template,
        metadata: {
          ...metadata,
          annotations: withMore(jsonMapOf(metadata['annotations']), '.Values.podAnnotations'),
          labels: withMore(jsonMapOf(metadata['labels']), '.Values.podLabels'),
        },
        spec: {
          ...withProviders(pod, ['volumes'], certificates),
          affinity: whereSet('.Values.affinity'),
          containers: jsonListOf(pod['containers'])
            .map((each) => jsonMapOf(each))
            .map((each) =>
              each['name'] === name
                ? withoutEmptyEnv(
                    withProviders(
                      templatedContainer(each, chart),
                      ['args', 'env', 'volumeMounts'],
                      certificates,
                    ),
                  )
                : each,
            ),
          imagePullSecrets:
            ownSecrets.length === 0
              ? whereSet('.Values.imagePullSecrets')
              : [...ownSecrets, entries('.Values.imagePullSecrets')],
          nodeSelector: whereSet('.Values.nodeSelector'),
          priorityClassName: hasObject(objects, 'PriorityClass', priority)
            ? scalar(`default ${names.expressionOf(priority)} .Values.priorityClassName | quote`)
            : optional('with .Values.priorityClassName', scalar('. | quote')),
          securityContext: whereSet('.Values.podSecurityContext'),
          serviceAccountName: scalar(`include "${chart}.serviceAccountName" . | quote`),
          terminationGracePeriodSeconds: scalar('.Values.terminationGracePeriodSeconds'),
          tolerations: whereSet('.Values.tolerations'),
          topologySpreadConstraints: whereSet('.Values.topologySpreadConstraints'),
        },
      },
    },
  };
}

/** Leaves out the list of variables where a release has none. */
function withoutEmptyEnv(container: JsonMap): JsonMap {
  const conditions = jsonListOf(container['env']).map((item) =>
    item instanceof Placed && 'block' in item.part ? item.part.block?.replace(/^(if|with) /, '') : undefined,
  );
  if (conditions.includes(undefined)) return container;
  const any = conditions.map((condition) => `(${condition ?? ''})`).join(' ');
  return { ...container, env: optional(`if or ${any}`, container['env']) };
}

/** An entry that is there if its value is not empty. */
function whereSet(values: string): unknown {
  return optional(`with ${values}`, block('toYaml .'));
}

/** Returns a map with additional entries from the values. */
function withMore(own: JsonMap, values: string): unknown {
  return Object.keys(own).length === 0 ? whereSet(values) : { ...own, zz: entries(values) };
}

function templatedContainer(container: JsonMap, chart: string): JsonMap {
  const image = container['image'];
  const own = envOf(container);
  const env = own.flatMap((entry) => templatedVariable(entry, image, chart));
  const added = [
    ...(own.some(({ name }) => name === nodeOptions) ? [] : [givenNodeOptions]),
    ...(own.some(({ name }) => name === watchNamespace) ? [] : [watchedNamespaces]),
  ];
  return {
    ...container,
    args: [...templatedArguments(argsOf(container)), entries('.Values.extraArgs')],
    env: [...env, ...added, entries('.Values.extraEnv')],
    image: scalar(`include "${chart}.image" . | quote`),
    imagePullPolicy: optional('with .Values.image.pullPolicy', scalar('.')),
    resources: whereSet('.Values.resources'),
    securityContext: whereSet('.Values.securityContext'),
  };
}

const joined = scalar(`join "," .Values.watchNamespaces | quote`);
const watchedNamespaces = optional('if .Values.watchNamespaces', { name: watchNamespace, value: joined });
const options = scalar('.Values.nodeOptions | quote');
const givenNodeOptions = optional('if .Values.nodeOptions', { name: nodeOptions, value: options });

/** Returns a variable in its place, as later ones may mention it. */
function templatedVariable(entry: JsonMap, image: unknown, chart: string): readonly unknown[] {
  const { name, value, valueFrom } = entry;
  if (name === nodeOptions && valueFrom !== undefined)
    return [givenNodeOptions, optional('if not .Values.nodeOptions', entry)];
  if (name === nodeOptions) return [{ name, value: options }];
  if (name === watchNamespace && valueFrom === undefined) return [{ name, value: joined }];
  // The operator starts Pods of its own image.
  if (value === image) return [{ name, value: scalar(`include "${chart}.image" . | quote`) }];
  return [entry];
}

function templatedArguments(args: readonly string[]): readonly unknown[] {
  const templated = args.map((arg) => {
    if (isLeading(arg)) return optional('if .Values.leaderElection.enabled', arg);
    if (arg === `${leaderElect}=false`) return optional('if not .Values.leaderElection.enabled', arg);
    if (arg.startsWith(`${metricsAddress}=`) && arg !== noMetrics)
      return optional('if .Values.metrics.enabled', arg);
    return arg;
  });
  return args.some(isLeading)
    ? templated
    : [...templated, optional('if .Values.leaderElection.enabled', leaderElect)];
}

function isLeading(arg: string): boolean {
  return arg === leaderElect || arg === `${leaderElect}=true`;
}

function argsOf(container: JsonMap): readonly string[] {
  return jsonListOf(container['args']).map((arg) => jsonTextOf(arg));
}

function envOf(container: JsonMap): readonly JsonMap[] {
  return jsonListOf(container['env']).map((entry) => jsonMapOf(entry));
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

/** Splits the reference of an image as it is written. */
function partsOfImage(reference: string): ManagerValues['image'] {
  const [, repository = reference, tag = '', digest = ''] =
    /^(.*?)(?::([\w][\w.-]*))?(?:@(.*))?$/.exec(reference) ?? [];
  return { repository, tag, digest };
}

import { isJsonMap, jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../base/util/json-map.ts';
import type { ManifestObject } from '../../kubernetes/yaml/index.ts';
import { callsService } from './certificate-parts.ts';
import {
  certManagerChosen,
  injectedFrom,
  injection,
  providerCondition,
  type CertificateChoice,
} from './certificates.ts';
import { imageOf, managerValues, templatedManager, watchScope } from './manager.ts';
import type { ReleaseNames } from './release-names.ts';
import { block, included, optional, Placed, scalar, helmText } from './template-text.ts';

/** An object of the chart in a file of its own, with the condition under which a release has it. */
export interface ChartObject {
  /** Path below `templates`. */
  readonly path: string;
  /** Condition in Helm's language; undefined for an object that each release has. */
  readonly condition: string | undefined;
  /** The object as a template. */
  readonly text: string;
  /** Contents of further files that the template reads, by their paths in the chart. */
  readonly files: ReadonlyMap<string, string>;
}

/** Objects of the operator that the chart treats in a special way. */
interface ChartParts {
  /** Name of the chart, which is the prefix of its named templates. */
  readonly chart: string;
  /** Prefix of the names in config/default. */
  readonly operator: string;
  readonly manager: ManifestObject;
  readonly objects: readonly ManifestObject[];
  readonly names: ReleaseNames;
  /** Providers of the webhook certificate; undefined if the values offer no choice. */
  readonly certificates: CertificateChoice | undefined;
}

const nameLabel = 'app.kubernetes.io/name';
/** Labels that the named template `releaseLabels` writes. */
const releaseLabels = ['app.kubernetes.io/instance', 'app.kubernetes.io/managed-by', 'helm.sh/chart'];
const instance = { 'app.kubernetes.io/instance': scalar('.Release.Name | quote') };

/** Returns the files of all objects but the operator's Namespace, which Helm creates with `--create-namespace`. */
export function chartObjects(parts: ChartParts): readonly ChartObject[] {
  const taken = new Set<string>();
  return parts.objects
    .filter(
      ({ kind, metadata }) => kind !== 'Namespace' || metadata.name !== parts.manager.metadata.namespace,
    )
    .map((object) => {
      const { folder, condition } = chosenPlace(object, parts);
      const path = freePath(folder, object, parts.operator, taken);
      if (isDashboard(object)) return { path, condition, ...dashboard(object, parts) };
      return { path, condition, text: helmText(templatedObject(object, parts)), files: new Map() };
    });
}

function freePath(folder: string, object: ManifestObject, operator: string, taken: Set<string>): string {
  const { kind, metadata } = object;
  const own = metadata.name.startsWith(`${operator}-`)
    ? metadata.name.slice(operator.length + 1)
    : metadata.name;
  // Names of roles may contain any character. Helm does not render files whose names begin with an underscore.
  const name = own.replaceAll(/[^\w.-]+|^[._]+/g, '-');
  const candidates = [`${folder}/${name}.yaml`, `${folder}/${name}-${kind.toLowerCase()}.yaml`];
  for (let number = 2; ; number++) {
    const path = candidates.shift() ?? `${folder}/${name}-${kind.toLowerCase()}-${number}.yaml`;
    if (taken.has(path)) continue;
    taken.add(path);
    return path;
  }
}

interface Place {
  readonly folder: string;
  readonly condition: string | undefined;
}

/** Returns the file and the condition of an object, including the condition that its certificate provider is chosen. */
function chosenPlace(object: ManifestObject, parts: ChartParts): Place {
  const place = placeOf(object, parts);
  const chosen = parts.certificates && providerCondition(object, parts.operator);
  if (chosen === undefined) return place;
  const condition = place.condition === undefined ? chosen : `and ${place.condition} (${chosen})`;
  return { ...place, condition };
}

function placeOf(object: ManifestObject, parts: ChartParts): Place {
  const [group = ''] = object.apiVersion.split('/', 1);
  switch (group) {
    case 'apiextensions.k8s.io':
      return { folder: 'crds', condition: '.Values.crds.install' };
    case 'rbac.authorization.k8s.io':
      return { folder: 'rbac', condition: roleCondition(object, parts) };
    case 'monitoring.coreos.com':
      return { folder: 'monitoring', condition: '.Values.monitoring.enabled' };
    case 'admissionregistration.k8s.io':
      return { folder: 'webhook', condition: undefined };
    case 'cert-manager.io':
      return { folder: 'certificates', condition: undefined };
    case 'networking.k8s.io':
      return {
        folder: 'network',
        condition: object.kind === 'NetworkPolicy' ? '.Values.networkPolicy.enabled' : undefined,
      };
    default:
      return corePlace(object, parts);
  }
}

function corePlace(object: ManifestObject, { manager, objects }: ChartParts): Place {
  if (object === manager) return { folder: 'manager', condition: undefined };
  if (isAccountOf(object, manager)) return { folder: 'rbac', condition: '.Values.serviceAccount.create' };
  if (isDashboard(object)) return { folder: 'monitoring', condition: '.Values.monitoring.dashboard' };
  if (isMetricsService(object, manager)) return { folder: 'manager', condition: '.Values.metrics.enabled' };
  if (object.kind === 'Service')
    return { folder: isWebhookService(object, objects) ? 'webhook' : 'network', condition: undefined };
  return { folder: 'more', condition: undefined };
}

function isAccountOf({ kind, metadata }: ManifestObject, manager: ManifestObject): boolean {
  return kind === 'ServiceAccount' && metadata.name === accountOf(manager);
}

/** Returns the name of the operator's ServiceAccount. */
export function accountOf(manager: ManifestObject): string {
  const template = jsonMapOf(jsonMapOf(manager['spec'])['template']);
  return jsonTextOf(jsonMapOf(template['spec'])['serviceAccountName']);
}

export function isDashboard({ kind, metadata }: ManifestObject): boolean {
  return kind === 'ConfigMap' && metadata.labels?.['grafana_dashboard'] !== undefined;
}

/** Returns true for a Service that finds the Pods of the operator. */
export function isServiceOf({ kind, ...object }: ManifestObject, manager: ManifestObject): boolean {
  if (kind !== 'Service') return false;
  const template = jsonMapOf(jsonMapOf(manager['spec'])['template']);
  return finds(jsonMapOf(object['spec'])['selector'], jsonMapOf(template['metadata'])['labels']);
}

/** Returns true for the Service of the port that the operator serves metrics on. */
export function isMetricsService(object: ManifestObject, manager: ManifestObject): boolean {
  if (!isServiceOf(object, manager)) return false;
  const address = /--metrics-bind-address=[^"]*:(\d+)/.exec(JSON.stringify(manager['spec']))?.[1];
  const ports = jsonListOf(jsonMapOf(object['spec'])['ports']);
  return ports.some((port) => String(jsonMapOf(port)['targetPort']) === address);
}

/** Returns true for the Service that the API server calls. */
function isWebhookService({ metadata }: ManifestObject, objects: readonly ManifestObject[]): boolean {
  return objects.some((object) => callsService(object, metadata.name));
}

/** Returns a dashboard whose JSON is a separate file of the chart, which Grafana can import. */
function dashboard(object: ManifestObject, parts: ChartParts): Pick<ChartObject, 'text' | 'files'> {
  const files = new Map<string, string>();
  const data = Object.entries(jsonMapOf(object['data'])).map(([name, value]) => {
    const path = `dashboards/${name.replaceAll(/[^\w.-]/g, '-')}`;
    files.set(path, jsonTextOf(value));
    const text = parts.names.replacedIn(jsonTextOf(value), `.Files.Get "${path}"`);
    return [name, scalar(`${text} | toJson`)] as const;
  });
  const { data: _data, ...rest } = templatedObject({ ...object, data: {} }, parts) as JsonMap;
  return { text: helmText({ ...rest, data: Object.fromEntries(data) }), files };
}

/** Returns the condition of a role or binding. */
function roleCondition(object: ManifestObject, parts: ChartParts): string {
  const role = object['roleRef'] === undefined ? object.metadata.name : roleOf(object);
  const rules = parts.objects.find(({ kind, metadata }) => kind.endsWith('Role') && metadata.name === role);
  const isBound = parts.objects.some((each) => each['roleRef'] !== undefined && roleOf(each) === role);
  const granted = jsonListOf(rules?.['rules']).flatMap((rule) => {
    const { resources, nonResourceURLs } = jsonMapOf(rule);
    return [...jsonListOf(resources), ...jsonListOf(nonResourceURLs)].map(jsonTextOf);
  });
  // A role with further rules is a role of the operator itself, which may also review tokens or hold Leases.
  const isOnly = (...names: readonly string[]): boolean =>
    granted.length > 0 && granted.every((name) => names.includes(name));
  const { metrics, leaderElection } = managerValues(parts.manager);
  if (metrics && isOnly('/metrics', 'tokenreviews', 'subjectaccessreviews'))
    return 'and .Values.rbac.create .Values.metrics.enabled';
  if (
    leaderElection &&
    rules?.kind === 'Role' &&
    granted.includes('leases') &&
    isOnly('leases', 'configmaps', 'events')
  )
    return 'and .Values.rbac.create .Values.leaderElection.enabled';
  return isBound ? '.Values.rbac.create' : 'and .Values.rbac.create .Values.rbac.userRoles';
}

function roleOf(binding: ManifestObject): string {
  return jsonTextOf(jsonMapOf(binding['roleRef'])['name']);
}

function templatedObject(object: ManifestObject, parts: ChartParts): unknown {
  const { chart, manager, names } = parts;
  if (object.kind === 'CustomResourceDefinition') return templatedCrd(object, parts);
  const templated = object === manager ? (templatedManager(object, parts) as JsonMap) : object;
  const named = names.in(
    ofOperator(withInstance(inWatchedNamespaces(templated, parts), parts), parts),
  ) as JsonMap;
  const isAccount = isAccountOf(object, manager);
  const metadata = jsonMapOf(named['metadata']);
  const injected = injectedFrom(object, parts.certificates);
  return {
    ...named,
    metadata: {
      ...metadata,
      ...(isAccount
        ? {
            annotations: optional('with .Values.serviceAccount.annotations', block('toYaml .')),
            name: scalar(`include "${chart}.serviceAccountName" . | quote`),
          }
        : {}),
      ...(injected === undefined ? {} : { annotations: annotationsOf(object, parts, {}) }),
      labels: labelsOf(object, chart),
    },
    ...(named['subjects'] === undefined ? {} : { subjects: subjectsOf(object, named, parts) }),
  };
}

/** Replaces the image and the ServiceAccount of the operator wherever an object has them: init containers, Jobs and other Deployments. */
function ofOperator(object: JsonMap, { chart, manager }: ChartParts): JsonMap {
  const replaced = [
    ['image', imageOf(manager), scalar(`include "${chart}.image" . | quote`)],
    ['serviceAccountName', accountOf(manager), scalar(`include "${chart}.serviceAccountName" . | quote`)],
  ] as const;
  const walk = (node: unknown, field?: string): unknown => {
    const found = replaced.find(([name, value]) => name === field && value === node && value !== '');
    if (found !== undefined) return found[2];
    if (Array.isArray(node)) return node.map((item) => walk(item));
    if (!isJsonMap(node) || node instanceof Placed) return node;
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, walk(value, name)]));
  };
  return walk(object) as JsonMap;
}

/** Returns the subjects of a binding, with the ServiceAccount of the release. */
function subjectsOf(object: ManifestObject, named: JsonMap, { chart, manager }: ChartParts): unknown {
  const before = jsonListOf(object['subjects']);
  return jsonListOf(named['subjects']).map((subject, index) => {
    const { kind, name } = jsonMapOf(before[index]);
    return kind === 'ServiceAccount' && name === accountOf(manager)
      ? { ...jsonMapOf(subject), name: scalar(`include "${chart}.serviceAccountName" . | quote`) }
      : subject;
  });
}

/** Returns the common labels of the chart, and the other labels of the object. */
function labelsOf({ metadata }: ManifestObject, chart: string): unknown {
  const own = Object.entries(metadata.labels ?? {}).filter(
    ([name, value]) => !releaseLabels.includes(name) && (name !== nameLabel || value !== chart),
  );
  // Selectors of others may depend on a name that is not that of the project.
  const isNamed = own.some(([name]) => name === nameLabel);
  const common = `include "${chart}.${isNamed ? 'releaseLabels' : 'labels'}" .`;
  return own.length === 0 ? block(common) : { ...Object.fromEntries(own), zz: included(common) };
}

/** Returns a CustomResourceDefinition that is kept when the release is removed, with the names of the release for Services. */
function templatedCrd(object: ManifestObject, parts: ChartParts): unknown {
  const { chart, names } = parts;
  const spec = jsonMapOf(object['spec']);
  return {
    ...object,
    metadata: {
      ...object.metadata,
      annotations: annotationsOf(object, parts, {
        'helm.sh/resource-policy': { condition: '.Values.crds.keep', value: 'keep' },
      }),
      labels: labelsOf(object, chart),
    },
    spec: { ...spec, conversion: names.in(spec['conversion']) },
  };
}

/** Conditional entry of a map. */
interface Conditional {
  readonly condition: string;
  readonly value: unknown;
}

/**
 * Returns the annotations of an object, with further ones and the one for cert-manager. The map is omitted in a release in which it would
 * be empty.
 */
function annotationsOf(
  object: ManifestObject,
  { names, certificates }: ChartParts,
  more: Readonly<Record<string, Conditional>>,
): unknown {
  const { [injection]: present, ...annotations } = object.metadata.annotations ?? {};
  const injected = injectedFrom(object, certificates);
  const conditional = Object.entries({
    ...more,
    ...(injected === undefined ? {} : { [injection]: { condition: certManagerChosen, value: injected } }),
  });
  const own =
    injected === undefined && present !== undefined ? { ...annotations, [injection]: present } : annotations;
  const entries = Object.fromEntries(
    conditional.map(([name, { condition, value }]) => [name, optional(`if ${condition}`, value)]),
  );
  const all = names.in({ ...own, ...entries });
  if (Object.keys(own).length > 0) return all;
  const conditions = conditional.map(([, { condition }]) => `(${condition})`);
  if (conditional.length !== 1) return optional(`if or ${conditions.join(' ')}`, all);
  const [[name, only] = ['', undefined]] = conditional;
  return optional(`if ${only?.condition ?? ''}`, names.in({ [name]: only?.value }));
}

/**
 * Restricts webhooks to the namespaces that the operator of the release watches. The API server still calls them for cluster-scoped
 * objects.
 */
function inWatchedNamespaces(object: JsonMap, { manager }: ChartParts): JsonMap {
  const scope = watchScope(manager);
  if (scope === undefined || !Array.isArray(object['webhooks'])) return object;
  const isOwn = scope === 'release';
  const watched = {
    key: 'kubernetes.io/metadata.name',
    operator: 'In',
    values: isOwn ? [scalar('.Release.Namespace | quote')] : block('toYaml .Values.watchNamespaces'),
  };
  const where = (value: unknown): unknown => (isOwn ? value : optional('if .Values.watchNamespaces', value));
  const webhooks = jsonListOf(object['webhooks']).map((webhook) => {
    const { namespaceSelector, ...rest } = jsonMapOf(webhook);
    const selector = jsonMapOf(namespaceSelector);
    const present = jsonListOf(selector['matchExpressions']);
    if (Object.keys(selector).length === 0)
      return { ...rest, namespaceSelector: where({ matchExpressions: [watched] }) };
    const matchExpressions = present.length === 0 ? where([watched]) : [...present, where(watched)];
    return { ...rest, namespaceSelector: { ...selector, matchExpressions } };
  });
  return { ...object, webhooks };
}

/**
 * Adds the release to the labels of Pods and to the selectors for these Pods, so that each of two releases in a namespace selects its own
 * Pods.
 */
function withInstance(object: JsonMap, parts: ChartParts): JsonMap {
  const { kind } = object;
  const spec = jsonMapOf(object['spec']);
  const template = jsonMapOf(spec['template']);
  const podMetadata = jsonMapOf(template['metadata']);
  if (kind === 'Deployment' || kind === 'StatefulSet' || kind === 'DaemonSet')
    return {
      ...object,
      spec: {
        ...spec,
        selector: matching(spec['selector']),
        template: {
          ...template,
          metadata: { ...podMetadata, labels: { ...jsonMapOf(podMetadata['labels']), ...instance } },
        },
      },
    };
  if (kind === 'Service' && meansPods(spec['selector'], parts))
    return { ...object, spec: { ...spec, selector: { ...jsonMapOf(spec['selector']), ...instance } } };
  if (kind === 'NetworkPolicy' && meansPods(jsonMapOf(spec['podSelector'])['matchLabels'], parts))
    return { ...object, spec: { ...spec, podSelector: matching(spec['podSelector']) } };
  if (
    (kind === 'PodDisruptionBudget' || kind === 'PodMonitor') &&
    meansPods(jsonMapOf(spec['selector'])['matchLabels'], parts)
  )
    return { ...object, spec: { ...spec, selector: matching(spec['selector']) } };
  if (kind === 'ServiceMonitor' && meansServices(jsonMapOf(spec['selector'])['matchLabels'], parts))
    return { ...object, spec: { ...spec, selector: matching(spec['selector']) } };
  return object;
}

function matching(selector: unknown): unknown {
  const { matchLabels, ...more } = jsonMapOf(selector);
  return { ...more, matchLabels: { ...jsonMapOf(matchLabels), ...instance } };
}

/** Returns true if a selector selects Pods of the chart. */
function meansPods(selector: unknown, { objects }: ChartParts): boolean {
  return objects.some((object) => {
    const template = jsonMapOf(jsonMapOf(object['spec'])['template']);
    return finds(selector, jsonMapOf(template['metadata'])['labels']);
  });
}

function meansServices(selector: unknown, { objects }: ChartParts): boolean {
  return objects.some(({ kind, metadata }) => kind === 'Service' && finds(selector, metadata.labels));
}

function finds(selector: unknown, labels: unknown): boolean {
  const wanted = Object.entries(jsonMapOf(selector));
  const present = jsonMapOf(labels);
  return wanted.length > 0 && wanted.every(([name, value]) => present[name] === value);
}

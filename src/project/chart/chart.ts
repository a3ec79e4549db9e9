import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonListOf, jsonMapOf } from '../../base/util/json-map.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { dns1035Problems } from '../../kubernetes/objects/index.ts';
import type { ManifestObject } from '../../kubernetes/yaml/index.ts';
import {
  prepareTemplate,
  renderSet,
  templatesRoot,
  type JsonValue,
  type TemplateModel,
} from '../scaffold/index.ts';
import {
  certificateChoice,
  providerVariables,
  withCertProvider,
  type CertificateChoice,
} from './certificates.ts';
import { accountOf, chartObjects, isDashboard, isMetricsService, isServiceOf } from './chart-objects.ts';
import { managerOf, managerValues } from './manager.ts';
import { ReleaseNames } from './release-names.ts';
import { withoutActions } from './template-text.ts';
import { valuesSchema, type ChartFeatures } from './values-schema.ts';

/** Input of a chart. */
export interface ChartInput {
  /** Name of the project, which is also the name of the chart. */
  readonly name: string;
  /** Semantic version of the project. */
  readonly version: string;
  readonly description: string;
  /** The objects that `deploy` applies. */
  readonly objects: readonly ManifestObject[];
  /** Absolute path of the project, which may have templates of its own. */
  readonly root: string | undefined;
}

/** A file of a chart. */
export interface ChartFile {
  /** Path below the folder of the chart, with forward slashes. */
  readonly path: string;
  readonly content: string;
}

/**
 * Returns the files of a Helm chart whose release has the objects of `deploy`, with the names and the namespace of the release.
 *
 * @throws OpSdkError `chart/no-manager` if no object is a Deployment; `scaffold/bad-template`
 */
export async function renderChart(input: ChartInput): Promise<readonly ChartFile[]> {
  const { name, objects, root } = input;
  const manager = managerOf(objects);
  if (manager === undefined)
    throw new OpSdkError({
      code: 'chart/no-manager',
      message: 'the chart needs the Deployment of the operator, but the objects of deploy have none',
      fix: ['add ../manager to the resources of config/default'],
    });
  const operator = operatorName(manager, name);
  const account = accountOf(manager);
  const certificates = await certificateChoice({ project: name, operator, objects, manager, account, root });
  const all = [...objects, ...(certificates?.objects ?? [])];
  const names = new ReleaseNames(all, {
    ...{ chart: name, operator, namespace: manager.metadata.namespace },
    others: certificates === undefined ? [] : [certificates.secret],
  });
  const nameLength = names.longest;
  const model = chartModel({ ...input, manager, operator, nameLength, certificates });
  const files = await renderSet('chart', model, {}, root);
  const templates = chartObjects({ chart: name, operator, manager, objects: all, names, certificates });
  const template = prepareTemplate(
    await readFile(join(templatesRoot, 'generated/chart-object.yaml.hbs'), 'utf8'),
  );
  return [
    ...files.filter(({ content }) => content !== ''),
    ...templates.map(({ path, condition = '', text }) => ({
      path: `templates/${path}`,
      content: template.render({ condition, isConditional: condition !== '', text }),
    })),
    ...templates.flatMap((each) => [...each.files].map(([path, content]) => ({ path, content }))),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Length of the hash, with its dash, behind names that are cut off. */
const hashLength = 7;

/** Returns the variables of the templates. Exported for tests. */
export function chartModel({
  name,
  version,
  description,
  objects,
  manager,
  operator,
  nameLength,
  certificates,
}: Omit<ChartInput, 'root'> & {
  readonly manager: ManifestObject;
  /** Prefix of the names of objects. */
  readonly operator: string;
  /** Length of the longest beginning of names that is not cut off. */
  readonly nameLength: number;
  /** Choice between the providers of the certificate of webhooks; undefined if no value chooses one. */
  readonly certificates: CertificateChoice | undefined;
}): TemplateModel {
  const { metrics, ownNames, ...values } = managerValues(manager, objects);
  const features = featuresOf(objects, metrics);
  const account = accountOf(manager);
  const variables = [...new Set([...ownNames.variables, ...providerVariables(certificates)])];
  const schema = valuesSchema({ ...values, ownNames: { ...ownNames, variables } }, features);
  const provider = certificates?.provider;
  const accountObject = objects.find(
    ({ kind, metadata }) => kind === 'ServiceAccount' && metadata.name === account,
  );
  return {
    ...(values as unknown as TemplateModel),
    hasReplicas: values.replicas !== undefined,
    replicas: values.replicas ?? 1,
    ...(features as unknown as TemplateModel),
    ...{ name, version, description, nameLength, cutLength: nameLength - hashLength },
    hasAccount: accountObject !== undefined,
    accountAnnotations: accountObject?.metadata.annotations ?? {},
    ...accountModel(account, { chart: name, operator, isCreated: accountObject !== undefined }),
    managerName: templatedName(manager.metadata.name, { chart: name, operator }),
    ...servicesModel(objects, manager, { chart: name, operator, features }),
    hasCertProvider: provider !== undefined,
    certProvider: provider ?? '',
    schema: (provider === undefined ? schema : withCertProvider(schema)) as JsonValue,
  };
}

/** Returns the Services of the operator, each with the condition under which the Pod of `helm test` can connect to it. */
function servicesModel(
  objects: readonly ManifestObject[],
  manager: ManifestObject,
  { chart, operator, features }: { chart: string; operator: string; features: ChartFeatures },
): TemplateModel {
  const reachable = features.hasNetworkPolicies
    ? 'and .Values.metrics.enabled (not .Values.networkPolicy.enabled)'
    : '.Values.metrics.enabled';
  const services = objects.flatMap((object) => {
    const { name } = object.metadata;
    const port = tcpPortOf(object);
    // The API server refuses a Service of another name, which could end the line of the template.
    if (port === undefined || !isServiceOf(object, manager) || dns1035Problems(name).length > 0) return [];
    const isMetrics = isMetricsService(object, manager);
    return [{ name: templatedName(name, { chart, operator }), port, isMetrics, reachable }];
  });
  return { services, hasServices: services.length > 0 };
}

function tcpPortOf(service: ManifestObject): number | undefined {
  const ports = jsonListOf(jsonMapOf(service['spec'])['ports']).map((each) => jsonMapOf(each));
  const port = ports.find(({ protocol = 'TCP' }) => protocol === 'TCP')?.['port'];
  return typeof port === 'number' ? port : undefined;
}

function featuresOf(objects: readonly ManifestObject[], hasMetrics: boolean): ChartFeatures {
  const hasKind = (kind: string): boolean => objects.some((object) => object.kind === kind);
  return {
    hasMetrics,
    hasNetworkPolicies: hasKind('NetworkPolicy'),
    hasMonitoring: objects.some(({ apiVersion }) => apiVersion.startsWith('monitoring.coreos.com/')),
    hasDashboard: objects.some((object) => isDashboard(object)),
    hasDefinitions: hasKind('CustomResourceDefinition'),
  };
}

/** Returns the name of the account that a release creates, and of the one that it has without that. A Deployment may name none. */
function accountModel(
  account: string,
  names: { readonly chart: string; readonly operator: string; readonly isCreated: boolean },
): TemplateModel {
  const { operator, isCreated } = names;
  return {
    account: templatedName(isCreated ? account : `${operator}-controller-manager`, names),
    accountName: isCreated ? '' : account,
  };
}

/** Returns a name as text of a template: with the prefix of config/default, it begins with that of the release. */
function templatedName(
  name: string,
  { chart, operator }: { readonly chart: string; readonly operator: string },
): string {
  if (operator === '' || !name.startsWith(`${operator}-`)) return withoutActions(name);
  return `{{ include "${chart}.fullname" . }}${withoutActions(name.slice(operator.length))}`;
}

/**
 * Returns the prefix of names: that of config/default, which is the name of the project unless somebody has changed it. Empty if there is
 * none.
 */
function operatorName({ metadata }: ManifestObject, project: string): string {
  if (metadata.name.startsWith(`${project}-`)) return project;
  return metadata.name.replace(/(^|-)controller-manager.*$/, '');
}

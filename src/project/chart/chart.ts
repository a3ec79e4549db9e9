import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonListOf, jsonMapOf } from '../../base/util/json-map.ts';
import { OpSdkError } from '../../base/errors/index.ts';
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
import { accountOf, chartObjects, isDashboard, isMetricsService } from './chart-objects.ts';
import { managerOf, managerValues } from './manager.ts';
import { ReleaseNames } from './release-names.ts';
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
  const names = new ReleaseNames(
    all,
    name,
    operator,
    certificates === undefined ? [] : [certificates.secret],
  );
  const { longestSuffix } = names;
  const model = chartModel({ ...input, manager, operator, longestSuffix, certificates });
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

/** The longest name of a Service. */
const longestName = 63;
/** Length of the hash, including its dash, at the end of shortened names. */
const hashLength = 7;

/** Returns the variables of the templates. Exported for tests. */
export function chartModel({
  name,
  version,
  description,
  objects,
  manager,
  operator,
  longestSuffix,
  certificates,
}: Omit<ChartInput, 'root'> & {
  readonly manager: ManifestObject;
  /** Prefix of the names of objects. */
  readonly operator: string;
  /** Length of the longest suffix that follows the prefix. */
  readonly longestSuffix: number;
  /** Providers of the webhook certificate; undefined if the values offer no choice. */
  readonly certificates: CertificateChoice | undefined;
}): TemplateModel {
  const { metrics, ownNames, ...values } = managerValues(manager);
  const features = featuresOf(objects, metrics);
  const account = accountOf(manager);
  const variables = [...new Set([...ownNames.variables, ...providerVariables(certificates)])];
  const schema = valuesSchema({ ...values, ownNames: { ...ownNames, variables } }, features);
  const provider = certificates?.provider;
  const accountObject = objects.find(
    ({ kind, metadata }) => kind === 'ServiceAccount' && metadata.name === account,
  );
  const nameLength = longestName - longestSuffix;
  return {
    ...(values as unknown as TemplateModel),
    ...(features as unknown as TemplateModel),
    ...{ name, version, description, nameLength, cutLength: nameLength - hashLength },
    hasAccount: accountObject !== undefined,
    accountAnnotations: accountObject?.metadata.annotations ?? {},
    account: accountSuffix(account, operator),
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
  const services = objects
    .filter(({ kind, metadata }) => kind === 'Service' && metadata.name.startsWith(`${operator}-`))
    .map((service) => ({
      chart,
      suffix: service.metadata.name.slice(operator.length + 1),
      port: Number(jsonMapOf(jsonListOf(jsonMapOf(service['spec'])['ports'])[0])['port']),
      isMetrics: isMetricsService(service, manager),
      reachable: features.hasNetworkPolicies
        ? 'and .Values.metrics.enabled (not .Values.networkPolicy.enabled)'
        : '.Values.metrics.enabled',
    }));
  return { services, hasServices: services.length > 0 };
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

/**
 * Returns the suffix of the name of the ServiceAccount that a release creates. If the Deployment names no account, the suffix is that of
 * the scaffold.
 */
function accountSuffix(account: string, operator: string): string {
  if (account === '') return 'controller-manager';
  return account.startsWith(`${operator}-`) ? account.slice(operator.length + 1) : account;
}

/** Returns the prefix of names that config/default sets, which is the name of the project unless the user has changed it. */
function operatorName({ metadata }: ManifestObject, project: string): string {
  if (metadata.name.startsWith(`${project}-`)) return project;
  return metadata.name.replace(/-controller-manager$/, '');
}

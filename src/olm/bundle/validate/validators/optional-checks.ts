import type { DefaultValidator, ValidatorName } from '../rules/validators.ts';
import type { Check, BundleObject, Report, Settings } from '../types.ts';
import { reportRemovedApis, usesOf122 } from '../removed-apis.ts';
import { reportCapabilities, reportCategories } from '../standard-values.ts';
import { csvDeployments, deploymentsPath } from '../csv-fields.ts';
import { reportAnnotationNames, annotationText } from '../annotations.ts';
import { reportHubMetadata } from '../hub-metadata.ts';
import { fieldAt, listOf, mapOf, textsOf } from '../fields.ts';
import { bundleObjectName } from '../owned-kinds.ts';
import { isJsonMap, asText } from '../../../../base/util/json-map.ts';
import { isSemver, isAtLeast, parseTolerantVersion, type VersionNumbers } from '../semver.ts';
import { checkPlatforms } from './multiarch/check-platforms.ts';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errnoOf, errnoText } from '../../../../base/util/fs.ts';

/** The first OpenShift without the APIs that Kubernetes 1.22 removed. */
const firstWithout: VersionNumbers = { major: 4, minor: 9, patch: 0, isPrerelease: false };
const property = 'olm.maxOpenShiftVersion';
const label = 'com.redhat.openshift.versions';

/**
 * A bundle that uses APIs which Kubernetes 1.22 removed says on which OpenShift it can be installed.
 * Source: operator-framework/api `community.go`.
 */
const checkOpenShift: Check<'community'> = async (bundle, report, settings) => {
  const { csv } = bundle;
  const uses = usesOf122(bundle).map(({ kind, name }) => `${kind} ${name}`);
  if (csv === undefined || uses.length === 0) return;
  const names = uses.join(', ');
  const refused = checkMaxVersion(csv, names, report, settings);
  await checkLabel(csv, names, refused, report, settings);
};

/** @returns the number of errors */
function checkMaxVersion(
  csv: BundleObject,
  names: string,
  { error, warn }: Report<'community'>,
  { indexPath }: Settings,
): number {
  const path = ['metadata', 'annotations', 'olm.properties'];
  const place = [csv, path] as const;
  const example = `write olm.properties: '[{"type": "${property}", "value": "4.8"}]', or migrate the APIs`;
  const refuse = (message: string): number => {
    error('bundle/openshift-version', place, message, example);
    return 1;
  };
  const text = annotationText(fieldAt(csv.value, ...path)) ?? '';
  if (text === '')
    return refuse(`the bundle uses APIs that OpenShift 4.9 does not have (${names}), and no ${property}`);
  const properties = parse(text);
  if (properties === undefined)
    return refuse('the annotation olm.properties is not a list of types and values');
  const found = properties.find(({ type }) => type === property);
  if (found === undefined)
    return refuse(`the annotation olm.properties has no ${property}, which ${names} need`);
  const version = parseTolerantVersion(found.value);
  if (version === undefined) return refuse(`${property} ${JSON.stringify(found.value)} is not a version`);
  if (version.patch > 0 || version.isPrerelease) {
    const message = `${property} is ${found.value}; only its first two numbers count`;
    // Without index-path the warning about it takes the place of all others.
    if (indexPath !== '')
      warn('bundle/openshift-version', place, message, `write ${version.major}.${version.minor}`);
    return 0;
  }
  return isAtLeast(version, firstWithout)
    ? refuse(`${property} is ${found.value}; OpenShift has ${names} up to 4.8`)
    : 0;
}

function parse(text: string): readonly { readonly type: string; readonly value: string }[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    if (list === null) return [];
    if (!Array.isArray(list)) return undefined;
    const entries = list.map((item: unknown) =>
      isJsonMap(item) ? { type: item['type'] ?? '', value: item['value'] ?? '' } : undefined,
    );
    return entries.every(isProperty) ? entries : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isProperty(
  entry: { type: unknown; value: unknown } | undefined,
): entry is { type: string; value: string } {
  return typeof entry?.type === 'string' && typeof entry.value === 'string';
}

/** The label of the file that `index-path` names. */
async function checkLabel(
  csv: BundleObject,
  names: string,
  refused: number,
  { error, warn }: Report<'community'>,
  { indexPath, cwd }: Settings,
): Promise<void> {
  const place = [csv, ['metadata', 'annotations']] as const;
  const fix = `write LABEL ${label}="v4.6-v4.8", or migrate the APIs`;
  if (indexPath === '') {
    const message = `the bundle uses APIs that OpenShift 4.9 does not have (${names}), and index-path names no Dockerfile with the label ${label}`;
    const say = 'give --optional-values index-path=bundle.Dockerfile';
    warn('bundle/openshift-label', place, message, say);
    // The validator of operator-framework lists its errors so far once more as warnings.
    for (let index = 0; index < refused; index++)
      warn('bundle/openshift-label', place, `${message}; see the error`, say);
    return;
  }
  const text = await readLabels(resolve(cwd, indexPath));
  const problem = typeof text === 'string' ? labelProblem(text) : text.problem;
  if (problem !== undefined)
    error('bundle/openshift-label', { file: indexPath }, `${indexPath}: ${problem}`, fix);
}

async function readLabels(path: string): Promise<string | { readonly problem: string }> {
  try {
    // A pipe would never end.
    if (!(await stat(path)).isFile()) return { problem: 'it is not a file' };
    return await readFile(path, 'utf8');
  } catch (error) {
    return { problem: errnoOf(error) === 'ENOENT' ? 'it does not exist' : errnoText(error) };
  }
}

/** The first line with the label counts; `=4.6` is one version, `4.6` this one and all that follow, `4.6-4.8` a range. */
function labelProblem(text: string): string | undefined {
  const line = text.split('\n').find((candidate) => candidate.includes(label));
  if (line === undefined) return `it has no label ${label}`;
  if (!line.includes('=')) return `the line ${JSON.stringify(line)} gives ${label} no value`;
  const [, second = '', third = ''] = line.split('=').map((part) => part.replace(/['"v]/g, ''));
  if (line.split('=').length > 2 && (line.split('=')[2] ?? '') !== '') return versionProblem(third);
  if (second.length < 2) return `${label} has no range`;
  const [, end] = second.split('-');
  return end === undefined
    ? `${label} allows ${second} and all that follow, 4.9 among them`
    : versionProblem(end);
}

function versionProblem(text: string): string | undefined {
  const version = parseTolerantVersion(text);
  if (version === undefined) return `${JSON.stringify(text)} of ${label} is not a version`;
  return isAtLeast(version, firstWithout)
    ? `${label} allows ${text}; OpenShift has the APIs up to 4.8`
    : undefined;
}

/** Source: operator-framework/api `good_practices.go`. */
const checkGoodPractices: Check<'good-practices'> = ({ csv }, report) => {
  if (csv === undefined) return;
  checkRequests(csv, report);
  checkDescriptions(csv, report);
  checkDefinitionRights(csv, report);
  checkName(csv, report);
};

function checkRequests(csv: BundleObject, { error, warn }: Report<'good-practices'>): void {
  if (!Array.isArray(fieldAt(csv.value, ...deploymentsPath))) {
    const message = 'the ClusterServiceVersion has no deployments';
    error('bundle/no-deployment', [csv, ['spec', 'install']], message, 'deploy the operator as a Deployment');
    return;
  }
  for (const { spec, path } of csvDeployments(csv)) {
    for (const [index, container] of listOf(fieldAt(spec, 'template', 'spec', 'containers')).entries()) {
      const { name, resources } = mapOf(container);
      if (isJsonMap(mapOf(resources)['requests'])) continue;
      warn(
        'bundle/no-resource-requests',
        [csv, [...path, 'spec', 'template', 'spec', 'containers', index]],
        `the container ${asText(name)} has no resource requests, so the scheduler cannot plan for it and a quota may refuse it`,
        'write resources.requests with cpu and memory',
      );
    }
  }
}

function checkDescriptions(csv: BundleObject, { warn }: Report<'good-practices'>): void {
  for (const list of ['owned', 'required']) {
    const path = ['spec', 'customresourcedefinitions', list];
    for (const [index, entry] of listOf(fieldAt(csv.value, ...path)).entries()) {
      const { name, description } = mapOf(entry);
      if (asText(description) !== '') continue;
      const message = `the ${list} CustomResourceDefinition ${asText(name)} has no description`;
      warn('bundle/no-crd-description', [csv, [...path, index]], message, 'say what the kind is for');
    }
  }
}

const resources = ['customresourcedefinitions', '*', '[*]'];
const verbs = ['create', '*', '[*]', 'patch'];

/** One warning for the bundle. */
function checkDefinitionRights(csv: BundleObject, { warn }: Report<'good-practices'>): void {
  for (const list of ['permissions', 'clusterPermissions']) {
    const path = ['spec', 'install', 'spec', list];
    for (const [index, entry] of listOf(fieldAt(csv.value, ...path)).entries()) {
      const at = listOf(mapOf(entry)['rules']).findIndex((value) => {
        const rule = mapOf(value);
        return (
          textsOf(rule['apiGroups']).includes('apiextensions.k8s.io') &&
          textsOf(rule['resources']).some((resource) => resources.includes(resource)) &&
          textsOf(rule['verbs']).some((verb) => verbs.includes(verb))
        );
      });
      if (at < 0) continue;
      warn(
        'bundle/creates-crds',
        [csv, [...path, index, 'rules', at]],
        'the operator may create CustomResourceDefinitions, which OLM then neither updates nor checks',
        'put the definitions into the bundle, or depend on the operator that has them',
      );
      return;
    }
  }
}

const versionForm = /[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+)?$/;

function checkName(csv: BundleObject, { warn }: Report<'good-practices'>): void {
  const place = [csv, ['metadata', 'name']] as const;
  const fix = 'write <operator>.v<version>, such as memcached-operator.v0.1.0';
  const [version] = versionForm.exec(csv.name) ?? [];
  if (version === undefined || !isSemver(version))
    warn('bundle/name-convention', place, `the name ${csv.name} does not end with a semantic version`, fix);
  if (csv.name.split('.v').length !== 2)
    warn(
      'bundle/name-convention',
      place,
      `the name ${csv.name} is not of the form <operator>.v<version>`,
      fix,
    );
}

/** The SecurityContextConstraints of OpenShift. */
const defaultSccs = [
  ...['anyuid', 'hostaccess', 'hostmount-anyuid', 'hostnetwork'],
  ...['node-exporter', 'nonroot', 'privileged', 'restricted'],
];

/** Objects that harm more than their operator, by kind alone, whatever their group is. Source: operator-framework/api `object.go`. */
const checkHarmfulObjects: Check<'object'> = ({ objects }, report) => {
  for (const object of objects) {
    if (object.kind === 'PodDisruptionBudget') checkBudget(object, report);
    else if (object.kind === 'PriorityClass') checkPriorityClass(object, report);
    else if (object.kind === 'Role' || object.kind === 'ClusterRole') checkRules(object, report);
  }
};

/** Any text as maxUnavailable is refused, not only 0%: it is read as the number that it is not, 0. `opsdk` judges percentages by their value. */
function checkBudget(object: BundleObject, { error }: Report<'object'>): void {
  const { maxUnavailable, minAvailable } = mapOf(object.value['spec']);
  if (typeof maxUnavailable === 'string' || maxUnavailable === 0)
    error(
      'bundle/disruption-budget',
      [object, ['spec', 'maxUnavailable']],
      `${bundleObjectName(object)} has the maxUnavailable ${JSON.stringify(maxUnavailable)}; expected a number above 0`,
      'write a number of Pods, such as 1',
    );
  if (minAvailable === '100%')
    error(
      'bundle/disruption-budget',
      [object, ['spec', 'minAvailable']],
      `${bundleObjectName(object)} has the minAvailable 100%, so that no node can be drained`,
      'write less than 100%',
    );
}

function checkPriorityClass(object: BundleObject, { error }: Report<'object'>): void {
  if (object.value['globalDefault'] !== true) return;
  const message = `${bundleObjectName(object)} is the default of all Pods of the cluster`;
  error('bundle/global-priority-class', [object, ['globalDefault']], message, 'write globalDefault: false');
}

function checkRules(object: BundleObject, { error, warn }: Report<'object'>): void {
  for (const [index, entry] of listOf(fieldAt(object.value, 'rules')).entries()) {
    const rule = mapOf(entry);
    const place = [object, ['rules', index]] as const;
    const allows = (group: string, resource: string, ...verbs: readonly string[]): boolean =>
      textsOf(rule['apiGroups']).includes(group) &&
      textsOf(rule['resources']).includes(resource) &&
      textsOf(rule['verbs']).some((verb) => verb === '*' || verbs.includes(verb));
    if (allows('policy', 'poddisruptionbudgets', 'create', 'update', 'patch'))
      warn(
        'bundle/budget-permission',
        place,
        `${bundleObjectName(object)} allows to create or update PodDisruptionBudgets, which can block the maintenance of nodes`,
        'leave out what the operator does not need',
      );
    if (
      allows('security.openshift.io', 'securitycontextconstraints', 'delete', 'update', 'patch') &&
      textsOf(rule['resourceNames']).some((name) => defaultSccs.includes(name))
    )
      error(
        'bundle/default-scc-permission',
        place,
        `${bundleObjectName(object)} allows to change SecurityContextConstraints of OpenShift itself`,
        'create SecurityContextConstraints of your own',
      );
  }
}

/** Source: operator-framework/api `operatorhubv2.go`. */
const checkOperatorHubV2: Check<'operatorhubv2'> = (bundle, report, settings) => {
  if (bundle.csv === undefined) return;
  reportHubMetadata(bundle.csv, report);
  reportRemovedApis(bundle, report, settings);
};

/** Source: operator-framework/api `operatorhub.go`. */
const checkOperatorHub: Check<'operatorhub'> = async (bundle, report, settings) => {
  const { csv, dir } = bundle;
  if (csv !== undefined) {
    reportHubMetadata(csv, report);
    reportCapabilities(csv, report);
    await reportCategories(csv, report, settings);
    reportRemovedApis(bundle, report, settings);
  }
  const message = 'the validator operatorhub is deprecated';
  report.warn(
    'bundle/deprecated-validator',
    { file: dir },
    message,
    'select operatorhubv2, capabilities and categories',
  );
};

const apiVersions = ['operators.coreos.com/v1', 'operators.coreos.com/v1alpha2'];

/** Source: operator-framework/api `operatorgroup.go`. */
const checkOperatorGroups: Check<'operatorgroup'> = ({ objects }, report) => {
  for (const object of objects)
    if (object.kind === 'OperatorGroup' && apiVersions.includes(object.apiVersion))
      reportAnnotationNames(object, report);
};

/** Source: operator-framework/api `standardcategories.go`. */
const checkCategories: Check<'categories'> = async ({ csv }, report, settings) => {
  if (csv !== undefined) await reportCategories(csv, report, settings);
};

/** Source: operator-framework/api `standardcapabilities.go`. */
const checkCapabilities: Check<'capabilities'> = ({ csv }, report) => {
  if (csv !== undefined) reportCapabilities(csv, report);
};

/** Source: operator-framework/api `removed_apis.go` `AlphaDeprecatedAPIsValidator`. */
const checkDeprecatedApis: Check<'alpha-deprecated-apis'> = (bundle, report, settings) =>
  reportRemovedApis(bundle, report, settings);

/** The rules of the validators that are selected: loaded where one is. */
export const optionalChecks: {
  readonly [V in Exclude<ValidatorName, DefaultValidator>]: readonly Check<V>[];
} = {
  operatorhubv2: [checkOperatorHubV2],
  capabilities: [checkCapabilities],
  categories: [checkCategories],
  'alpha-deprecated-apis': [checkDeprecatedApis],
  'good-practices': [checkGoodPractices],
  operatorhub: [checkOperatorHub],
  community: [checkOpenShift],
  object: [checkHarmfulObjects],
  operatorgroup: [checkOperatorGroups],
  multiarch: [checkPlatforms],
};

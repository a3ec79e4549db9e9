import { serviceAccountOf, csvDeployments, type CsvDeployment, deploymentsPath } from '../../csv-fields.ts';
import { fieldAt, fieldName, listOf, mapOf, textOf } from '../../fields.ts';
import { imageNameProblem } from '../../image-name.ts';
import { subdomainProblem } from '../../../../../kubernetes/objects/index.ts';
import { bundleObjectName, csvNameProblem } from '../../owned-kinds.ts';
import type { BundleObject, Check, FieldPath, LoadedBundle, Report } from '../../types.ts';
import { shapeProblems } from '../../csv-shape/shape-problems.ts';
import { isSemver } from '../../semver.ts';

/**
 * The install strategy: deployments that the API server takes, each name once, and the accounts that they run as.
 * Source: operator-controller `registryv1/validators`; kubernetes `pkg/apis/apps/validation`.
 */
export const checkDeployments: Check<'opsdk'> = (bundle, report) => {
  const { csv } = bundle;
  if (csv === undefined) return;
  const strategy = textOf(fieldAt(csv.value, 'spec', 'install', 'strategy'));
  if (strategy !== '' && strategy !== 'deployment') {
    const message = `unknown install strategy ${JSON.stringify(strategy)}`;
    report.error('bundle/invalid-field', [csv, ['spec', 'install', 'strategy']], message, 'write deployment');
  }
  const deployments = csvDeployments(csv);
  if (deployments.length === 0) {
    const message = 'the ClusterServiceVersion has no deployment, so nothing will run';
    const fix = 'deploy the operator as a Deployment, and create the bundle again';
    report.warn('bundle/no-deployment', [csv, deploymentsPath], message, fix);
  }
  const seen = new Set<string>();
  for (const deployment of deployments) {
    const isTwice = seen.has(deployment.name);
    seen.add(deployment.name);
    if (isTwice && deployment.name !== '') {
      const message = `there are two deployments ${deployment.name}`;
      report.error(
        'bundle/duplicate-deployment',
        [csv, [...deployment.path, 'name']],
        message,
        'rename one of the two',
      );
    }
    checkDeployment(csv, deployment, report);
  }
  checkAccounts(bundle, csv, deployments, report);
};

function checkDeployment(
  csv: BundleObject,
  { name, spec, path }: CsvDeployment,
  { error }: Report<'opsdk'>,
): void {
  const problem = name === '' ? undefined : subdomainProblem(name);
  if (problem !== undefined) {
    const message = `the deployment's name ${JSON.stringify(name)} is not valid: ${problem}`;
    error('bundle/invalid-deployment', [csv, [...path, 'name']], message, 'choose another name');
  }
  if (Object.keys(spec).length === 0) return;
  const wrong = (at: FieldPath, message: string, fix: string): void =>
    error(
      'bundle/invalid-deployment',
      [csv, [...path, 'spec', ...at]],
      `the deployment ${name}: ${message}`,
      fix,
    );
  const selector = mapOf(spec['selector']);
  const wanted = mapOf(selector['matchLabels']);
  const labels = mapOf(fieldAt(spec, 'template', 'metadata', 'labels'));
  if (Object.keys(wanted).length === 0 && listOf(selector['matchExpressions']).length === 0)
    wrong(['selector'], 'spec.selector is empty', 'select the pods by the labels of spec.template');
  for (const [key, value] of Object.entries(wanted)) {
    if (labels[key] === value) continue;
    const message = `spec.selector wants ${key}=${String(value)}, which the pods of spec.template do not have`;
    wrong(['selector', 'matchLabels', key], message, 'give the pods the labels of the selector');
  }
  const containers = listOf(fieldAt(spec, 'template', 'spec', 'containers'));
  if (containers.length === 0) wrong(['template', 'spec'], 'there are no containers', 'write at least one');
  for (const kind of ['initContainers', 'containers']) {
    for (const [index, container] of listOf(fieldAt(spec, 'template', 'spec', kind)).entries()) {
      const at = ['template', 'spec', kind, index];
      const { name: containerName, image } = mapOf(container);
      if (textOf(containerName) === '') wrong(at, `${fieldName(at)} has no name`, 'name the container');
      if (textOf(image) === '') wrong(at, `${fieldName(at)} has no image`, 'write its image');
      const unreadable = textOf(image) === '' ? undefined : imageNameProblem(textOf(image));
      if (unreadable !== undefined) {
        const message = `the image ${JSON.stringify(image)} is not valid: ${unreadable}`;
        wrong([...at, 'image'], message, 'write registry/repository:tag');
      }
    }
  }
}

function checkAccounts(
  { objects }: LoadedBundle,
  csv: BundleObject,
  deployments: readonly CsvDeployment[],
  { error }: Report<'opsdk'>,
): void {
  const withRules = new Set(
    ['permissions', 'clusterPermissions'].flatMap((list) =>
      listOf(fieldAt(csv.value, 'spec', 'install', 'spec', list)).map((entry) =>
        textOf(mapOf(entry)['serviceAccountName']),
      ),
    ),
  );
  const accounts = objects.filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'ServiceAccount');
  const names = new Set(accounts.map(({ name }) => name));
  for (const deployment of deployments) {
    const { name, path } = deployment;
    const account = serviceAccountOf(deployment);
    const isThere = account === '' || account === 'default' || withRules.has(account) || names.has(account);
    if (isThere) continue;
    error(
      'bundle/unbound-service-account',
      [csv, [...path, 'spec', 'template', 'spec', 'serviceAccountName']],
      `the deployment ${name} runs as the ServiceAccount ${account}, which nobody makes: OLM creates only accounts with permissions`,
      `give ${account} rules in spec.install.spec.permissions or clusterPermissions`,
    );
  }
}

/**
 * PodDisruptionBudgets by the values of their percentages: what the API server refuses, and what keeps nodes from being drained.
 * Source: kubernetes `pkg/apis/policy/validation`; OLM's limitations on budgets.
 */
export const checkBudgets: Check<'opsdk'> = ({ objects }, report) => {
  for (const object of objects) if (object.kind === 'PodDisruptionBudget') checkBudget(object, report);
};

function checkBudget(object: BundleObject, { error }: Report<'opsdk'>): void {
  const spec = mapOf(fieldAt(object.value, 'spec'));
  const name = bundleObjectName(object);
  for (const field of ['minAvailable', 'maxUnavailable'] as const) {
    const problem = problemOf(spec[field], field);
    if (problem === undefined) continue;
    const message = `${name} has the ${field} ${JSON.stringify(spec[field])}: ${problem}`;
    error(
      'bundle/disruption-budget',
      [object, ['spec', field]],
      message,
      'write a number of Pods, or a percentage such as 50%',
    );
  }
  if (isGiven(spec['minAvailable']) && isGiven(spec['maxUnavailable']))
    error(
      'bundle/disruption-budget',
      [object, ['spec']],
      `${name} has both minAvailable and maxUnavailable; the API server takes one of them`,
      'remove one of the two',
    );
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function problemOf(value: unknown, field: 'minAvailable' | 'maxUnavailable'): string | undefined {
  if (!isGiven(value)) return undefined;
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  if (percent === undefined && (typeof value !== 'number' || !Number.isInteger(value) || value < 0))
    return 'expected a number from 0, or a percentage';
  const number = Number(percent ?? value);
  if (percent !== undefined && number > 100) return 'expected 100% at most';
  const blocks = field === 'maxUnavailable' ? number === 0 : percent !== undefined && number === 100;
  return blocks ? 'no Pod can be evicted then, so that nodes cannot be drained' : undefined;
}

/** The fields of the ClusterServiceVersion that OLM would drop or the API server refuses, and its version. */
export const checkShape: Check<'opsdk'> = ({ csv: read, objects }, report) => {
  // The object itself: fields in another case are read by Go, and dropped by the API server.
  const csv = read === undefined ? undefined : objects.find(({ file }) => file === read.file);
  if (csv === undefined) return;
  for (const { kind, path, message, fix, isReadable } of shapeProblems(csv)) {
    if (!isReadable) continue;
    if (kind === 'unknown') report.warn('bundle/unknown-field', [csv, path], message, fix);
    else if (kind === 'type') report.warn('bundle/invalid-field', [csv, path], message, fix);
    // The API server wants the field, and takes an empty one.
    else if (kind === 'empty') report.warn('bundle/missing-field', [csv, path], message, fix);
    else report.error('bundle/missing-field', [csv, path], message, fix);
  }
  checkVersions(csv, report);
  for (const [index, name] of skipsOf(csv).entries()) {
    const problem = csvNameProblem(name);
    if (problem === undefined) continue;
    const message = `spec.skips names ${JSON.stringify(name)}, which is not the name of a ClusterServiceVersion: ${problem}`;
    report.error('bundle/invalid-csv-name', [csv, ['spec', 'skips', index]], message, 'correct the name');
  }
  if (csv.apiVersion !== '' && csv.apiVersion !== 'operators.coreos.com/v1alpha1') {
    const message = `the ClusterServiceVersion has the apiVersion ${csv.apiVersion}, which OLM does not have`;
    report.warn(
      'bundle/kind-not-supported',
      [csv, ['apiVersion']],
      message,
      'write operators.coreos.com/v1alpha1',
    );
  }
};

function skipsOf(csv: BundleObject): readonly string[] {
  const skips = fieldAt(csv.value, 'spec', 'skips');
  return Array.isArray(skips) ? skips.map(textOf).filter((name) => name !== '') : [];
}

function checkVersions(csv: BundleObject, { error }: Report<'opsdk'>): void {
  const version = fieldAt(csv.value, 'spec', 'version');
  if (version === undefined || version === null) {
    const message = 'spec.version is missing; catalogs order the versions of an operator by it';
    error('bundle/missing-field', [csv, ['spec']], message, 'write spec.version, such as 0.1.0');
  } else if (typeof version === 'string' && version !== '' && !isSemver(version)) {
    const message = `spec.version ${JSON.stringify(version)} is not a semantic version`;
    const fix = 'write three numbers, such as 0.1.0, without v';
    error('bundle/invalid-version', [csv, ['spec', 'version']], message, fix);
  }
  const release = textOf(fieldAt(csv.value, 'spec', 'release'));
  if (release.length > MOST_OF_RELEASE) {
    const message = `spec.release has ${release.length} characters; ${MOST_OF_RELEASE} are allowed`;
    error('bundle/invalid-version', [csv, ['spec', 'release']], message, 'write a number, such as 1');
  }
}

/** Source: operator-framework/api `pkg/lib/release`, of the CRD. */
const MOST_OF_RELEASE = 20;

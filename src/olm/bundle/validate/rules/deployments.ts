import { serviceAccountOf, csvDeployments, type CsvDeployment, deploymentsPath } from '../csv-fields.ts';
import { fieldAt, fieldName, listOf, mapOf, textOf } from '../fields.ts';
import { imageNameProblem } from '../image-name.ts';
import { subdomainProblem } from '../../../../kubernetes/objects/index.ts';
import type { BundleObject, FieldPath, LoadedBundle } from '../types.ts';
import { ruleModule, type BundleRules, type Check, type Report } from './rule.ts';
import type { SharedRules } from './shared.ts';

const rules = {
  'bundle/duplicate-deployment': {
    validators: { opsdk: 'error' },
    title: 'Two deployments have one name',
    explain: 'OLM creates a Deployment for each entry; the second would overwrite the first.',
  },
  'bundle/invalid-deployment': {
    validators: { opsdk: 'error' },
    title: 'The API server would refuse a deployment',
    explain: 'OLM creates a Deployment from the entry, and the API server checks it as any other.',
  },
  'bundle/unbound-service-account': {
    validators: { opsdk: 'error' },
    title: 'A ServiceAccount has no rules',
    explain:
      'OLM creates the accounts of the operator from the permissions in the ClusterServiceVersion. An account that no binding names has none there, so it would not be created.',
  },
} as const satisfies BundleRules;

type Rules = typeof rules & SharedRules;

/**
 * Checks the install strategy. Its deployments must be valid for the API server and have distinct names, and the ServiceAccounts of the
 * deployments must be usable. Source: operator-controller `registryv1/validators`; kubernetes `pkg/apis/apps/validation`.
 */
const checkDeployments: Check<Rules, 'opsdk'> = (bundle, report) => {
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
  { error }: Report<Rules, 'opsdk'>,
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
    const message = `spec.selector selects the label ${key}=${String(value)}, which the pods of spec.template do not have`;
    wrong(['selector', 'matchLabels', key], message, 'give the pods the labels of the selector');
  }
  const containers = listOf(fieldAt(spec, 'template', 'spec', 'containers'));
  if (containers.length === 0)
    wrong(['template', 'spec'], 'the Pod template has no containers', 'write at least one');
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
  { error }: Report<Rules, 'opsdk'>,
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
      `the deployment ${name} runs as the ServiceAccount ${account}, which OLM will not create: it has no permissions in the ClusterServiceVersion`,
      `give ${account} rules in spec.install.spec.permissions or clusterPermissions`,
    );
  }
}

export const deploymentRules = ruleModule<typeof rules, Rules>(rules, { opsdk: [checkDeployments] });

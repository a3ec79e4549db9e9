import { checkPath, checkWebhook } from '../../../../compiler/manifests/index.ts';
import { csvDeployments, supportedModes } from '../csv-fields.ts';
import { fieldAt, listOf, mapOf, textOf, textsOf } from '../fields.ts';
import { subdomainProblem } from '../../../../kubernetes/objects/index.ts';
import type { BundleObject, FieldPath } from '../types.ts';
import { ruleModule, type BundleRules, type Check, type Report } from './rule.ts';
import type { SharedRules } from './shared.ts';

const rules = {
  'bundle/unknown-deployment': {
    validators: { opsdk: 'error' },
    title: 'A deployment does not exist',
    explain:
      'A webhook or an aggregated API names the deployment that answers it, which must be one of spec.install.spec.deployments.',
  },
  'bundle/duplicate-webhook': {
    validators: { opsdk: 'error' },
    title: 'Two webhooks have one name',
    explain: 'Webhooks of one type need different names.',
  },
  'bundle/invalid-webhook': {
    validators: { opsdk: 'error' },
    title: 'A webhook is not valid',
    explain: 'OLM creates a webhook configuration from the entry; from this one it cannot.',
  },
  'bundle/forbidden-webhook-rule': {
    validators: { opsdk: 'error' },
    title: 'A webhook intercepts too much',
    explain:
      'OLM refuses webhooks for all API groups, for its own, and for webhook configurations: they could make it impossible to remove them.',
  },
} as const satisfies BundleRules;

type Rules = typeof rules & SharedRules;

const types = ['ValidatingAdmissionWebhook', 'MutatingAdmissionWebhook', 'ConversionWebhook'];

/**
 * Resources to which a webhook must not apply. Otherwise, it could prevent the deletion of webhook configurations, including its own
 * configuration.
 */
const admissionResources = [
  '*',
  'mutatingwebhookconfiguration',
  'mutatingwebhookconfigurations',
  'validatingwebhookconfiguration',
  'validatingwebhookconfigurations',
];

interface Webhook {
  readonly name: string;
  readonly type: string;
  readonly deploymentName: string;
  readonly crds: readonly string[];
  readonly value: Readonly<Record<string, unknown>>;
  readonly path: FieldPath;
}

/**
 * Checks `spec.webhookdefinitions`, and the deployments that aggregated APIs name. Reports definitions that OLM refuses to install. OLM
 * creates webhook configurations from the definitions; `checkWebhook` reports problems because of which the API server would refuse these
 * configurations. Source: operator-controller `registryv1/validators`; operator-lifecycle-manager `pkg/controller/install/webhook.go`.
 */
const checkWebhooks: Check<Rules, 'opsdk'> = ({ csv }, report) => {
  if (csv === undefined) return;
  const webhooks = webhooksOf(csv);
  const deployments = new Set(csvDeployments(csv).map(({ name }) => name));
  const seen = new Set<string>();
  for (const webhook of webhooks) {
    checkDefinition(csv, webhook, deployments, report);
    const id = JSON.stringify([webhook.type, webhook.name]);
    const isTwice = seen.has(id);
    seen.add(id);
    if (!isTwice || webhook.name === '') continue;
    const message = `there are two webhooks ${webhook.name} of type ${webhook.type}`;
    report.error(
      'bundle/duplicate-webhook',
      [csv, [...webhook.path, 'generateName']],
      message,
      'rename one of the two',
    );
  }
  checkConversions(
    csv,
    webhooks.filter(({ type, crds }) => type === 'ConversionWebhook' || crds.length > 0),
    report,
  );
  const services = ['spec', 'apiservicedefinitions', 'owned'] as const;
  for (const [index, entry] of listOf(fieldAt(csv.value, ...services)).entries()) {
    const name = textOf(mapOf(entry)['deploymentName']);
    if (name !== '')
      checkDeploymentName(
        csv,
        [...services, index, 'deploymentName'],
        'the aggregated API',
        name,
        deployments,
        report,
      );
  }
};

function webhooksOf(csv: BundleObject): readonly Webhook[] {
  const path = ['spec', 'webhookdefinitions'] as const;
  return listOf(fieldAt(csv.value, ...path)).map((entry, index) => {
    const value = mapOf(entry);
    return {
      name: textOf(value['generateName']),
      type: textOf(value['type']),
      deploymentName: textOf(value['deploymentName']),
      crds: textsOf(value['conversionCRDs']),
      value,
      path: [...path, index],
    };
  });
}

function checkDefinition(
  csv: BundleObject,
  webhook: Webhook,
  deployments: ReadonlySet<string>,
  report: Report<Rules, 'opsdk'>,
): void {
  const { name, type, deploymentName, value, path } = webhook;
  const wrong = (field: string, message: string, fix: string): void =>
    report.error('bundle/invalid-webhook', [csv, [...path, field]], message, fix);
  const problem = name === '' ? undefined : subdomainProblem(name);
  if (problem !== undefined)
    wrong(
      'generateName',
      `the webhook's name ${JSON.stringify(name)} is not valid: ${problem}`,
      'choose another name',
    );
  if (type !== '' && !types.includes(type))
    wrong('type', `unknown webhook type ${type}; expected one of ${types.join(', ')}`, 'correct the type');
  const port = value['containerPort'];
  if (typeof port === 'number' && (port < 1 || port > 65535))
    wrong('containerPort', `the port ${port} is not between 1 and 65535`, 'correct the port');
  checkDeploymentName(
    csv,
    [...path, 'deploymentName'],
    `the webhook ${name}`,
    deploymentName,
    deployments,
    report,
  );
  if (type === 'ConversionWebhook') return;
  for (const found of checkWebhook(value))
    report.error(
      'bundle/invalid-webhook',
      [csv, [...path, ...found.path]],
      label(name, found.message),
      found.fix,
    );
  const webPath = textOf(value['webhookPath']);
  checkPath(['webhookPath'], webPath, (at, message, fix) =>
    report.error('bundle/invalid-webhook', [csv, [...path, ...at]], label(name, message), fix),
  );
  for (const [index, entry] of listOf(value['rules']).entries()) {
    const rule = mapOf(entry);
    for (const group of textsOf(rule['apiGroups'])) {
      const resources = textsOf(rule['resources']).filter((resource) =>
        admissionResources.includes(resource.toLowerCase()),
      );
      const isWhole = group === '*' || group === 'olm.operatorframework.io';
      const isAdmission = group === 'admissionregistration.k8s.io' && resources.length > 0;
      if (!isWhole && !isAdmission) continue;
      const what = isWhole ? `the API group ${group}` : `${resources.join(', ')} of ${group}`;
      const message = `the webhook ${name} has a rule for ${what}, which OLM refuses, as the webhook could block its own removal`;
      const fix = 'name the groups and resources that the webhook is for';
      report.error('bundle/forbidden-webhook-rule', [csv, [...path, 'rules', index]], message, fix);
    }
  }
}

function label(name: string, message: string): string {
  return `the webhook ${name}: ${message}`;
}

function checkDeploymentName(
  csv: BundleObject,
  path: FieldPath,
  what: string,
  name: string,
  names: ReadonlySet<string>,
  { error }: Report<Rules, 'opsdk'>,
): void {
  if (names.has(name)) return;
  error(
    'bundle/unknown-deployment',
    [csv, path],
    name === ''
      ? `${what} names no deployment`
      : `${what} names the deployment ${name}, which the ClusterServiceVersion does not have`,
    names.size === 0 ? 'add the deployment' : `write one of ${[...names].slice(0, 10).join(', ')}`,
  );
}

function checkConversions(
  csv: BundleObject,
  webhooks: readonly Webhook[],
  { error }: Report<Rules, 'opsdk'>,
): void {
  const modes = supportedModes(csv);
  const owned = new Set(
    listOf(fieldAt(csv.value, 'spec', 'customresourcedefinitions', 'owned')).map((entry) =>
      textOf(mapOf(entry)['name']),
    ),
  );
  const users = new Map<string, string>();
  for (const { name, type, crds, path } of webhooks) {
    if (modes.length !== 1 || modes[0] !== 'AllNamespaces') {
      error(
        'bundle/conversion-webhook',
        [csv, path],
        `the webhook ${name} converts objects of all namespaces, but the install modes are ${modes.join(', ') || 'none'}`,
        'support the install mode AllNamespaces only',
      );
    }
    if (type === 'ConversionWebhook' && crds.length === 0) {
      const message = `the conversion webhook ${name} names no CustomResourceDefinition`;
      error('bundle/conversion-webhook', [csv, path], message, 'name them in conversionCRDs');
    }
    for (const [index, crd] of crds.entries()) {
      const place = [csv, [...path, 'conversionCRDs', index]] as const;
      const other = users.get(crd);
      users.set(crd, other ?? name);
      if (!owned.has(crd)) {
        const message = `the conversion webhook ${name} is for ${crd}, which the operator does not own`;
        error(
          'bundle/conversion-webhook',
          place,
          message,
          'correct the name, or own the CustomResourceDefinition',
        );
      }
      if (other !== undefined) {
        const message = `two conversion webhooks, ${other} and ${name}, are for ${crd}`;
        error('bundle/conversion-webhook', place, message, 'leave one of them');
      }
    }
  }
}

export const webhookRules = ruleModule<typeof rules, Rules>(rules, { opsdk: [checkWebhooks] });

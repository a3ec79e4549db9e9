import { servicePathProblem } from '../../../../kubernetes/crd/rules/conversion.ts';
import type { FieldPath } from '../../../../kubernetes/crd/index.ts';
import { label1035Problem, subdomainProblem } from '../../../../kubernetes/crd/names.ts';
import {
  isJsonMap,
  jsonListOf,
  jsonMapOf,
  jsonTextOf,
  type JsonMap,
} from '../../../../base/util/json-map.ts';
import { checkMatchConditions } from './match-conditions.ts';
import { checkRule } from './rule.ts';
import { checkSelector } from './selector.ts';
import type { AddViolation, WebhookViolation } from './violation.ts';

/** The versions of AdmissionReview that the API server speaks. Source: `AcceptedAdmissionReviewVersions`. */
const reviewVersions = ['v1', 'v1beta1'];

const enumerations = {
  failurePolicy: ['Fail', 'Ignore'],
  matchPolicy: ['Equivalent', 'Exact'],
  sideEffects: ['None', 'NoneOnDryRun'],
  reinvocationPolicy: ['Never', 'IfNeeded'],
} as const;

/**
 * Finds what the API server refuses in a MutatingWebhookConfiguration or ValidatingWebhookConfiguration, but for `metadata`.
 * Source: kubernetes `pkg/apis/admissionregistration/validation/validation.go`, v1.
 */
export function checkWebhookConfiguration({ kind, webhooks }: JsonMap): readonly WebhookViolation[] {
  const found: WebhookViolation[] = [];
  const names = new Set<string>();
  for (const [index, entry] of jsonListOf(webhooks).entries()) {
    const webhook = jsonMapOf(entry);
    const add: AddViolation = (path, message, fix) =>
      void found.push({ path: ['webhooks', index, ...path], message, fix });
    const name = jsonTextOf(webhook['name']);
    checkName(name, add);
    if (name !== '' && names.has(name))
      add(['name'], `two webhooks have the name ${name}`, 'rename one of the two');
    names.add(name);
    checkReviewVersions(jsonListOf(webhook['admissionReviewVersions']).map(jsonTextOf), add);
    if (webhook['sideEffects'] === undefined)
      add(['sideEffects'], 'sideEffects is missing', 'write None or NoneOnDryRun');
    if (kind === 'ValidatingWebhookConfiguration' && webhook['reinvocationPolicy'] !== undefined)
      add(
        ['reinvocationPolicy'],
        'only webhooks that change objects are asked again',
        'remove reinvocationPolicy',
      );
    const client = jsonMapOf(webhook['clientConfig']);
    const { service } = client;
    if (isJsonMap(service)) checkPath(['clientConfig', 'service', 'path'], jsonTextOf(service['path']), add);
    for (const { path, message, fix } of checkWebhook(webhook)) add(path, message, fix);
  }
  return found;
}

/**
 * Finds what the API server refuses in the fields that a webhook has in a configuration and in a ClusterServiceVersion alike; paths lead
 * from the webhook.
 */
export function checkWebhook(webhook: JsonMap): readonly WebhookViolation[] {
  const found: WebhookViolation[] = [];
  const add: AddViolation = (path, message, fix) => void found.push({ path, message, fix });
  for (const [field, allowed] of Object.entries(enumerations)) {
    const value = webhook[field];
    if (value === undefined || allowed.some((each) => each === value)) continue;
    const expected = allowed.join(' or ');
    add([field], `${field}: expected ${expected}, got ${JSON.stringify(value)}`, `write ${expected}`);
  }
  const timeout = webhook['timeoutSeconds'];
  if (
    timeout !== undefined &&
    !(Number.isInteger(timeout) && Number(timeout) >= 1 && Number(timeout) <= 30)
  ) {
    const message = `timeoutSeconds: expected a whole number from 1 to 30, got ${JSON.stringify(timeout)}`;
    add(['timeoutSeconds'], message, 'write a number of seconds from 1 to 30');
  }
  for (const field of ['namespaceSelector', 'objectSelector'])
    if (isJsonMap(webhook[field])) checkSelector(field, webhook[field], add);
  checkMatchConditions(jsonListOf(webhook['matchConditions']), add);
  for (const [index, rule] of jsonListOf(webhook['rules']).entries()) checkRule(jsonMapOf(rule), index, add);
  return found;
}

/** Checks the path of a Service at which a webhook is called. */
export function checkPath(at: FieldPath, path: string, add: AddViolation): void {
  const problem = servicePathProblem(path);
  if (problem !== undefined)
    add(
      at,
      `the path '${path}' is not valid: ${problem}`,
      'write a path such as /validate-v1-thing: lower-case letters, digits and -',
    );
}

/** Source: apimachinery `IsFullyQualifiedName`. */
function checkName(name: string, add: AddViolation): void {
  const problem =
    subdomainProblem(name) ??
    (name.split('.').length < 3 ? 'it has fewer than three parts that are separated by dots' : undefined);
  if (problem !== undefined)
    add(
      ['name'],
      `the webhook's name '${name}' is not valid: ${problem}`,
      'write a name such as vthing.example.com',
    );
}

function checkReviewVersions(versions: readonly string[], add: AddViolation): void {
  const at = 'admissionReviewVersions';
  const fix = 'write [v1]';
  if (versions.length === 0) return add([at], `${at} is missing or empty`, fix);
  for (const [index, version] of versions.entries()) {
    const problem = versions.indexOf(version) < index ? 'it is listed twice' : label1035Problem(version);
    if (problem !== undefined)
      add([at, index], `the review version '${version}' is not valid: ${problem}`, fix);
  }
  if (versions.some((version) => reviewVersions.includes(version))) return;
  add(
    [at],
    `none of the review versions is one that the API server speaks (${reviewVersions.join(', ')})`,
    fix,
  );
}

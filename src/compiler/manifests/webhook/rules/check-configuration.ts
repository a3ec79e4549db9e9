import { servicePathProblem, type FieldPath, celSyntaxProblem } from '../../../../kubernetes/crd/index.ts';
import {
  label1035Problem,
  subdomainProblem,
  labelValueProblem,
  qualifiedNameProblem,
} from '../../../../kubernetes/objects/index.ts';
import {
  isJsonMap,
  jsonListOf,
  jsonMapOf,
  jsonTextOf,
  type JsonMap,
} from '../../../../base/util/json-map.ts';

/** Versions of AdmissionReview that the API server supports. Source: `AcceptedAdmissionReviewVersions`. */
const reviewVersions = ['v1', 'v1beta1'];

const enumerations = {
  failurePolicy: ['Fail', 'Ignore'],
  matchPolicy: ['Equivalent', 'Exact'],
  sideEffects: ['None', 'NoneOnDryRun'],
  reinvocationPolicy: ['Never', 'IfNeeded'],
} as const;

/**
 * Finds violations of the API server's rules in a MutatingWebhookConfiguration or ValidatingWebhookConfiguration. Does not check
 * `metadata`. Source: kubernetes `pkg/apis/admissionregistration/validation/validation.go`, v1.
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
        'reinvocationPolicy is only for mutating webhooks, and this webhook validates',
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
 * Finds violations of the API server's rules in the fields that webhooks have both in a configuration and in a ClusterServiceVersion. Paths
 * are relative to the webhook.
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

/** Checks the URL path under which the API server calls a webhook at its Service. */
export function checkPath(at: FieldPath, path: string, add: AddViolation): void {
  const problem = servicePathProblem(path);
  if (problem !== undefined)
    add(
      at,
      `the webhook's path '${path}' is not valid: ${problem}`,
      'write a path such as /validate-v1-thing: lower-case letters, digits and -',
    );
}

/** Checks the name of a webhook. Source: apimachinery `IsFullyQualifiedName`. */
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

const withValues = ['In', 'NotIn'];
const withoutValues = ['Exists', 'DoesNotExist'];
const operators = [...withValues, ...withoutValues];

/** Checks a label selector. Source: apimachinery `ValidateLabelSelector`. */
function checkSelector(field: string, { matchLabels, matchExpressions }: JsonMap, add: AddViolation): void {
  const checkKey = (path: readonly (string | number)[], key: string): void => {
    const problem = qualifiedNameProblem(key);
    if (problem !== undefined)
      add(path, `${field}: the label '${key}' is not valid: ${problem}`, 'write the key of a label');
  };
  const checkValue = (path: readonly (string | number)[], value: string): void => {
    const problem = labelValueProblem(value);
    if (problem !== undefined)
      add(path, `${field}: the value '${value}' is not valid: ${problem}`, 'write the value of a label');
  };
  for (const [key, value] of Object.entries(jsonMapOf(matchLabels))) {
    checkKey([field, 'matchLabels', key], key);
    checkValue([field, 'matchLabels', key], jsonTextOf(value));
  }
  for (const [index, item] of jsonListOf(matchExpressions).entries()) {
    const requirement = jsonMapOf(item);
    const at = [field, 'matchExpressions', index];
    const operator = jsonTextOf(requirement['operator']);
    const values = jsonListOf(requirement['values']).map(jsonTextOf);
    checkKey([...at, 'key'], jsonTextOf(requirement['key']));
    for (const [position, value] of values.entries()) checkValue([...at, 'values', position], value);
    if (!operators.includes(operator)) {
      const expected = operators.join(', ');
      add(
        [...at, 'operator'],
        `${field}: expected one of ${expected}, got '${operator}'`,
        `write one of ${expected}`,
      );
    } else if (withValues.includes(operator) && values.length === 0)
      add([...at, 'values'], `${field}: the operator ${operator} needs values`, 'write at least one value');
    else if (withoutValues.includes(operator) && values.length > 0)
      add([...at, 'values'], `${field}: the operator ${operator} takes no values`, 'remove the values');
  }
}

const operations = ['*', 'CREATE', 'UPDATE', 'DELETE', 'CONNECT'];
const scopes = ['*', 'Cluster', 'Namespaced'];

/** Checks a rule of a webhook. Source: `validateRuleWithOperations`. */
function checkRule(rule: JsonMap, index: number, add: AddViolation): void {
  const texts = (field: string): readonly string[] => jsonListOf(rule[field]).map(jsonTextOf);
  const at = (...path: readonly (string | number)[]): readonly (string | number)[] => [
    'rules',
    index,
    ...path,
  ];
  for (const field of ['operations', 'apiGroups', 'apiVersions', 'resources']) {
    const values = texts(field);
    if (values.length === 0) add(at(field), `a rule lacks ${field}`, `name ${field}`);
    const isLone = field !== 'resources';
    if (isLone && values.length > 1 && values.includes('*'))
      add(
        at(field),
        `${field} of a rule: '*' is listed beside other values, all of which it includes`,
        "leave '*' alone, or remove it",
      );
    for (const [position, value] of values.entries()) {
      if (value !== '' || field === 'apiGroups') continue;
      add(at(field, position), `an item of ${field} of a rule is empty`, 'remove it, or write a name');
    }
  }
  for (const [position, operation] of texts('operations').entries()) {
    if (operations.includes(operation)) continue;
    const expected = operations.join(', ');
    add(
      at('operations', position),
      `expected one of ${expected}, got '${operation}'`,
      `write one of ${expected}`,
    );
  }
  if (rule['scope'] !== undefined && !scopes.includes(jsonTextOf(rule['scope'])))
    add(
      at('scope'),
      `expected one of ${scopes.join(', ')}, got ${JSON.stringify(rule['scope'])}`,
      'correct the scope',
    );
  checkResources(texts('resources'), (path, ...rest) => add(at('resources', ...path), ...rest));
}

/** Checks for resources that exclude one another. Source: `validateResources`. */
function checkResources(resources: readonly string[], add: AddViolation): void {
  const fix = 'leave one of the two out';
  if (resources.length > 1 && resources.includes('*/*'))
    add([], "resources of a rule: '*/*' is listed beside other resources, all of which it includes", fix);
  // If the list contains `*`, the API server checks only the last entry without a subresource.
  const last = resources.filter((each) => !each.includes('/')).at(-1);
  if (resources.includes('*') && last !== '*')
    add(
      [],
      "resources of a rule: '*' is listed beside other resources without a subresource, all of which it includes",
      fix,
    );
  for (const [index, resource] of resources.entries()) {
    const [name = '', subresource] = resource.split(/\/(.*)/s);
    if (subresource === undefined) continue;
    const wider = [`${name}/*`, `*/${subresource}`].find(
      (each) => resources.indexOf(each) < index && resources.includes(each),
    );
    if (wider !== undefined)
      add([index], `resources of a rule: '${resource}' is listed, but '${wider}' already includes it`, fix);
  }
}

/** Maximum number of match conditions of a webhook. Source: `validateMatchConditions`. */
const MOST = 64;

const at = 'matchConditions';

/**
 * Checks the match conditions of a webhook: how many there are, their names, and the syntax of their expressions. Does not check types and
 * names in the expressions.
 */
function checkMatchConditions(conditions: readonly unknown[], add: AddViolation): void {
  if (conditions.length > MOST)
    add(
      [at],
      `matchConditions: expected at most ${MOST}, got ${conditions.length}`,
      'join some of them by &&',
    );
  const names = new Set<string>();
  for (const [index, item] of conditions.entries()) {
    const { name, expression } = jsonMapOf(item);
    checkConditionName([at, index, 'name'], jsonTextOf(name), names, add);
    const text = jsonTextOf(expression).trim();
    const syntax = text === '' ? 'it is empty' : celSyntaxProblem(text);
    if (syntax !== undefined)
      add(
        [at, index, 'expression'],
        `the expression of a match condition is not valid CEL: ${syntax}`,
        'write an expression such as request.namespace != "kube-system"',
      );
  }
}

function checkConditionName(
  path: readonly (string | number)[],
  name: string,
  names: Set<string>,
  add: AddViolation,
): void {
  const problem = names.has(name) ? 'another one has it' : qualifiedNameProblem(name);
  names.add(name);
  if (problem !== undefined)
    add(
      path,
      `the name '${name}' of a match condition is not valid: ${problem}`,
      'write another name, such as not-a-lease',
    );
}

/** Violation of one of the API server's rules in a webhook. */
interface WebhookViolation {
  /** Path of the field, from the document or from the webhook. */
  readonly path: FieldPath;
  /** Message with the subject, the expected value and the actual value. */
  readonly message: string;
  readonly fix: string;
}

/** Adds a violation to the list. */
type AddViolation = (path: FieldPath, message: string, fix: string) => void;

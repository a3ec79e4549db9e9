import {
  duplicateValue,
  invalidValue,
  isObject,
  listOf,
  objectOf,
  qualifiedNameProblems,
  required,
  subdomainProblems,
  tooLong,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { choiceErrors, nonNegative, objectsOf, problemErrors } from './checks.ts';

const quoted = (values: readonly string[]): string => values.map((value) => JSON.stringify(value)).join(' ');

/** Returns the errors of a value that is required, and one of the supported ones. */
function neededChoiceErrors(
  value: Json | undefined,
  field: string,
  supported: readonly string[],
): readonly FieldError[] {
  return jsonTextOf(value) === ''
    ? [required(field, `valid values: [${quoted(supported)}]`)]
    : choiceErrors(value, field, supported);
}

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

/** Returns the errors of the policy about failed Pods of a Job. Source: kubernetes `validatePodFailurePolicy`. */
export function failurePolicyErrors(spec: JsonObject, path: string): readonly FieldError[] {
  const pod = objectOf(objectOf(spec['template'])['spec']);
  const names = new Set(
    [...objectsOf(pod['containers']), ...objectsOf(pod['initContainers'])].map(({ name }) =>
      jsonTextOf(name),
    ),
  );
  return objectsOf(objectOf(spec['podFailurePolicy'])['rules']).flatMap((rule, index) => {
    const at = `${path}.rules[${index}]`;
    const { action, onExitCodes } = rule;
    const conditions = objectsOf(rule['onPodConditions']);
    const errors =
      action === 'FailIndex' && spec['backoffLimitPerIndex'] === undefined
        ? [invalidValue(`${at}.action`, action, 'requires the backoffLimitPerIndex to be set')]
        : [...neededChoiceErrors(action, `${at}.action`, actions)];
    if (isObject(onExitCodes)) errors.push(...exitCodeErrors(onExitCodes, `${at}.onExitCodes`, names));
    for (const [number, { type = '', status }] of conditions.entries())
      errors.push(
        ...problemErrors(type, `${at}.onPodConditions[${number}].type`, qualifiedNameProblems),
        ...neededChoiceErrors(status, `${at}.onPodConditions[${number}].status`, [
          'False',
          'True',
          'Unknown',
        ]),
      );
    if (isObject(onExitCodes) === conditions.length > 0) {
      const problem = isObject(onExitCodes)
        ? 'specifying both OnExitCodes and OnPodConditions is not supported'
        : 'specifying one of OnExitCodes and OnPodConditions is required';
      errors.push({ type: 'FieldValueInvalid', field: at, body: `Invalid value: ${problem}` });
    }
    return errors;
  });
}

function exitCodeErrors(
  { operator, containerName, values }: JsonObject,
  at: string,
  names: ReadonlySet<string>,
): readonly FieldError[] {
  const codes = listOf(values).map(Number);
  const errors = [...neededChoiceErrors(operator, `${at}.operator`, ['In', 'NotIn'])];
  if (containerName !== undefined && !names.has(jsonTextOf(containerName)))
    errors.push(
      invalidValue(
        `${at}.containerName`,
        containerName,
        'must be one of the container or initContainer names in the pod template',
      ),
    );
  const field = `${at}.values`;
  if (codes.length === 0) errors.push(invalidValue(field, null, 'at least one value is required'));
  for (const [index, code] of codes.entries()) {
    if (operator === 'In' && code === 0)
      errors.push(invalidValue(`${field}[${index}]`, code, 'must not be 0 for the In operator'));
    if (codes.indexOf(code) < index) errors.push(duplicateValue(`${field}[${index}]`, code));
  }
  if (codes.some((code, index) => index > 0 && Number(codes[index - 1]) > code))
    errors.push(invalidValue(field, codes, 'must be ordered'));
  return errors;
}

/** Returns the errors of the policy about the success of a Job. Source: kubernetes `validateSuccessPolicy`. */
export function successPolicyErrors(spec: JsonObject, path: string): readonly FieldError[] {
  const policy = spec['successPolicy'];
  if (!isObject(policy)) return [];
  if (spec['completionMode'] !== 'Indexed')
    return [invalidValue(path, policy, 'requires indexed completion mode')];
  const rules = objectsOf(policy['rules']);
  const completions = Number(spec['completions'] ?? 0);
  if (rules.length === 0)
    return [
      required(`${path}.rules`, 'at least one rules must be specified when the successPolicy is specified'),
    ];
  return rules.flatMap((rule, index) => successRuleErrors(rule, completions, `${path}.rules[${index}]`));
}

function successRuleErrors(rule: JsonObject, completions: number, at: string): readonly FieldError[] {
  const { succeededCount: count, succeededIndexes: indexes } = rule;
  if (count === undefined && indexes === undefined)
    return [required(at, 'at least one of succeededCount or succeededIndexes must be specified')];
  const errors: FieldError[] = [];
  const total = indexes === undefined ? 0 : indexCount(jsonTextOf(indexes), completions);
  if (typeof total === 'string')
    errors.push(
      invalidValue(`${at}.succeededIndexes`, indexes ?? '', `error parsing succeededIndexes: ${total}`),
    );
  if (typeof count !== 'number') return errors;
  const field = `${at}.succeededCount`;
  const most = typeof total === 'string' ? 0 : total;
  errors.push(...nonNegative(count, field));
  if (count > completions)
    errors.push(
      invalidValue(
        field,
        count,
        `must be less than or equal to ${completions} (the number of specified completions)`,
      ),
    );
  if (indexes !== undefined && count > most)
    errors.push(
      invalidValue(
        field,
        count,
        `must be less than or equal to ${most} (the number of indexes in the specified succeededIndexes field)`,
      ),
    );
  return errors;
}

/** Returns the number of indexes in a text such as `0,2-4`, or the problem of the text. Source: kubernetes `validateIndexesFormat`. */
function indexCount(text: string, completions: number): number | string {
  let last: number | undefined;
  let total = 0;
  for (const interval of text === '' ? [] : text.split(',')) {
    const limits = interval.split('-');
    if (limits.length > 2)
      return `the fragment ${JSON.stringify(interval)} violates the requirement that an index interval can have at most two parts separated by '-'`;
    for (const limit of limits) {
      if (!/^[+-]?\d+$/.test(limit))
        return `cannot convert string to integer for index: ${JSON.stringify(limit)}`;
      if (Number(limit) >= completions) return `too large index: ${JSON.stringify(limit)}`;
    }
    const [first, end = limits[0]] = limits;
    const [from, to] = [Number(first), Number(end)];
    if (limits.length === 2 && from >= to) return `non-increasing order, previous: ${from}, current: ${to}`;
    if (last !== undefined && last >= from)
      return `non-increasing order, previous: ${last}, current: ${from}`;
    total += to - from + 1;
    last = to;
  }
  return total;
}

/** Returns the errors of the name of a controller of Jobs. Source: apimachinery `IsDomainPrefixedPath`. */
export function managerErrors(value: Json | undefined, field: string): readonly FieldError[] {
  if (value === undefined) return [];
  const text = jsonTextOf(value);
  if (text === '') return [required(field)];
  const slash = text.indexOf('/');
  const [host, path] = [text.slice(0, Math.max(slash, 0)), text.slice(slash + 1)];
  const long = Buffer.byteLength(text) > 63 ? [tooLong(field, 63)] : [];
  if (host === '' || path === '')
    return [invalidValue(field, text, 'must be a domain-prefixed path (such as "acme.io/foo")'), ...long];
  return [
    ...problemErrors(host, field, subdomainProblems),
    ...(/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path)
      ? []
      : [
          invalidValue(
            field,
            path,
            "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')",
          ),
        ]),
    ...long,
  ];
}

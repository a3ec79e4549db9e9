import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  isObject,
  labelProblems,
  labelValueProblems,
  listOf,
  objectOf,
  qualifiedNameProblems,
  required,
  subdomainProblems,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { choiceErrors, objectsOf, positive, problemErrors, selectorErrors } from './checks.ts';

/** Returns the errors of a selector of nodes. Source: kubernetes `ValidateNodeSelector`. */
export function nodeSelectorErrors(selector: JsonObject, path: string): readonly FieldError[] {
  const at = `${path}.nodeSelectorTerms`;
  const terms = listOf(selector['nodeSelectorTerms']);
  if (terms.length === 0) return [required(at, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => termErrors(objectOf(term), `${at}[${index}]`, true));
}

function termErrors(term: JsonObject, path: string, checksValues: boolean): readonly FieldError[] {
  return [
    ...objectsOf(term['matchExpressions']).flatMap((requirement, index) =>
      requirementErrors(requirement, `${path}.matchExpressions[${index}]`, checksValues),
    ),
    ...objectsOf(term['matchFields']).flatMap((requirement, index) =>
      fieldErrors(requirement, `${path}.matchFields[${index}]`),
    ),
  ];
}

function requirementErrors(
  { key, operator, values }: JsonObject,
  at: string,
  checksValues: boolean,
): readonly FieldError[] {
  const list = listOf(values);
  const errors: FieldError[] = [];
  switch (jsonTextOf(operator)) {
    case 'In':
    case 'NotIn':
      if (list.length === 0)
        errors.push(required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (list.length > 0)
        errors.push(
          forbiddenValue(
            `${at}.values`,
            "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
          ),
        );
      break;
    case 'Gt':
    case 'Lt':
      if (list.length !== 1)
        errors.push(
          required(`${at}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"),
        );
      break;
    default:
      errors.push(invalidValue(`${at}.operator`, operator ?? '', 'not a valid selector operator'));
  }
  errors.push(...problemErrors(key ?? '', `${at}.key`, qualifiedNameProblems));
  if (!checksValues) return errors;
  return [
    ...errors,
    ...list.flatMap((value, index) => problemErrors(value, `${at}.values[${index}]`, labelValueProblems)),
  ];
}

function fieldErrors({ key, operator, values }: JsonObject, at: string): readonly FieldError[] {
  const list = listOf(values);
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn')
    errors.push(invalidValue(`${at}.operator`, operator ?? '', 'not a valid selector operator'));
  else if (list.length !== 1)
    errors.push(
      required(
        `${at}.values`,
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      ),
    );
  if (key !== 'metadata.name')
    return [...errors, invalidValue(`${at}.key`, key ?? '', 'not a valid field selector key')];
  return [
    ...errors,
    ...list.flatMap((value, index) => problemErrors(value, `${at}.values[${index}]`, subdomainProblems)),
  ];
}

const preferredField = 'preferredDuringSchedulingIgnoredDuringExecution';
const requiredField = 'requiredDuringSchedulingIgnoredDuringExecution';

/** Returns the errors of the affinity of a Pod. Source: kubernetes `validateAffinity`. */
export function affinityErrors(affinity: JsonObject, path: string): readonly FieldError[] {
  const node = objectOf(affinity['nodeAffinity']);
  const errors: FieldError[] = [];
  if (isObject(node[requiredField]))
    errors.push(...nodeSelectorErrors(node[requiredField], `${path}.nodeAffinity.${requiredField}`));
  for (const [index, term] of objectsOf(node[preferredField]).entries()) {
    const at = `${path}.nodeAffinity.${preferredField}[${index}]`;
    errors.push(
      ...weightErrors(term['weight'], `${at}.weight`),
      ...termErrors(objectOf(term['preference']), `${at}.preference`, false),
    );
  }
  for (const name of ['podAffinity', 'podAntiAffinity']) {
    const own = objectOf(affinity[name]);
    for (const [index, term] of objectsOf(own[requiredField]).entries())
      errors.push(...podTermErrors(term, `${path}.${name}.${requiredField}[${index}]`));
    for (const [index, term] of objectsOf(own[preferredField]).entries()) {
      const at = `${path}.${name}.${preferredField}[${index}]`;
      errors.push(
        ...weightErrors(term['weight'], `${at}.weight`),
        ...podTermErrors(objectOf(term['podAffinityTerm']), `${at}.podAffinityTerm`),
      );
    }
  }
  return errors;
}

function weightErrors(weight: Json = 0, field: string): readonly FieldError[] {
  return Number(weight) <= 0 || Number(weight) > 100
    ? [invalidValue(field, weight, 'must be in the range 1-100')]
    : [];
}

function podTermErrors(term: JsonObject, at: string): readonly FieldError[] {
  const { labelSelector, namespaceSelector, namespaces, topologyKey = '' } = term;
  const [own, others] = [listOf(term['matchLabelKeys']), listOf(term['mismatchLabelKeys'])];
  const errors = [
    ...selectorErrors(labelSelector, `${at}.labelSelector`),
    ...selectorErrors(namespaceSelector, `${at}.namespaceSelector`),
    ...listOf(namespaces).flatMap((name) => problemErrors(name, `${at}.namespace`, labelProblems)),
    ...labelKeyErrors(own, labelSelector, `${at}.matchLabelKeys`),
    ...labelKeyErrors(others, labelSelector, `${at}.mismatchLabelKeys`),
    ...repeatedKeyErrors(own, labelSelector, at),
  ];
  for (const [index, key] of own.entries())
    if (others.includes(key))
      errors.push(
        invalidValue(
          `${at}.matchLabelKeys[${index}]`,
          key,
          'exists in both matchLabelKeys and mismatchLabelKeys',
        ),
      );
  if (topologyKey === '') errors.push(required(`${at}.topologyKey`, 'can not be empty'));
  return [...errors, ...problemErrors(topologyKey, `${at}.topologyKey`, qualifiedNameProblems)];
}

function labelKeyErrors(
  keys: readonly Json[],
  selector: Json | undefined,
  path: string,
): readonly FieldError[] {
  if (keys.length === 0) return [];
  if (selector === undefined)
    return [forbiddenValue(path, 'must not be specified when labelSelector is not set')];
  return keys.flatMap((key, index) => problemErrors(key, `${path}[${index}]`, qualifiedNameProblems));
}

/** Returns the errors of keys that a selector requires twice: once by itself, and once by the value of the Pod's own label. */
function repeatedKeyErrors(
  keys: readonly Json[],
  selector: Json | undefined,
  path: string,
): readonly FieldError[] {
  const known = new Set<Json>(Object.keys(objectOf(objectOf(selector)['matchLabels'])));
  return objectsOf(objectOf(selector)['matchExpressions']).flatMap(({ key = '' }) => {
    const isRepeated = keys.includes(key) && known.has(key);
    known.add(key);
    return isRepeated
      ? [
          invalidValue(
            `${path}[${keys.lastIndexOf(key)}]`,
            key,
            'exists in both matchLabelKeys and labelSelector',
          ),
        ]
      : [];
  });
}

/** Returns the errors of constraints about the spread of Pods. Source: kubernetes `validateTopologySpreadConstraints`. */
export function spreadErrors(list: Json | undefined, path: string): readonly FieldError[] {
  const constraints = objectsOf(list);
  return constraints.flatMap((constraint, index) => {
    const at = `${path}[${index}]`;
    const { topologyKey = '', whenUnsatisfiable: action = '', minDomains, labelSelector } = constraint;
    const keys = listOf(constraint['matchLabelKeys']);
    const isRepeated = constraints
      .slice(index + 1)
      .some(
        (other) =>
          (other['topologyKey'] ?? '') === topologyKey && (other['whenUnsatisfiable'] ?? '') === action,
      );
    return [
      ...positive(constraint['maxSkew'] ?? 0, `${at}.maxSkew`),
      ...(topologyKey === '' ? [required(`${at}.topologyKey`, 'can not be empty')] : []),
      ...choiceErrors(action, `${at}.whenUnsatisfiable`, ['DoNotSchedule', 'ScheduleAnyway']),
      ...(isRepeated
        ? [
            duplicateValue(
              `${at}.{topologyKey, whenUnsatisfiable}`,
              `{${jsonTextOf(topologyKey)}, ${jsonTextOf(action)}}`,
            ),
          ]
        : []),
      ...(minDomains === undefined ? [] : positive(minDomains, `${at}.minDomains`)),
      ...(minDomains === undefined || action === 'DoNotSchedule'
        ? []
        : [
            invalidValue(
              `${at}.minDomains`,
              minDomains,
              `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${jsonTextOf(action)}`,
            ),
          ]),
      ...['nodeAffinityPolicy', 'nodeTaintsPolicy'].flatMap((name) =>
        choiceErrors(constraint[name], `${at}.${name}`, ['Honor', 'Ignore']),
      ),
      ...labelKeyErrors(keys, labelSelector, `${at}.matchLabelKeys`),
      ...repeatedKeyErrors(keys, labelSelector, at),
      ...selectorErrors(labelSelector, `${at}.labelSelector`),
    ];
  });
}

/** Returns the error of a policy of preemption, of a Pod or a PriorityClass. */
export function preemptionErrors(policy: Json | undefined, path: string): readonly FieldError[] {
  return policy === '' ? [required(path)] : choiceErrors(policy, path, ['PreemptLowerPriority', 'Never']);
}

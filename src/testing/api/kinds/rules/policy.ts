import {
  FieldSet,
  invalidValue,
  objectOf,
  type FieldError,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import type { BuiltInEntry } from '../served-kind.ts';
import {
  intOrPercentErrors,
  nonNegativeFields,
  choiceErrors,
  over100Errors,
  selectorErrors,
  specOf,
} from './checks.ts';

function budgetErrors(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = spec;
  const errors: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined)
    errors.push(invalidValue('spec', spec, 'minAvailable and maxUnavailable cannot be both set'));
  for (const [name, value] of Object.entries({ minAvailable, maxUnavailable }))
    errors.push(...intOrPercentErrors(value, `spec.${name}`), ...over100Errors(value, `spec.${name}`));
  return [
    ...errors,
    ...selectorErrors(selector, 'spec.selector'),
    ...choiceErrors(unhealthyPodEvictionPolicy, 'spec.unhealthyPodEvictionPolicy', [
      'AlwaysAllow',
      'IfHealthyBudget',
    ]),
  ];
}

const counts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const;

export const policyRules: Readonly<Record<string, BuiltInEntry>> = {
  'policy/v1 PodDisruptionBudget': {
    hasGeneration: true,
    // The server does not check the names of PodDisruptionBudgets.
    nameRule: () => [],
    allowsPlainFinalizers: true,
    checksMetadataLast: true,
    unconditionalUpdate: false,
    returnsDeleted: false,
    statusIgnores: FieldSet.of(['f:spec']),
    prepareCreate: (object) => void (object['status'] = Object.fromEntries(counts.map((name) => [name, 0]))),
    validate: budgetErrors,
    validateUpdate: budgetErrors,
    validateStatus: (now) => nonNegativeFields(objectOf(now['status']), 'status', ...counts),
  },
};

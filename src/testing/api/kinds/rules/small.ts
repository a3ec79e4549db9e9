import {
  forbiddenValue,
  invalidValue,
  objectOf,
  type FieldError,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { setDefaults, type BuiltInEntry } from '../served-kind.ts';
import { immutable, nonNegativeFields, specOf } from './checks.ts';
import { preemptionErrors } from './scheduling.ts';

function leaseErrors(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  const { leaseDurationSeconds: duration } = spec;
  const errors: FieldError[] = [];
  if (typeof duration === 'number' && duration <= 0)
    errors.push(invalidValue('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
  errors.push(...nonNegativeFields(spec, 'spec', 'leaseTransitions'));
  return errors;
}

/** Removes the fields of coordinated leader election, which the server does not have by default. */
function dropDisabled(object: JsonObject): void {
  const { strategy: _, preferredHolder: __, ...spec } = specOf(object);
  object['spec'] = spec;
}

const highestPriority = 1_000_000_000;

function priorityErrors(object: JsonObject): readonly FieldError[] {
  const { value = 0, preemptionPolicy } = object;
  const name = jsonTextOf(objectOf(object['metadata'])['name']);
  const errors: FieldError[] = [];
  if (name.startsWith('system-'))
    errors.push(
      forbiddenValue(
        'metadata.name',
        `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`,
      ),
    );
  else if (Number(value) > highestPriority)
    errors.push(
      forbiddenValue('value', `maximum allowed value of a user defined priority is ${highestPriority}`),
    );
  return [...errors, ...preemptionErrors(preemptionPolicy, 'preemptionPolicy')];
}

/** Rules of kinds that are families of their own. */
export const smallRules: Readonly<Record<string, BuiltInEntry>> = {
  'coordination.k8s.io/v1 Lease': {
    hasGeneration: false,
    allowsPlainFinalizers: true,
    unconditionalUpdate: false,
    returnsDeleted: false,
    prepareCreate: dropDisabled,
    prepareUpdate: dropDisabled,
    validate: leaseErrors,
    validateUpdate: leaseErrors,
  },
  'scheduling.k8s.io/v1 PriorityClass': {
    hasGeneration: true,
    generationFields: [],
    unconditionalUpdate: true,
    returnsDeleted: false,
    normalize: (object) => setDefaults(object, { preemptionPolicy: 'PreemptLowerPriority' }),
    validate: priorityErrors,
    validateUpdate: (now, before) => [
      ...((now['value'] ?? 0) === (before['value'] ?? 0)
        ? []
        : [forbiddenValue('value', 'may not be changed in an update.')]),
      ...immutable(now['preemptionPolicy'], before['preemptionPolicy'], 'preemptionPolicy'),
    ],
  },
};

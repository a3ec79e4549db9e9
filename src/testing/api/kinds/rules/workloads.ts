import {
  FieldSet,
  forbiddenValue,
  goJson,
  invalidValue,
  objectOf,
  required,
  unsupportedValue,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { isEqualJson } from '../../../../base/util/json-map.ts';
import { ensureObject, setDefaults, type BuiltInEntry } from '../served-kind.ts';
import {
  intOrPercentErrors,
  invalidSelector,
  nonNegativeFields,
  over100Errors,
  selectorErrors,
  selectorMatches,
  specOf,
} from './checks.ts';
import { templateErrors } from './pod-errors.ts';
import { dropDisabledOfTemplate, normalizeTemplate } from './pod-spec.ts';
import { hostnameWarnings, templateWarnings } from './pod-warnings.ts';

function normalizeDeployment(object: JsonObject): void {
  const spec = specOf(object);
  setDefaults(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const strategy = ensureObject(spec, 'strategy');
  setDefaults(strategy, { type: 'RollingUpdate' });
  if (strategy['type'] === 'RollingUpdate')
    setDefaults(ensureObject(strategy, 'rollingUpdate'), { maxUnavailable: '25%', maxSurge: '25%' });
  normalizeTemplate(spec['template']);
}

function deploymentErrors(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  const { progressDeadlineSeconds: deadline, minReadySeconds: ready = 0, strategy } = spec;
  const errors = [
    ...nonNegativeFields(spec, 'spec', 'replicas'),
    ...ownSelectorErrors(spec, 'deployment'),
    ...replicaTemplateErrors(spec),
    ...strategyErrors(objectOf(strategy)),
    ...nonNegativeFields(spec, 'spec', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'),
  ];
  if (typeof deadline === 'number' && deadline <= Number(ready))
    errors.push(
      invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'),
    );
  return errors;
}

function strategyErrors({ type, rollingUpdate }: JsonObject): readonly FieldError[] {
  const path = 'spec.strategy';
  const at = `${path}.rollingUpdate`;
  if (type === 'Recreate')
    return rollingUpdate === undefined
      ? []
      : [forbiddenValue(at, "may not be specified when strategy `type` is 'Recreate'")];
  if (type !== 'RollingUpdate')
    return [unsupportedValue(path, { Type: type ?? '', RollingUpdate: null }, ['Recreate', 'RollingUpdate'])];
  const { maxUnavailable, maxSurge } = objectOf(rollingUpdate);
  return [
    ...intOrPercentErrors(maxUnavailable, `${at}.maxUnavailable`),
    ...intOrPercentErrors(maxSurge, `${at}.maxSurge`),
    ...(isNone(maxUnavailable) && isNone(maxSurge)
      ? [invalidValue(`${at}.maxUnavailable`, maxUnavailable ?? 0, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...over100Errors(maxUnavailable, `${at}.maxUnavailable`),
  ];
}

/** Returns true for a number or a percentage of 0. The server takes other texts for 0. */
export function isNone(value: Json | undefined): boolean {
  if (typeof value !== 'string') return value === undefined || value === 0;
  return !/^\d+%$|^[+-]?\d+$/.test(value) || Number.parseInt(value, 10) === 0;
}

/** Returns the errors of the selector of a workload, which must not be empty. */
export function ownSelectorErrors({ selector }: JsonObject, kind: string): readonly FieldError[] {
  if (selector === undefined || selector === null) return [required('spec.selector')];
  const errors = selectorErrors(selector, 'spec.selector');
  const isEmpty = Object.keys(objectOf(selector)).length === 0;
  return isEmpty
    ? [...errors, invalidValue('spec.selector', {}, `empty selector is invalid for ${kind}`)]
    : errors;
}

/** Returns true for a selector that cannot select anything, because it is invalid. */
export const isUnusable = (selector: Json | undefined): boolean => selectorErrors(selector, '').length > 0;

/** Returns the errors of labels of a template that the selector of its workload does not match. */
export function mismatchErrors({ selector, template }: JsonObject, path = 'spec'): readonly FieldError[] {
  const labels = objectOf(objectOf(objectOf(template)['metadata'])['labels']);
  const isNothing = selector === undefined || selector === null;
  if (!isNothing && selectorMatches(selector, labels)) return [];
  return [
    {
      type: 'FieldValueInvalid',
      field: `${path}.template.metadata.labels`,
      body: `Invalid value: ${Object.keys(labels).length === 0 ? 'null' : goJson(labels)}: \`selector\` does not match template \`labels\``,
    },
  ];
}

function replicaTemplateErrors(spec: JsonObject): readonly FieldError[] {
  if (isUnusable(spec['selector']))
    return [invalidSelector(spec['selector'], 'spec.selector', 'invalid label selector')];
  return [
    ...mismatchErrors(spec),
    ...templateErrors(spec['template'], 'spec.template'),
    ...alwaysErrors(spec, 'ReplicaSet'),
  ];
}

/** Returns the errors of a template whose Pods must be restarted always. */
export function alwaysErrors({ template }: JsonObject, kind: string): readonly FieldError[] {
  const { restartPolicy, activeDeadlineSeconds } = objectOf(objectOf(template)['spec']);
  const path = 'spec.template.spec';
  return [
    ...(restartPolicy === 'Always'
      ? []
      : [unsupportedValue(`${path}.restartPolicy`, restartPolicy ?? '', ['Always'])]),
    ...(activeDeadlineSeconds === undefined
      ? []
      : [
          forbiddenValue(
            `${path}.activeDeadlineSeconds`,
            `activeDeadlineSeconds in ${kind} is not Supported`,
          ),
        ]),
  ];
}

export function selectorChange(now: JsonObject, before: JsonObject): readonly FieldError[] {
  const { selector } = specOf(now);
  return isEqualJson(selector ?? null, specOf(before)['selector'] ?? null)
    ? []
    : [invalidSelector(selector, 'spec.selector', 'field is immutable')];
}

/** Returns the errors of counts in a status that contradict each other. */
export function countErrors(
  object: JsonObject,
  names: readonly string[],
  ready = 'readyReplicas',
): readonly FieldError[] {
  const status = objectOf(object['status']);
  const count = (name: string): number => Number(status[name] ?? 0);
  const errors = nonNegativeFields(status, 'status', 'replicas', ...names, 'observedGeneration');
  for (const name of names)
    if (count(name) > count('replicas'))
      errors.push(invalidValue(`status.${name}`, count(name), 'cannot be greater than status.replicas'));
  if (count('availableReplicas') > count('readyReplicas'))
    errors.push(
      invalidValue('status.availableReplicas', count('availableReplicas'), `cannot be greater than ${ready}`),
    );
  return errors;
}

function replicaSetErrors(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  return [
    ...nonNegativeFields(spec, 'spec', 'replicas', 'minReadySeconds'),
    ...ownSelectorErrors(spec, 'deployment'),
    ...replicaTemplateErrors(spec),
  ];
}

function replicatedWarnings(now: JsonObject, before?: JsonObject): readonly string[] {
  return [
    ...(before === undefined ? hostnameWarnings(now, 'Pod names and hostnames') : []),
    ...changedTemplateWarnings(now, before),
  ];
}

/** Returns the warnings about the template of a workload that is new, or has a new generation. */
export function changedTemplateWarnings(now: JsonObject, before?: JsonObject): readonly string[] {
  const generation = (object: JsonObject): Json | undefined => objectOf(object['metadata'])['generation'];
  return before !== undefined && generation(now) === generation(before)
    ? []
    : templateWarnings(specOf(now)['template'], 'spec.template');
}

/** Properties that all workloads share. */
export const workload = { hasGeneration: true, unconditionalUpdate: true, returnsDeleted: false } as const;
export const scale = { spec: 'spec.replicas', status: 'status.replicas', selector: 'spec.selector' } as const;

export const workloadRules: Readonly<Record<string, BuiltInEntry>> = {
  'apps/v1 Deployment': {
    ...workload,
    scale,
    generationFields: ['spec', 'metadata.annotations'],
    // The status endpoint of Deployments also accepts annotations and further metadata.
    statusIgnores: FieldSet.of(['f:spec'], ['f:metadata', 'f:labels']),
    normalize: normalizeDeployment,
    prepareCreate: (object) => {
      object['status'] = {};
      dropDisabledOfTemplate(specOf(object)['template']);
    },
    prepareUpdate: (object) => dropDisabledOfTemplate(specOf(object)['template']),
    warnings: (now, before) => replicatedWarnings(now, before),
    validate: deploymentErrors,
    validateUpdate: (now, before) => [...deploymentErrors(now), ...selectorChange(now, before)],
    validateStatus: (now) => countErrors(now, ['updatedReplicas', 'readyReplicas', 'availableReplicas']),
  },
  'apps/v1 ReplicaSet': {
    ...workload,
    scale,
    statusIgnores: FieldSet.of(['f:spec']),
    selectableFields: ['status.replicas'],
    normalize: (object) => {
      const spec = specOf(object);
      setDefaults(spec, { replicas: 1 });
      normalizeTemplate(spec['template']);
    },
    prepareCreate: (object) => {
      object['status'] = { replicas: 0 };
      dropDisabledOfTemplate(specOf(object)['template']);
    },
    prepareUpdate: (object) => dropDisabledOfTemplate(specOf(object)['template']),
    warnings: (now, before) => replicatedWarnings(now, before),
    validate: replicaSetErrors,
    validateUpdate: (now, before) => [...replicaSetErrors(now), ...selectorChange(now, before)],
    validateStatus: (now) =>
      countErrors(now, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'], 'readyReplicas'),
  },
};

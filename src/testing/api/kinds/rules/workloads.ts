import {
  FieldSet,
  forbiddenValue,
  goJson,
  invalidValue,
  labelProblems,
  objectOf,
  required,
  unsupportedValue,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { isEqualJson, jsonTextOf } from '../../../../base/util/json-map.ts';
import { ensureObject, setDefaults, type BuiltInEntry } from '../served-kind.ts';
import {
  immutable,
  intOrPercentErrors,
  nameErrors,
  nonNegativeFields,
  objectsOf,
  choiceErrors,
  over100Errors,
  selectorErrors,
  selectorMatches,
  specOf,
} from './checks.ts';
import { templateErrors } from './pod-errors.ts';
import { normalizeTemplate } from './pod-spec.ts';
import { claimSpecErrors, normalizeClaim } from './claims.ts';

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

const isNone = (value: Json | undefined): boolean =>
  value === undefined || value === 0 || (typeof value === 'string' && Number.parseInt(value, 10) === 0);

/** Returns the errors of the selector of a workload, which must not be empty. */
function ownSelectorErrors({ selector }: JsonObject, kind: string): readonly FieldError[] {
  if (selector === undefined || selector === null) return [required('spec.selector')];
  const errors = selectorErrors(selector, 'spec.selector');
  const isEmpty = Object.keys(objectOf(selector)).length === 0;
  return isEmpty
    ? [...errors, invalidValue('spec.selector', {}, `empty selector is invalid for ${kind}`)]
    : errors;
}

/** Returns true for a selector that cannot select anything, because its expressions are invalid. */
const isUnusable = (selector: Json | undefined): boolean =>
  selectorErrors({ matchExpressions: objectOf(selector)['matchExpressions'] ?? [] }, '').length > 0;

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
    return [invalidValue('spec.selector', spec['selector'] ?? null, 'invalid label selector')];
  return [
    ...mismatchErrors(spec),
    ...templateErrors(spec['template'], 'spec.template'),
    ...alwaysErrors(spec, 'ReplicaSet'),
  ];
}

/** Returns the errors of a template whose Pods must be restarted always. */
function alwaysErrors({ template }: JsonObject, kind: string): readonly FieldError[] {
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

const selectorChange = (now: JsonObject, before: JsonObject): readonly FieldError[] =>
  immutable(specOf(now)['selector'], specOf(before)['selector'], 'spec.selector');

/** Returns the errors of counts in a status that contradict each other. */
function countErrors(
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

function normalizeStatefulSet(object: JsonObject): void {
  const spec = specOf(object);
  setDefaults(spec, { podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10 });
  const strategy = ensureObject(spec, 'updateStrategy');
  if (strategy['type'] === undefined) {
    strategy['type'] = 'RollingUpdate';
    ensureObject(strategy, 'rollingUpdate');
  }
  if (strategy['type'] === 'RollingUpdate' && strategy['rollingUpdate'] !== undefined)
    setDefaults(objectOf(strategy['rollingUpdate']), { partition: 0, maxUnavailable: 1 });
  setDefaults(ensureObject(spec, 'persistentVolumeClaimRetentionPolicy'), {
    whenDeleted: 'Retain',
    whenScaled: 'Retain',
  });
  normalizeTemplate(spec['template']);
  for (const claim of objectsOf(spec['volumeClaimTemplates'])) {
    claim['apiVersion'] ??= 'v1';
    claim['kind'] ??= 'PersistentVolumeClaim';
    normalizeClaim(claim);
  }
}

function statefulSetErrors(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  const claims = objectsOf(spec['volumeClaimTemplates']);
  const names = claims.map(({ metadata }) => jsonTextOf(objectOf(metadata)['name']));
  const {
    podManagementPolicy: policy,
    updateStrategy,
    persistentVolumeClaimRetentionPolicy,
    template,
  } = spec;
  const { type, rollingUpdate } = objectOf(updateStrategy);
  const errors: FieldError[] = [];
  if (policy !== 'OrderedReady' && policy !== 'Parallel')
    errors.push(
      invalidValue('spec.podManagementPolicy', policy ?? '', "must be 'OrderedReady' or 'Parallel'"),
    );
  const at = 'spec.updateStrategy.rollingUpdate';
  if (type === 'OnDelete' && rollingUpdate !== undefined)
    errors.push(invalidValue(at, rollingUpdate ?? null, "only allowed for updateStrategy 'RollingUpdate'"));
  else if (type === 'RollingUpdate')
    errors.push(...nonNegativeFields(objectOf(rollingUpdate), at, 'partition'));
  else if (type !== 'OnDelete')
    errors.push(
      invalidValue(
        'spec.updateStrategy',
        { Type: type ?? '', RollingUpdate: null },
        "must be 'RollingUpdate' or 'OnDelete'",
      ),
    );
  for (const name of ['whenDeleted', 'whenScaled'])
    errors.push(
      ...choiceErrors(
        objectOf(persistentVolumeClaimRetentionPolicy)[name],
        `spec.persistentVolumeClaimRetentionPolicy.${name}`,
        ['Retain', 'Delete'],
      ),
    );
  for (const [index, claim] of claims.entries())
    errors.push(...claimSpecErrors(objectOf(claim['spec']), `spec.volumeClaimTemplates[${index}].spec`));
  errors.push(
    ...nonNegativeFields(spec, 'spec', 'replicas', 'minReadySeconds'),
    ...nonNegativeFields(objectOf(spec['ordinals']), 'spec.ordinals', 'start'),
    ...nameErrors(spec['serviceName'], 'spec.serviceName'),
    ...ownSelectorErrors(spec, 'statefulset'),
    ...(isUnusable(spec['selector'])
      ? [invalidValue('spec.selector', spec['selector'] ?? null, '')]
      : [...mismatchErrors(spec), ...templateErrors(template, 'spec.template', names)]),
    ...alwaysErrors(spec, 'StatefulSet'),
  );
  return errors;
}

function statefulSetChanges(now: JsonObject, before: JsonObject): readonly FieldError[] {
  return ['selector', 'volumeClaimTemplates', 'serviceName', 'podManagementPolicy'].flatMap((name) =>
    immutable(specOf(now)[name], specOf(before)[name], `spec.${name}`),
  );
}

function normalizeDaemonSet(object: JsonObject): void {
  const spec = specOf(object);
  setDefaults(spec, { revisionHistoryLimit: 10 });
  const strategy = ensureObject(spec, 'updateStrategy');
  setDefaults(strategy, { type: 'RollingUpdate' });
  if (strategy['type'] === 'RollingUpdate')
    setDefaults(ensureObject(strategy, 'rollingUpdate'), { maxUnavailable: 1, maxSurge: 0 });
  normalizeTemplate(spec['template']);
  // The server stores the generation of the template as an annotation of apps/v1.
  generationOfTemplate(
    object,
    jsonTextOf(objectOf(objectOf(object['metadata'])['annotations'])[templateGeneration]),
  );
}

const templateGeneration = 'deprecated.daemonset.template.generation';

function generationOfTemplate(object: JsonObject, generation: string): void {
  const metadata = ensureObject(object, 'metadata');
  const annotations = { ...objectOf(metadata['annotations']) };
  annotations[templateGeneration] = generation === '' ? '0' : generation;
  metadata['annotations'] = annotations;
}

function daemonSetErrors(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  const { type, rollingUpdate } = objectOf(spec['updateStrategy']);
  const at = 'spec.updateStrategy.rollingUpdate';
  const { maxUnavailable, maxSurge } = objectOf(rollingUpdate);
  const errors = [
    ...(spec['selector'] === undefined || spec['selector'] === null
      ? []
      : ownSelectorErrors(spec, 'daemonset')),
    ...(isUnusable(spec['selector']) ? [] : mismatchErrors(spec)),
    ...templateErrors(spec['template'], 'spec.template'),
    ...alwaysErrors(spec, 'DaemonSet'),
    ...nonNegativeFields(spec, 'spec', 'minReadySeconds'),
  ];
  if (type === 'RollingUpdate') {
    errors.push(
      ...intOrPercentErrors(maxUnavailable, `${at}.maxUnavailable`),
      ...intOrPercentErrors(maxSurge, `${at}.maxSurge`),
      ...over100Errors(maxUnavailable, `${at}.maxUnavailable`),
      ...over100Errors(maxSurge, `${at}.maxSurge`),
    );
    if (!isNone(maxUnavailable) && !isNone(maxSurge))
      errors.push(
        invalidValue(`${at}.maxSurge`, maxSurge ?? 0, 'may not be set when maxUnavailable is non-zero'),
      );
    if (isNone(maxUnavailable) && isNone(maxSurge))
      errors.push(required(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  } else if (type !== 'OnDelete')
    errors.push(
      unsupportedValue('spec.updateStrategy', { Type: type ?? '', RollingUpdate: null }, [
        'RollingUpdate',
        'OnDelete',
      ]),
    );
  errors.push(...nonNegativeFields(spec, 'spec', 'revisionHistoryLimit'));
  return errors;
}

function prepareDaemonSet(now: JsonObject, before?: JsonObject): void {
  if (before === undefined) {
    now['status'] = objectOf(now['status']);
    const given = objectOf(objectOf(now['metadata'])['annotations'])[templateGeneration];
    generationOfTemplate(now, Number(given) >= 1 ? jsonTextOf(given) : '1');
    return;
  }
  const old = Number(objectOf(objectOf(before['metadata'])['annotations'])[templateGeneration] ?? 0);
  const isSame = isEqualJson(specOf(now)['template'], specOf(before)['template']);
  generationOfTemplate(now, String(isSame ? old : old + 1));
}

function replicaSetErrors(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  return [
    ...nonNegativeFields(spec, 'spec', 'replicas', 'minReadySeconds'),
    ...ownSelectorErrors(spec, 'deployment'),
    ...replicaTemplateErrors(spec),
  ];
}

const workload = { hasGeneration: true, unconditionalUpdate: true, returnsDeleted: false } as const;
const scale = { spec: 'spec.replicas', status: 'status.replicas', selector: 'spec.selector' } as const;

export const workloadRules: Readonly<Record<string, BuiltInEntry>> = {
  'apps/v1 Deployment': {
    ...workload,
    scale,
    generationFields: ['spec', 'metadata.annotations'],
    // The status endpoint of Deployments also accepts annotations and further metadata.
    statusIgnores: FieldSet.of(['f:spec'], ['f:metadata', 'f:labels']),
    normalize: normalizeDeployment,
    prepareCreate: (object) => void (object['status'] = {}),
    validate: deploymentErrors,
    validateUpdate: (now, before) => [...deploymentErrors(now), ...selectorChange(now, before)],
    validateStatus: (now) => countErrors(now, ['updatedReplicas', 'readyReplicas', 'availableReplicas']),
  },
  'apps/v1 StatefulSet': {
    ...workload,
    scale,
    statusIgnores: FieldSet.of(['f:spec']),
    nameRule: labelProblems,
    normalize: normalizeStatefulSet,
    prepareCreate: (object) => void (object['status'] = { replicas: 0, availableReplicas: 0 }),
    validate: statefulSetErrors,
    validateUpdate: (now, before) => [...statefulSetErrors(now), ...statefulSetChanges(now, before)],
    validateStatus: (now) =>
      countErrors(
        now,
        ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
        'status.readyReplicas',
      ),
  },
  'apps/v1 DaemonSet': {
    ...workload,
    statusIgnores: FieldSet.of(['f:spec']),
    normalize: normalizeDaemonSet,
    prepareCreate: (object) => {
      object['status'] = {
        currentNumberScheduled: 0,
        numberMisscheduled: 0,
        desiredNumberScheduled: 0,
        numberReady: 0,
      };
      prepareDaemonSet(object);
    },
    prepareUpdate: prepareDaemonSet,
    validate: daemonSetErrors,
    validateUpdate: (now, before) => [...selectorChange(now, before), ...daemonSetErrors(now)],
    validateStatus: (now) => nonNegativeFields(objectOf(now['status']), 'status', ...daemonSetCounts),
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
    prepareCreate: (object) => void (object['status'] = { replicas: 0 }),
    validate: replicaSetErrors,
    validateUpdate: (now, before) => [...replicaSetErrors(now), ...selectorChange(now, before)],
    validateStatus: (now) =>
      countErrors(now, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'], 'readyReplicas'),
  },
};

const daemonSetCounts = [
  ...['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'],
  ...['observedGeneration', 'updatedNumberScheduled', 'numberAvailable', 'numberUnavailable'],
];

import {
  FieldSet,
  goJson,
  invalidValue,
  labelProblems,
  objectOf,
  required,
  unsupportedValue,
  type FieldError,
  type Json,
  type JsonObject,
  subdomainProblems,
} from '../../../../kubernetes/objects/index.ts';
import { isEqualJson, jsonTextOf } from '../../../../base/util/json-map.ts';
import { ensureObject, setDefaults, type BuiltInEntry } from '../served-kind.ts';
import {
  immutable,
  invalidSelector,
  nonNegativeFields,
  objectsOf,
  choiceErrors,
  selectorErrors,
  selectorMatches,
  specOf,
} from './checks.ts';
import { failurePolicyErrors, managerErrors, successPolicyErrors } from './job-policies.ts';
import { templateErrors } from './pod-errors.ts';
import { dropDisabledOfTemplate, normalizeTemplate } from './pod-spec.ts';
import { hostnameWarnings, templateWarnings } from './pod-warnings.ts';
import { selectorChange } from './workloads.ts';

/** Applies the defaults of a Job. A Job template of a CronJob has only those of its Pods. */
function normalizeJob(object: JsonObject): void {
  const spec = specOf(object);
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) spec['completions'] = 1;
  setDefaults(spec, {
    parallelism: 1,
    backoffLimit: spec['backoffLimitPerIndex'] === undefined ? 6 : 2_147_483_647,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
    manualSelector: false,
  });
  shareLabels(object);
  normalizeJobTemplate(spec);
}

/** Labels a Job without labels like its Pods. Both share the labels: those that the server generates are added to both. */
function shareLabels(object: JsonObject): void {
  const { labels } = objectOf(objectOf(specOf(object)['template'])['metadata']);
  const metadata = ensureObject(object, 'metadata');
  if (labels !== undefined && Object.keys(objectOf(metadata['labels'])).length === 0)
    metadata['labels'] = labels;
}

/** Returns the warnings about the template of Pods of a Job that is new, or has a new generation. */
export function jobTemplateWarnings(
  now: JsonObject,
  spec: JsonObject,
  before: JsonObject | undefined,
  path: string,
): readonly string[] {
  const generation = (object: JsonObject): Json | undefined => objectOf(object['metadata'])['generation'];
  return before !== undefined && generation(now) === generation(before)
    ? []
    : templateWarnings(spec['template'], `${path}.template`);
}

export function normalizeJobTemplate(spec: JsonObject): void {
  normalizeTemplate(spec['template']);
  for (const rule of objectsOf(objectOf(spec['podFailurePolicy'])['rules']))
    for (const pattern of objectsOf(rule['onPodConditions'])) pattern['status'] ||= 'True';
}

/** Gives a Job the selector and the labels by which it finds its Pods, as the server does without `manualSelector`. */
function generateSelector(object: JsonObject): void {
  const spec = specOf(object);
  if (spec['manualSelector'] === true) return;
  const { name = '', uid = '' } = objectOf(object['metadata']);
  const template = ensureObject(spec, 'template');
  const labels = ensureObject(ensureObject(template, 'metadata'), 'labels');
  setDefaults(labels, {
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'batch.kubernetes.io/controller-uid': uid,
  });
  const selector = ensureObject(spec, 'selector');
  setDefaults(ensureObject(selector, 'matchLabels'), { 'batch.kubernetes.io/controller-uid': uid });
}

/** Returns the errors of generated labels that the object sets itself. Source: kubernetes `ValidateGeneratedSelector`. */
function generatedErrors(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  if (spec['manualSelector'] === true) return [];
  const { name = '', uid = '' } = objectOf(object['metadata']);
  const labels = objectOf(objectOf(objectOf(spec['template'])['metadata'])['labels']);
  const errors: FieldError[] = [];
  const expected: JsonObject = {
    'controller-uid': uid,
    'batch.kubernetes.io/controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
  };
  for (const [key, wanted] of Object.entries(expected))
    if (labels[key] !== wanted)
      errors.push({
        type: 'FieldValueInvalid',
        field: `spec.template.metadata.labels[${key}]`,
        body: `Invalid value: ${goJson(labels)}: must be '${jsonTextOf(wanted)}'`,
      });
  const selector = spec['selector'] ?? null;
  if (selectorErrors(selector, '').length === 0 && !selectorMatches(selector, expected))
    errors.push(invalidSelector(selector, 'spec.selector', '`selector` not auto-generated'));
  return errors;
}

function jobErrors(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  const { selector, template } = spec;
  const labels = objectOf(objectOf(objectOf(template)['metadata'])['labels']);
  const errors = [...jobSpecErrors(spec, 'spec')];
  if (selector === undefined || selector === null) errors.push(required('spec.selector'));
  else errors.push(...selectorErrors(selector, 'spec.selector'));
  const isUsable = selector === undefined || selectorErrors(selector, '').length === 0;
  if (isUsable && (selector === undefined || !selectorMatches(selector, labels)))
    errors.push({
      type: 'FieldValueInvalid',
      field: 'spec.template.metadata.labels',
      body: `Invalid value: ${Object.keys(labels).length === 0 ? 'null' : goJson(labels)}: \`selector\` does not match template \`labels\``,
    });
  return errors;
}

/** Returns the errors of the spec of a Job, or of a template of one. Source: kubernetes `validateJobSpec`. */
export function jobSpecErrors(spec: JsonObject, path: string): readonly FieldError[] {
  const { completionMode, maxFailedIndexes, podFailurePolicy, backoffLimitPerIndex } = spec;
  const errors: FieldError[] = nonNegativeFields(
    spec,
    path,
    ...['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'],
    ...['backoffLimitPerIndex', 'maxFailedIndexes'],
  );
  if (maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined)
    errors.push(required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  errors.push(
    ...managerErrors(spec['managedBy'], `${path}.managedBy`),
    ...choiceErrors(completionMode, `${path}.completionMode`, ['NonIndexed', 'Indexed']),
  );
  if (completionMode === 'Indexed') errors.push(...indexedErrors(spec, path));
  if (completionMode === undefined || completionMode === 'NonIndexed')
    for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes'])
      if (spec[name] !== undefined)
        errors.push(invalidValue(`${path}.${name}`, spec[name] ?? null, 'requires indexed completion mode'));
  errors.push(
    ...failurePolicyErrors(spec, `${path}.podFailurePolicy`),
    ...successPolicyErrors(spec, `${path}.successPolicy`),
    ...choiceErrors(
      spec['podReplacementPolicy'],
      `${path}.podReplacementPolicy`,
      podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'],
    ),
    ...templateErrors(spec['template'], `${path}.template`),
  );
  const restart = objectOf(objectOf(spec['template'])['spec'])['restartPolicy'];
  const field = `${path}.template.spec.restartPolicy`;
  if (restart === 'Always' || restart === undefined)
    errors.push(required(field, 'valid values: "OnFailure", "Never"'));
  else if (restart !== 'OnFailure' && restart !== 'Never')
    errors.push(unsupportedValue(field, restart, ['OnFailure', 'Never']));
  else if (podFailurePolicy !== undefined && restart !== 'Never')
    errors.push(invalidValue(field, restart, 'only "Never" is supported when podFailurePolicy is specified'));
  return errors;
}

const manyCompletions = 100_000;
const most = 10_000;

/** Returns the errors of a Job whose Pods have indexes. */
function indexedErrors(spec: JsonObject, path: string): readonly FieldError[] {
  const { completions, parallelism, maxFailedIndexes: failed, backoffLimitPerIndex } = spec;
  const errors: FieldError[] = [];
  const tooMany = (name: string, value: number, limit: number, detail: string): void => {
    if (value > limit) errors.push(invalidValue(`${path}.${name}`, value, detail));
  };
  if (completions === undefined)
    errors.push(required(`${path}.completions`, 'when completion mode is Indexed'));
  const all = `must be less than or equal to ${manyCompletions}`;
  if (typeof parallelism === 'number')
    tooMany('parallelism', parallelism, manyCompletions, `${all} when completion mode is Indexed`);
  if (typeof failed === 'number') {
    if (typeof completions === 'number')
      tooMany('maxFailedIndexes', failed, completions, 'must be less than or equal to completions');
    tooMany('maxFailedIndexes', failed, manyCompletions, all);
  }
  if (Number(completions ?? 0) <= manyCompletions || backoffLimitPerIndex === undefined) return errors;
  const detail = `must be less than or equal to ${most} when completions are above ${manyCompletions} and used with backoff limit per index`;
  if (failed === undefined)
    errors.push(
      required(`${path}.maxFailedIndexes`, `must be specified when completions is above ${manyCompletions}`),
    );
  tooMany('parallelism', Number(parallelism ?? 0), most, detail);
  tooMany('maxFailedIndexes', Number(failed ?? 0), most, detail);
  return errors;
}

/** Returns an error if the Pods of an indexed Job would have hostnames that are not valid. */
function indexedNameErrors(object: JsonObject): readonly FieldError[] {
  const { completionMode, completions } = specOf(object);
  const name = jsonTextOf(objectOf(object['metadata'])['name']);
  if (completionMode !== 'Indexed' || typeof completions !== 'number' || completions <= 0) return [];
  const host = `${name}-${completions - 1}`;
  return labelProblems(host).length === 0
    ? []
    : [invalidValue('metadata.name', name, `will not able to create pod with invalid DNS label: ${host}`)];
}

/** Drops the fields of features that the server does not have by default. */
export function dropDisabledOfJob(spec: JsonObject): void {
  delete spec['scheduling'];
  dropDisabledOfTemplate(spec['template']);
}

function jobChanges(now: JsonObject, before: JsonObject): readonly FieldError[] {
  const [spec, old] = [specOf(now), specOf(before)];
  const errors: FieldError[] = [];
  if (spec['completionMode'] !== 'Indexed')
    errors.push(...immutable(spec['completions'], old['completions'], 'spec.completions'));
  else if (
    spec['completions'] !== undefined &&
    !isEqualJson(spec['completions'], old['completions']) &&
    spec['completions'] !== spec['parallelism']
  )
    errors.push(
      invalidValue(
        'spec.completions',
        spec['completions'] ?? null,
        'can only be modified in tandem with spec.parallelism',
      ),
    );
  errors.push(...selectorChange(now, before));
  errors.push(...templateChanges(objectOf(spec['template']), objectOf(old['template']), before));
  for (const name of [
    'completionMode',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    'managedBy',
    'successPolicy',
  ])
    errors.push(...immutable(spec[name], old[name], `spec.${name}`));
  return errors;
}

/** Returns the errors of a change of the template. A suspended Job without Pods may get other nodes and resources. */
function templateChanges(now: JsonObject, old: JsonObject, before: JsonObject): readonly FieldError[] {
  const status = objectOf(before['status']);
  const isSuspended = objectsOf(status['conditions']).some(
    (condition) => condition['type'] === 'Suspended' && condition['status'] === 'True',
  );
  const isOpen =
    specOf(before)['suspend'] === true &&
    (status['startTime'] === undefined || isSuspended) &&
    Number(status['active'] ?? 0) === 0;
  return isOpen
    ? immutable(fixedPart(now, now), fixedPart(old, now), 'spec.template.spec')
    : immutable(now, old, 'spec.template');
}

/** Returns the part of a template that does not change with its nodes, nor with the resources of containers that keep their names. */
function fixedPart({ spec: pod }: JsonObject, { spec: latest }: JsonObject): JsonObject {
  const { affinity, nodeSelector: _, tolerations: __, schedulingGates: ___, ...spec } = objectOf(pod);
  const { nodeAffinity: ____, ...others } = objectOf(affinity);
  const bare = (name: string): JsonObject[] => {
    const other = objectsOf(objectOf(latest)[name]);
    const own = objectsOf(spec[name]);
    return own.map((container, index) => {
      const { resources: _resources, ...rest } = container;
      const isKept = own.length === other.length && other[index]?.['name'] === container['name'];
      return isKept ? rest : container;
    });
  };
  return {
    ...spec,
    ...(Object.keys(others).length === 0 ? {} : { affinity: others }),
    containers: bare('containers'),
    initContainers: bare('initContainers'),
  };
}

export const jobRules: Readonly<Record<string, BuiltInEntry>> = {
  'batch/v1 Job': {
    hasGeneration: true,
    unconditionalUpdate: true,
    returnsDeleted: false,
    statusIgnores: FieldSet.of(['f:spec']),
    nameRule: subdomainProblems,
    selectableFields: ['status.successful'],
    deletionPolicy: 'Orphan',
    deletionWarning:
      'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
    normalize: normalizeJob,
    prepareCreate: (object) => {
      object['status'] = {};
      generateSelector(object);
      dropDisabledOfJob(specOf(object));
    },
    prepareUpdate: (object) => dropDisabledOfJob(specOf(object)),
    // The server reads back what it has stored, and labels a Job like its Pods.
    settle: shareLabels,
    validate: (object) => [...generatedErrors(object), ...jobErrors(object), ...indexedNameErrors(object)],
    validateUpdate: (now, before) => [
      ...jobErrors(now),
      ...jobChanges(now, before),
      ...indexedNameErrors(now),
    ],
    warnings: (now, before) => [
      ...(before === undefined ? hostnameWarnings(now, 'Pod names and hostnames') : []),
      ...jobTemplateWarnings(now, specOf(now), before, 'spec'),
    ],
    validateStatus: (now) =>
      nonNegativeFields(
        objectOf(now['status']),
        'status',
        'active',
        'succeeded',
        'failed',
        'ready',
        'terminating',
      ),
  },
};

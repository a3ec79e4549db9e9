import {
  FieldSet,
  goJson,
  invalidValue,
  objectOf,
  required,
  unsupportedValue,
  type FieldError,
  type JsonObject,
  subdomainProblems,
} from '../../../../kubernetes/objects/index.ts';
import { isEqualJson, jsonTextOf } from '../../../../base/util/json-map.ts';
import { ensureObject, setDefaults, type BuiltInEntry } from '../served-kind.ts';
import {
  immutable,
  nonNegativeFields,
  objectsOf,
  choiceErrors,
  selectorErrors,
  selectorMatches,
  specOf,
} from './checks.ts';
import { cronProblem } from './cron.ts';
import { templateErrors } from './pod-errors.ts';
import { normalizeTemplate } from './pod-spec.ts';

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
  // The server shares these labels: those that it generates for the template are added to both.
  const { labels } = objectOf(objectOf(spec['template'])['metadata']);
  const metadata = ensureObject(object, 'metadata');
  if (labels !== undefined && Object.keys(objectOf(metadata['labels'])).length === 0)
    metadata['labels'] = labels;
  normalizeJobTemplate(spec);
}

function normalizeJobTemplate(spec: JsonObject): void {
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
  const metadata = ensureObject(object, 'metadata');
  if (Object.keys(objectOf(metadata['labels'])).length === 0) metadata['labels'] = { ...labels };
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
  for (const [key, wanted] of Object.entries({
    'controller-uid': uid,
    'batch.kubernetes.io/controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
  }))
    if (labels[key] !== wanted)
      errors.push({
        type: 'FieldValueInvalid',
        field: `spec.template.metadata.labels[${key}]`,
        body: `Invalid value: ${goJson(labels)}: must be '${jsonTextOf(wanted)}'`,
      });
  const selector = spec['selector'] ?? null;
  if (!isEqualJson(selector, { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } }))
    errors.push(invalidValue('spec.selector', selector, '`selector` not auto-generated'));
  return errors;
}

function jobErrors(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  const { selector, template } = spec;
  const labels = objectOf(objectOf(objectOf(template)['metadata'])['labels']);
  const errors = [...jobSpecErrors(spec, 'spec')];
  if (selector === undefined || selector === null) errors.push(required('spec.selector'));
  else errors.push(...selectorErrors(selector, 'spec.selector'));
  if (selector === undefined || !selectorMatches(selector, labels))
    errors.push({
      type: 'FieldValueInvalid',
      field: 'spec.template.metadata.labels',
      body: `Invalid value: ${Object.keys(labels).length === 0 ? 'null' : goJson(labels)}: \`selector\` does not match template \`labels\``,
    });
  return errors;
}

function jobSpecErrors(spec: JsonObject, path: string): readonly FieldError[] {
  const {
    completionMode,
    completions,
    parallelism,
    backoffLimitPerIndex,
    maxFailedIndexes,
    podFailurePolicy,
  } = spec;
  const errors: FieldError[] = nonNegativeFields(
    spec,
    path,
    ...['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'],
    ...['backoffLimitPerIndex', 'maxFailedIndexes'],
  );
  if (maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined)
    errors.push(required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  errors.push(...choiceErrors(completionMode, `${path}.completionMode`, ['NonIndexed', 'Indexed']));
  if (completionMode === 'Indexed') {
    if (completions === undefined)
      errors.push(required(`${path}.completions`, 'when completion mode is Indexed'));
    if (typeof parallelism === 'number' && parallelism > 100_000)
      errors.push(
        invalidValue(
          `${path}.parallelism`,
          parallelism,
          'must be less than or equal to 100000 when completion mode is Indexed',
        ),
      );
  }
  if (completionMode === undefined || completionMode === 'NonIndexed')
    for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes'])
      if (spec[name] !== undefined)
        errors.push(invalidValue(`${path}.${name}`, spec[name] ?? null, 'requires indexed completion mode'));
  if (podFailurePolicy !== undefined && spec['podReplacementPolicy'] !== undefined)
    errors.push(...choiceErrors(spec['podReplacementPolicy'], `${path}.podReplacementPolicy`, ['Failed']));
  else
    errors.push(
      ...choiceErrors(spec['podReplacementPolicy'], `${path}.podReplacementPolicy`, [
        'Failed',
        'TerminatingOrFailed',
      ]),
    );
  errors.push(...templateErrors(spec['template'], `${path}.template`));
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

function jobChanges(now: JsonObject, before: JsonObject): readonly FieldError[] {
  const [spec, old] = [specOf(now), specOf(before)];
  const errors: FieldError[] = [];
  if (spec['completionMode'] !== 'Indexed')
    errors.push(...immutable(spec['completions'], old['completions'], 'spec.completions'));
  else if (
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
  errors.push(...immutable(spec['selector'], old['selector'], 'spec.selector'));
  errors.push(...immutable(schedulable(spec, before), schedulable(old, before), 'spec.template'));
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

/** Returns the part of the template that must not change. A suspended Job that has not started may get other nodes and resources. */
function schedulable({ template }: JsonObject, before: JsonObject): JsonObject {
  const isOpen = specOf(before)['suspend'] === true && objectOf(before['status'])['startTime'] === undefined;
  if (!isOpen) return objectOf(template);
  const {
    affinity: _,
    nodeSelector: __,
    tolerations: ___,
    schedulingGates: ____,
    ...spec
  } = objectOf(objectOf(template)['spec']);
  const bare = (list: JsonObject['x'] | undefined): JsonObject[] =>
    objectsOf(list).map(({ resources: _resources, ...container }) => container);
  return {
    spec: { ...spec, containers: bare(spec['containers']), initContainers: bare(spec['initContainers']) },
  };
}

function cronJobErrors(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  const schedule = jsonTextOf(spec['schedule']);
  const errors: FieldError[] = [];
  if (schedule === '') errors.push(required('spec.schedule'));
  else {
    const problem = cronProblem(schedule);
    if (problem !== undefined) errors.push(invalidValue('spec.schedule', schedule, problem));
    if (schedule.includes('TZ'))
      errors.push(
        invalidValue(
          'spec.schedule',
          schedule,
          'cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
        ),
      );
  }
  const template = objectOf(objectOf(spec['jobTemplate'])['spec']);
  errors.push(
    ...nonNegativeFields(spec, 'spec', 'startingDeadlineSeconds'),
    ...zoneErrors(spec),
    ...choiceErrors(spec['concurrencyPolicy'], 'spec.concurrencyPolicy', ['Allow', 'Forbid', 'Replace']),
    ...jobSpecErrors(template, 'spec.jobTemplate.spec'),
  );
  if (template['selector'] !== undefined)
    errors.push(
      invalidValue(
        'spec.jobTemplate.spec.selector',
        template['selector'] ?? null,
        '`selector` will be auto-generated',
      ),
    );
  if (template['manualSelector'] === true)
    errors.push(unsupportedValue('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false']));
  errors.push(...nonNegativeFields(spec, 'spec', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'));
  return errors;
}

function zoneErrors({ timeZone }: JsonObject): readonly FieldError[] {
  if (timeZone === undefined) return [];
  const zone = jsonTextOf(timeZone);
  const field = 'spec.timeZone';
  if (zone === '') return [invalidValue(field, zone, 'timeZone must be nil or non-empty string')];
  if (zone.toLowerCase() === 'local')
    return [
      invalidValue(
        field,
        zone,
        'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
      ),
    ];
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return [];
  } catch {
    return [invalidValue(field, zone, `unknown time zone ${zone}`)];
  }
}

const longName = 'must be no more than 52 characters';

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
    },
    validate: (object) => [...generatedErrors(object), ...jobErrors(object)],
    validateUpdate: (now, before) => [...jobErrors(now), ...jobChanges(now, before)],
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
  'batch/v1 CronJob': {
    hasGeneration: true,
    unconditionalUpdate: true,
    returnsDeleted: false,
    statusIgnores: FieldSet.of(['f:spec']),
    normalize: (object) => {
      const spec = specOf(object);
      setDefaults(spec, {
        concurrencyPolicy: 'Allow',
        suspend: false,
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
      });
      normalizeJobTemplate(objectOf(objectOf(spec['jobTemplate'])['spec']));
    },
    prepareCreate: (object) => void (object['status'] = {}),
    validate: (object) => {
      const name = jsonTextOf(objectOf(object['metadata'])['name']);
      return [
        ...cronJobErrors(object),
        ...(name.length > 52 ? [invalidValue('metadata.name', name, longName)] : []),
      ];
    },
    validateUpdate: cronJobErrors,
  },
};

import {
  FieldSet,
  invalidValue,
  objectOf,
  required,
  unsupportedValue,
  type FieldError,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { setDefaults, type BuiltInEntry } from '../served-kind.ts';
import { choiceErrors, nonNegativeFields, specOf } from './checks.ts';
import { cronProblem } from './cron.ts';
import { dropDisabledOfJob, jobSpecErrors, jobTemplateWarnings, normalizeJobTemplate } from './jobs.ts';
import { hostnameWarnings } from './pod-warnings.ts';

function cronJobErrors(object: JsonObject, before?: JsonObject): readonly FieldError[] {
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
    ...(before !== undefined && specOf(before)['timeZone'] === spec['timeZone'] ? [] : zoneErrors(spec)),
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
  const unknown = invalidValue(field, zone, `unknown time zone ${zone}`);
  if (zone === '') return [invalidValue(field, zone, 'timeZone must be nil or non-empty string')];
  const isZone = (part: string): boolean =>
    part !== '.' && part !== '..' && /^(?!-)[A-Za-z._0-9+-]{1,14}$/.test(part);
  if (!zone.split('/').every(isZone)) return [unknown];
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
    return [unknown];
  }
}

const templateOf = (object: JsonObject): JsonObject =>
  objectOf(objectOf(specOf(object)['jobTemplate'])['spec']);

const longName = 'must be no more than 52 characters';

export const cronJobRules: Readonly<Record<string, BuiltInEntry>> = {
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
    prepareCreate: (object) => {
      object['status'] = {};
      dropDisabledOfJob(templateOf(object));
    },
    prepareUpdate: (object) => dropDisabledOfJob(templateOf(object)),
    warnings: (now, before) => [
      ...(before === undefined ? hostnameWarnings(now, 'Pod names and hostnames') : []),
      ...jobTemplateWarnings(now, templateOf(now), before, 'spec.jobTemplate.spec'),
    ],
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

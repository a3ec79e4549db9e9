import {
  invalidValue,
  isObject,
  objectOf,
  qualifiedNameProblems,
  required,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import type { BuiltInEntry } from '../served-kind.ts';
import { immutable, problemErrors } from './checks.ts';

const textOf = (object: JsonObject, name: string): string => jsonTextOf(object[name]);
const isTimeless = (value: Json | undefined): boolean => value === undefined || value === null;

/** Returns the errors that an Event has at any time. Its errors name the fields of v1. Source: kubernetes `legacyValidateEvent`. */
function eventErrors(object: JsonObject): readonly FieldError[] {
  const namespace = textOf(objectOf(object['metadata']), 'namespace');
  const about = textOf(objectOf(object['regarding']), 'namespace');
  const mismatch = invalidValue('involvedObject.namespace', about, 'does not match event.namespace');
  if (isTimeless(object['eventTime'])) {
    const isRight = about === '' ? namespace === 'default' : about === namespace;
    return isRight ? [] : [mismatch];
  }
  const controller = textOf(object, 'reportingController');
  return [
    ...(about === '' && namespace !== 'default' && namespace !== 'kube-system' ? [mismatch] : []),
    ...(controller === '' ? [required('reportingController')] : []),
    ...problemErrors(controller, 'reportingController', qualifiedNameProblems),
    ...['reportingInstance', 'action', 'reason'].flatMap((name) => [
      ...(textOf(object, name) === '' ? [required(name)] : []),
      ...lengthErrors(object[name], name, 128),
    ]),
    ...lengthErrors(object['note'], 'message', 1024),
  ];
}

function lengthErrors(value: Json | undefined, field: string, most: number): readonly FieldError[] {
  return Buffer.byteLength(jsonTextOf(value)) > most
    ? [invalidValue(field, '', `can have at most ${most} characters`)]
    : [];
}

function seriesErrors({ series }: JsonObject): readonly FieldError[] {
  if (!isObject(series)) return [];
  return [
    ...(Number(series['count'] ?? 0) < 2 ? [invalidValue('series.count', '', 'should be at least 2')] : []),
    ...(isTimeless(series['lastObservedTime']) ? [required('series.lastObservedTime')] : []),
  ];
}

function createErrors(object: JsonObject): readonly FieldError[] {
  const type = textOf(object, 'type');
  const source = objectOf(object['deprecatedSource']);
  const set: Readonly<Record<string, boolean>> = {
    firstTimestamp: !isTimeless(object['deprecatedFirstTimestamp']),
    lastTimestamp: !isTimeless(object['deprecatedLastTimestamp']),
    count: Number(object['deprecatedCount'] ?? 0) !== 0,
    source: textOf(source, 'component') !== '' || textOf(source, 'host') !== '',
  };
  return [
    ...eventErrors(object),
    ...seriesErrors(object),
    ...(isTimeless(object['eventTime']) ? [required('eventTime')] : []),
    ...(type === 'Normal' || type === 'Warning'
      ? []
      : [invalidValue('type', '', `has invalid value: ${type}`)]),
    ...Object.keys(set)
      .filter((name) => set[name])
      .map((name) => invalidValue(name, '', 'needs to be unset')),
  ];
}

/** Fields that do not change, each with the name that errors give it. */
const fixed: Readonly<Record<string, string>> = {
  regarding: 'involvedObject',
  reason: 'reason',
  note: 'message',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
  type: 'type',
  eventTime: 'eventTime',
  action: 'action',
  related: 'related',
  reportingController: 'reportingController',
  reportingInstance: 'reportingInstance',
};

function updateErrors(now: JsonObject, before: JsonObject): readonly FieldError[] {
  const isSame = JSON.stringify(now['series'] ?? null) === JSON.stringify(before['series'] ?? null);
  return [
    ...eventErrors(now),
    ...(isSame ? [] : seriesErrors(now)),
    ...Object.entries(fixed).flatMap(([name, shown]) =>
      immutable(now[name], before[name], shown, shownValue(name, now[name])),
    ),
  ];
}

/** Returns a value as Go shows it in a message. */
function shownValue(name: string, value: Json | undefined): Json {
  if (value !== undefined) return value;
  if (name === 'deprecatedCount') return 0;
  return ['regarding', 'related', 'deprecatedSource'].includes(name) || name.endsWith('Timestamp')
    ? null
    : '';
}

export const eventRules: Readonly<Record<string, BuiltInEntry>> = {
  'events.k8s.io/v1 Event': {
    hasGeneration: false,
    // The server converts Events to those of the core group before it checks them.
    internalGroup: '',
    unconditionalUpdate: true,
    returnsDeleted: false,
    deletionPolicy: 'Unsupported',
    validate: createErrors,
    validateUpdate: updateErrors,
  },
};

import {
  FieldSet,
  invalidValue,
  isObject,
  objectOf,
  required,
  unsupportedValue,
  type FieldError,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { isEqualJson, jsonTextOf } from '../../../../base/util/json-map.ts';
import { ensureObject, setDefaults, type BuiltInEntry } from '../served-kind.ts';
import { intOrPercentErrors, nonNegativeFields, over100Errors, specOf } from './checks.ts';
import { templateErrors } from './pod-errors.ts';
import { dropDisabledOfTemplate, normalizeTemplate } from './pod-spec.ts';
import { templateWarnings } from './pod-warnings.ts';
import {
  alwaysErrors,
  isNone,
  isUnusable,
  mismatchErrors,
  ownSelectorErrors,
  selectorChange,
  workload,
} from './workloads.ts';

function normalizeDaemonSet(object: JsonObject): void {
  const spec = specOf(object);
  setDefaults(spec, { revisionHistoryLimit: 10 });
  const strategy = ensureObject(spec, 'updateStrategy');
  setDefaults(strategy, { type: 'RollingUpdate' });
  if (strategy['type'] === 'RollingUpdate')
    setDefaults(ensureObject(strategy, 'rollingUpdate'), { maxUnavailable: 1, maxSurge: 0 });
  // The server keeps a rolling update of another strategy, and writes its fields whether set or not.
  else if (isObject(strategy['rollingUpdate']))
    setDefaults(strategy['rollingUpdate'], { maxUnavailable: 0, maxSurge: 0 });
  normalizeTemplate(spec['template']);
  // The server stores the generation of the template as an annotation of apps/v1.
  generationOfTemplate(
    object,
    jsonTextOf(objectOf(objectOf(object['metadata'])['annotations'])[templateGeneration]),
  );
}

const templateGeneration = 'deprecated.daemonset.template.generation';

const templateGenerationOf = (object: JsonObject): string =>
  jsonTextOf(objectOf(objectOf(object['metadata'])['annotations'])[templateGeneration]);

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
  dropDisabledOfTemplate(specOf(now)['template']);
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

const daemonSetCounts = [
  ...['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'],
  ...['observedGeneration', 'updatedNumberScheduled', 'numberAvailable', 'numberUnavailable'],
];

export const daemonSetRules: Readonly<Record<string, BuiltInEntry>> = {
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
    warnings: (now, before) =>
      before !== undefined && templateGenerationOf(now) === templateGenerationOf(before)
        ? []
        : templateWarnings(specOf(now)['template'], 'spec.template'),
    validate: daemonSetErrors,
    validateUpdate: (now, before) => [...selectorChange(now, before), ...daemonSetErrors(now)],
    validateStatus: (now) => nonNegativeFields(objectOf(now['status']), 'status', ...daemonSetCounts),
  },
};

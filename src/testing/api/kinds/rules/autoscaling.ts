import {
  FieldSet,
  forbiddenValue,
  invalidValue,
  isObject,
  listOf,
  objectOf,
  pathSegmentProblems,
  required,
  unsupportedValue,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { unsupportedHere } from '../../status-error.ts';
import { setDefaults, type BuiltInEntry } from '../served-kind.ts';
import { nameErrors, objectsOf, specOf } from './checks.ts';

function normalize(object: JsonObject): void {
  const spec = specOf(object);
  setDefaults(spec, { minReplicas: 1 });
  if (listOf(spec['metrics']).length === 0)
    spec['metrics'] = [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
      },
    ];
  const { behavior } = spec;
  if (!isObject(behavior)) return;
  const percent = { type: 'Percent', value: 100, periodSeconds: 15 };
  behavior['scaleUp'] = {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }, { ...percent }],
    ...objectOf(behavior['scaleUp']),
  };
  behavior['scaleDown'] = { selectPolicy: 'Max', policies: [percent], ...objectOf(behavior['scaleDown']) };
}

function scalerErrors(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  const { minReplicas: least, maxReplicas = 0, scaleTargetRef } = spec;
  const errors: FieldError[] = [];
  if (typeof least === 'number' && least < 0)
    errors.push(invalidValue('spec.minReplicas', least, 'must be greater than or equal to 0'));
  if (maxReplicas === 0) errors.push(required('spec.maxReplicas'));
  else if (Number(maxReplicas) < 0)
    errors.push(invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to 1'));
  if (typeof least === 'number' && Number(maxReplicas) < least)
    errors.push(
      invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`'),
    );
  for (const name of ['kind', 'name']) {
    const value = objectOf(scaleTargetRef)[name];
    const field = `spec.scaleTargetRef.${name}`;
    if (jsonTextOf(value) === '') errors.push(required(field));
    else errors.push(...nameErrors(value, field, pathSegmentProblems));
  }
  if (jsonTextOf(objectOf(scaleTargetRef)['apiVersion']) === '')
    errors.push(invalidValue('spec.scaleTargetRef.apiVersion', '', 'apiVersion must specify API group'));
  if (least === 0 && !objectsOf(spec['metrics']).some(({ type }) => type === 'Object' || type === 'External'))
    errors.push(
      forbiddenValue(
        'spec.metrics',
        'must specify at least one Object or External metric to support scaling to zero replicas',
      ),
    );
  for (const [index, metric] of objectsOf(spec['metrics']).entries())
    errors.push(...metricErrors(metric, `spec.metrics[${index}]`));
  return errors;
}

/** Sources of metrics, by type, in the order in which the server looks at them. */
const sources: Readonly<Record<string, string>> = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

const types = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];

function metricErrors(metric: JsonObject, at: string): readonly FieldError[] {
  const type = jsonTextOf(metric['type']);
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(`${at}.type`, 'must specify a metric source type'));
  const expected = sources[type];
  const present = Object.values(sources).filter((name) => isObject(metric[name]));
  const [first] = present;
  if (first === 'resource') errors.push(...resourceErrors(objectOf(metric[first]), `${at}.${first}`));
  if (expected === undefined) errors.push(unsupportedValue(`${at}.type`, type, types));
  else if (!present.includes(expected))
    errors.push(required(`${at}.${expected}`, 'must populate information for the given metric source'));
  if (present.length !== 1)
    for (const name of present)
      if (name !== expected)
        errors.push(forbiddenValue(`${at}.${name}`, 'must populate the given metric source only'));
  return errors;
}

function resourceErrors(source: JsonObject, at: string): readonly FieldError[] {
  const { averageUtilization: utilization, averageValue } = objectOf(source['target']);
  const errors: FieldError[] =
    jsonTextOf(source['name']) === '' ? [required(`${at}.name`, 'must specify a resource name')] : [];
  errors.push(...targetErrors(objectOf(source['target']), `${at}.target`));
  if (utilization === undefined && averageValue === undefined)
    errors.push(
      required(
        `${at}.target.averageUtilization`,
        'must set either a target raw value or a target utilization',
      ),
    );
  if (utilization !== undefined && averageValue !== undefined)
    errors.push(
      forbiddenValue(
        `${at}.target.averageValue`,
        'may not set both a target raw value and a target utilization',
      ),
    );
  return errors;
}

function targetErrors(target: JsonObject, at: string): readonly FieldError[] {
  const type = jsonTextOf(target['type']);
  const utilization: Json | undefined = target['averageUtilization'];
  const errors: FieldError[] =
    type === '' ? [required(`${at}.type`, 'must specify a metric target type')] : [];
  if (!['Utilization', 'Value', 'AverageValue'].includes(type))
    errors.push(invalidValue(`${at}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  if (typeof utilization === 'number' && utilization < 1)
    errors.push(invalidValue(`${at}.averageUtilization`, utilization, 'must be greater than 0'));
  return errors;
}

export const autoscalingRules: Readonly<Record<string, BuiltInEntry>> = {
  'autoscaling/v2 HorizontalPodAutoscaler': {
    hasGeneration: true,
    unconditionalUpdate: true,
    returnsDeleted: false,
    statusIgnores: FieldSet.of(['f:spec']),
    normalize,
    prepareCreate: (object) => void (object['status'] = { desiredReplicas: 0, currentMetrics: null }),
    validate: scalerErrors,
    validateUpdate: scalerErrors,
  },
  // Both versions are one resource with different fields, and this server does not convert between them.
  'autoscaling/v1 HorizontalPodAutoscaler': {
    hasGeneration: false,
    unconditionalUpdate: true,
    returnsDeleted: false,
    refuse: () => {
      throw unsupportedHere('HorizontalPodAutoscalers of autoscaling/v1', 'use autoscaling/v2');
    },
  },
};

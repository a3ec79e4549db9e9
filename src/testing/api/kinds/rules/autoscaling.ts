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
import { milliValue } from '../../../../base/util/quantity.ts';
import { choiceErrors, nameErrors, neededNameErrors, objectsOf, positive, specOf } from './checks.ts';
import { containerResourceErrors } from './resources.ts';

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

/** Options of the validation of a scaler, which depend on its former state. */
interface Options {
  readonly anyVersion: boolean;
  readonly anyGroup: boolean;
}

/** Returns the errors of a scaler. Source: kubernetes `pkg/apis/autoscaling/validation`. */
function scalerErrors(object: JsonObject, before?: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  const { minReplicas: least, maxReplicas = 0 } = spec;
  const target = objectOf(spec['scaleTargetRef']);
  const old = objectOf(specOf(before ?? {})['scaleTargetRef']);
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
  const isSame = ['apiVersion', 'kind'].every((name) => target[name] === old[name]);
  errors.push(
    ...targetReferenceErrors(target, 'spec.scaleTargetRef', {
      anyVersion: before !== undefined && isSame,
      anyGroup: target['kind'] === 'ReplicationController',
    }),
  );
  const metrics = objectsOf(spec['metrics']);
  if (least === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External'))
    errors.push(
      forbiddenValue(
        'spec.metrics',
        'must specify at least one Object or External metric to support scaling to zero replicas',
      ),
    );
  for (const [index, metric] of metrics.entries())
    errors.push(...metricErrors(metric, `spec.metrics[${index}]`));
  for (const name of ['scaleUp', 'scaleDown'])
    errors.push(...behaviorErrors(objectOf(spec['behavior'])[name], `spec.behavior.${name}`));
  return errors;
}

function targetReferenceErrors(
  reference: JsonObject,
  at: string,
  { anyVersion, anyGroup }: Options,
): readonly FieldError[] {
  const apiVersion = jsonTextOf(reference['apiVersion']);
  const parts = apiVersion.split('/');
  const problem =
    parts.length > 2
      ? `unexpected GroupVersion string: ${apiVersion}`
      : (parts.length === 1 || parts[0] === '') && !anyGroup
        ? 'apiVersion must specify API group'
        : undefined;
  return [
    ...['kind', 'name'].flatMap((name) => neededNameErrors(reference[name], `${at}.${name}`)),
    ...(anyVersion || problem === undefined ? [] : [invalidValue(`${at}.apiVersion`, apiVersion, problem)]),
  ];
}

function behaviorErrors(rules: Json | undefined, at: string): readonly FieldError[] {
  if (!isObject(rules)) return [];
  const { stabilizationWindowSeconds: window, selectPolicy, tolerance } = rules;
  const policies = objectsOf(rules['policies']);
  const errors: FieldError[] = [];
  const field = `${at}.stabilizationWindowSeconds`;
  if (typeof window === 'number' && window < 0)
    errors.push(invalidValue(field, window, 'must be greater than or equal to zero'));
  if (typeof window === 'number' && window > 3600)
    errors.push(invalidValue(field, window, 'must be less than or equal to 3600'));
  errors.push(...choiceErrors(selectPolicy, `${at}.selectPolicy`, ['Disabled', 'Max', 'Min']));
  if (policies.length === 0) errors.push(required(`${at}.policies`, 'must specify at least one Policy'));
  for (const [index, { type = '', value = 0, periodSeconds: period = 0 }] of policies.entries()) {
    const policy = `${at}.policies[${index}]`;
    errors.push(
      ...choiceErrors(type, `${policy}.type`, ['Percent', 'Pods']),
      ...positive(value, `${policy}.value`),
      ...positive(period, `${policy}.periodSeconds`),
    );
    if (Number(period) > 1800)
      errors.push(invalidValue(`${policy}.periodSeconds`, period, 'must be less than or equal to 1800'));
  }
  const text = jsonTextOf(tolerance);
  if (text !== '' && milliValue(text) < 0n)
    errors.push(invalidValue(`${at}.tolerance`, text, 'must be greater than or equal to 0'));
  return errors;
}

const rawOrUtilization = 'must set either a target raw value or a target utilization';
const notBoth = 'may not set both a target raw value and a target utilization';

/** Sources of metrics, by type, in the order in which the server looks at them. */
const sources: Readonly<Record<string, (source: JsonObject, at: string) => readonly FieldError[]>> = {
  object: (source, at) => [
    ...targetReferenceErrors(objectOf(source['describedObject']), `${at}.describedObject`, {
      anyVersion: false,
      anyGroup: true,
    }),
    ...measuredErrors(source, at),
    ...absentErrors(
      source,
      ['value', 'averageValue'],
      at,
      'averageValue',
      'must set either a target value or averageValue',
    ),
  ],
  external: (source, at) => [
    ...measuredErrors(source, at),
    ...absentErrors(
      source,
      ['value', 'averageValue'],
      at,
      'averageValue',
      'must set either a target value for metric or a per-pod target',
    ),
    ...bothErrors(
      source,
      ['value', 'averageValue'],
      at,
      'value',
      'may not set both a target value for metric and a per-pod target',
    ),
  ],
  pods: (source, at) => [
    ...measuredErrors(source, at),
    ...absentErrors(
      source,
      ['averageValue'],
      at,
      'averageValue',
      'must specify a positive target averageValue',
    ),
  ],
  resource: (source, at) => [
    ...(jsonTextOf(source['name']) === '' ? [required(`${at}.name`, 'must specify a resource name')] : []),
    ...utilizationErrors(source, at),
  ],
  containerResource: (source, at) => {
    const { name, container } = source;
    return [
      ...(jsonTextOf(name) === ''
        ? [required(`${at}.name`, 'must specify a resource name')]
        : containerResourceErrors(jsonTextOf(name), `${at}.name`)),
      ...(jsonTextOf(container) === ''
        ? [required(`${at}.container`, 'must specify a container')]
        : nameErrors(container, `${at}.container`)),
      ...utilizationErrors(source, at),
    ];
  },
};

function measuredErrors(source: JsonObject, at: string): readonly FieldError[] {
  const { name } = objectOf(source['metric']);
  return [
    ...(jsonTextOf(name) === ''
      ? [required(`${at}.metric.name`, 'must specify a metric name')]
      : nameErrors(name, `${at}.metric.name`, pathSegmentProblems)),
    ...targetErrors(objectOf(source['target']), `${at}.target`),
  ];
}

function utilizationErrors(source: JsonObject, at: string): readonly FieldError[] {
  const names = ['averageUtilization', 'averageValue'];
  return [
    ...targetErrors(objectOf(source['target']), `${at}.target`),
    ...absentErrors(source, names, at, 'averageUtilization', rawOrUtilization),
    ...bothErrors(source, names, at, 'averageValue', notBoth),
  ];
}

/** Returns an error if none of some fields of the target is set. */
function absentErrors(
  { target }: JsonObject,
  names: readonly string[],
  at: string,
  field: string,
  detail: string,
): readonly FieldError[] {
  return names.every((name) => objectOf(target)[name] === undefined)
    ? [required(`${at}.target.${field}`, detail)]
    : [];
}

/** Returns an error if all of some fields of the target are set. */
function bothErrors(
  { target }: JsonObject,
  names: readonly string[],
  at: string,
  field: string,
  detail: string,
): readonly FieldError[] {
  return names.every((name) => objectOf(target)[name] !== undefined)
    ? [forbiddenValue(`${at}.target.${field}`, detail)]
    : [];
}

function targetErrors(target: JsonObject, at: string): readonly FieldError[] {
  const type = jsonTextOf(target['type']);
  const utilization: Json | undefined = target['averageUtilization'];
  const errors: FieldError[] =
    type === '' ? [required(`${at}.type`, 'must specify a metric target type')] : [];
  if (!['Utilization', 'Value', 'AverageValue'].includes(type))
    errors.push(invalidValue(`${at}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  for (const name of ['value', 'averageValue']) {
    const text = jsonTextOf(target[name]);
    if (text !== '' && milliValue(text) <= 0n)
      errors.push(invalidValue(`${at}.${name}`, text, 'must be positive'));
  }
  if (typeof utilization === 'number' && utilization < 1)
    errors.push(invalidValue(`${at}.averageUtilization`, utilization, 'must be greater than 0'));
  return errors;
}

const types = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];

function metricErrors(metric: JsonObject, at: string): readonly FieldError[] {
  const type = jsonTextOf(metric['type']);
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(`${at}.type`, 'must specify a metric source type'));
  const expected = types.includes(type) ? type.charAt(0).toLowerCase() + type.slice(1) : undefined;
  const present = Object.keys(sources).filter((name) => isObject(metric[name]));
  const [first] = present;
  if (first !== undefined)
    errors.push(...(sources[first]?.(objectOf(metric[first]), `${at}.${first}`) ?? []));
  if (expected === undefined) errors.push(unsupportedValue(`${at}.type`, type, types));
  else if (!present.includes(expected))
    errors.push(required(`${at}.${expected}`, 'must populate information for the given metric source'));
  if (present.length !== 1)
    for (const name of present)
      if (name !== expected)
        errors.push(forbiddenValue(`${at}.${name}`, 'must populate the given metric source only'));
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
    validate: (object) => scalerErrors(object),
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

import {
  FieldSet,
  forbiddenValue,
  invalidValue,
  isObject,
  listOf,
  objectOf,
  required,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { isEqualJson, jsonTextOf } from '../../../../base/util/json-map.ts';
import { milliValue } from '../../../../base/util/quantity.ts';
import type { BuiltInEntry } from '../served-kind.ts';
import { nonNegativeFields, objectsOf, specOf } from './checks.ts';
import { podSpecErrors } from './pod-errors.ts';
import { dropDisabled, normalizePodAlone, normalizePodSpec } from './pod-spec.ts';
import { hostnameWarnings, podWarnings } from './pod-warnings.ts';

function normalize(object: JsonObject): void {
  const spec = specOf(object);
  normalizePodSpec(spec);
  normalizePodAlone(spec);
  const status = objectOf(object['status']);
  const [first] = objectsOf(status['podIPs']);
  const address = jsonTextOf(status['podIP']);
  if (address !== '' && first?.['ip'] !== address) status['podIPs'] = [{ ip: address }];
  else if (address === '' && first !== undefined) status['podIP'] = first['ip'] ?? '';
}

/** Returns the quality of service of a Pod. Source: kubernetes `pkg/apis/core/helper/qos`. */
function qosClass(spec: JsonObject): string {
  const containers = [...objectsOf(spec['containers']), ...objectsOf(spec['initContainers'])];
  const amounts = (part: 'requests' | 'limits'): ReadonlyMap<string, bigint> => {
    const sums = new Map<string, bigint>();
    for (const { resources } of containers)
      for (const name of ['cpu', 'memory']) {
        const amount = objectOf(objectOf(resources)[part])[name];
        const value = amount === undefined ? 0n : milliValue(jsonTextOf(amount));
        if (value > 0n) sums.set(name, (sums.get(name) ?? 0n) + value);
      }
    return sums;
  };
  const [requests, limits] = [amounts('requests'), amounts('limits')];
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const isLimited = containers.every(({ resources }) =>
    ['cpu', 'memory'].every((name) => {
      const amount = objectOf(objectOf(resources)['limits'])[name];
      return amount !== undefined && milliValue(jsonTextOf(amount)) > 0n;
    }),
  );
  const isEqual = [...requests].every(([name, value]) => limits.get(name) === value);
  return isLimited && isEqual && requests.size === limits.size ? 'Guaranteed' : 'Burstable';
}

function prepareCreate(object: JsonObject): void {
  const spec = specOf(object);
  dropDisabled(spec);
  const labels = objectOf(objectOf(object['metadata'])['labels']);
  for (const term of podTerms(spec)) selectByKeys(term, labels);
  for (const constraint of objectsOf(spec['topologySpreadConstraints'])) selectByKeys(constraint, labels);
  object['status'] = { phase: 'Pending', qosClass: qosClass(spec) };
  if (listOf(spec['schedulingGates']).length > 0)
    object['status']['conditions'] = [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: objectOf(object['metadata'])['creationTimestamp'] ?? null,
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ];
}

/** Returns the terms of the affinity of a Pod to other Pods. */
function podTerms({ affinity }: JsonObject): readonly JsonObject[] {
  return ['podAffinity', 'podAntiAffinity'].flatMap((name) => {
    const own = objectOf(objectOf(affinity)[name]);
    return [
      ...objectsOf(own['requiredDuringSchedulingIgnoredDuringExecution']),
      ...objectsOf(own['preferredDuringSchedulingIgnoredDuringExecution']).map((term) =>
        objectOf(term['podAffinityTerm']),
      ),
    ];
  });
}

/** Adds to a selector the requirements that follow from the Pod's own labels. Source: kubernetes `applyMatchLabelKeysAndMismatchLabelKeys`. */
function selectByKeys(term: JsonObject, labels: JsonObject): void {
  const selector = term['labelSelector'];
  if (!isObject(selector)) return;
  for (const [name, operator] of [
    ['matchLabelKeys', 'In'],
    ['mismatchLabelKeys', 'NotIn'],
  ] as const)
    for (const key of listOf(term[name])) {
      const value = labels[jsonTextOf(key)];
      if (value === undefined) continue;
      const list = listOf(selector['matchExpressions']);
      selector['matchExpressions'] = [...list, { key, operator, values: [value] }];
    }
}

function podErrors(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  const errors = [
    ...podSpecErrors(spec, 'spec', { pod: jsonTextOf(objectOf(object['metadata'])['name']) }),
    ...nonNegativeFields(spec, 'spec', 'terminationGracePeriodSeconds'),
  ];
  if (jsonTextOf(spec['serviceAccountName']) === '')
    for (const [index, { projected }] of objectsOf(spec['volumes']).entries())
      for (const [number, { serviceAccountToken }] of objectsOf(objectOf(projected)['sources']).entries())
        if (isObject(serviceAccountToken))
          errors.push(
            forbiddenValue(
              `spec.volumes[${index}].projected.sources[${number}].serviceAccountToken`,
              'must not be specified when serviceAccountName is not set',
            ),
          );
  for (const list of ['containers', 'initContainers'])
    for (const [index, { image }] of objectsOf(spec[list]).entries())
      if (jsonTextOf(image) !== jsonTextOf(image).trim())
        errors.push(
          invalidValue(
            `spec.${list}[${index}].image`,
            image ?? '',
            'must not have leading or trailing whitespace',
          ),
        );
  return errors;
}

function createErrors(object: JsonObject): readonly FieldError[] {
  const { ephemeralContainers, nodeName, schedulingGates } = specOf(object);
  const errors = [...podErrors(object)];
  if (listOf(ephemeralContainers).length > 0)
    errors.push(forbiddenValue('spec.ephemeralContainers', 'cannot be set on create'));
  if (jsonTextOf(nodeName) !== '' && listOf(schedulingGates).length > 0)
    errors.push(forbiddenValue('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  return errors;
}

const onlyThese =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n';

/** Returns the errors of a change of a Pod. Source: kubernetes `ValidatePodUpdate`. */
function updateErrors(now: JsonObject, before: JsonObject): readonly FieldError[] {
  const [spec, old] = [specOf(now), specOf(before)];
  const errors = [...podErrors(now)];
  for (const list of ['containers', 'initContainers']) {
    if (listOf(spec[list]).length !== listOf(old[list]).length)
      return [...errors, forbiddenValue(`spec.${list}`, 'pod updates may not add or remove containers')];
    for (const [index, { image }] of objectsOf(spec[list]).entries())
      if (jsonTextOf(image) === '') errors.push(required(`spec.${list}[${index}].image`));
  }
  const [deadline, oldDeadline] = [spec['activeDeadlineSeconds'], old['activeDeadlineSeconds']];
  const field = 'spec.activeDeadlineSeconds';
  if (typeof deadline === 'number' && (deadline < 0 || deadline > 2_147_483_647))
    return [...errors, invalidValue(field, deadline, 'must be between 0 and 2147483647, inclusive')];
  if (typeof deadline === 'number' && typeof oldDeadline === 'number' && oldDeadline < deadline)
    return [...errors, invalidValue(field, deadline, 'must be less than or equal to previous value')];
  if (deadline === undefined && oldDeadline !== undefined)
    errors.push(invalidValue(field, null, 'must not update from a positive integer to nil value'));
  errors.push(...tolerationChanges(spec['tolerations'], old['tolerations']), ...gateChanges(spec, old));
  errors.push(...nodeSelectorChanges(spec, old));
  if (!isEqualJson(fixedPart(spec, old), fixedPart(old, old))) errors.push(forbiddenValue('spec', onlyThese));
  return errors;
}

/** Returns an error if labels of nodes that a gated Pod asks for were changed or removed. */
function nodeSelectorChanges(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  if (listOf(old['schedulingGates']).length === 0) return [];
  const [now, before] = [objectOf(spec['nodeSelector']), objectOf(old['nodeSelector'])];
  return Object.entries(before).every(([key, value]) => now[key] === value)
    ? []
    : [
        invalidValue(
          'spec.nodeSelector',
          now,
          'only additions to spec.nodeSelector are allowed (no mutations or deletions)',
        ),
      ];
}

/** Returns the part of a spec that must not change. */
function fixedPart(spec: JsonObject, old: JsonObject): JsonObject {
  const { activeDeadlineSeconds: _, schedulingGates: __, tolerations: ___, ...rest } = spec;
  const bare = (list: Json | undefined): JsonObject[] =>
    objectsOf(list).map(({ image: _image, ...container }) => container);
  const isGated = listOf(old['schedulingGates']).length > 0;
  if (isGated) delete rest['nodeSelector'];
  return { ...rest, containers: bare(spec['containers']), initContainers: bare(spec['initContainers']) };
}

function tolerationChanges(now: Json | undefined, before: Json | undefined): readonly FieldError[] {
  const list = objectsOf(now);
  const isKept = objectsOf(before).every((toleration) =>
    list.some((each) => isEqualJson(withoutSeconds(each), withoutSeconds(toleration))),
  );
  return isKept
    ? []
    : [
        forbiddenValue(
          'spec.tolerations',
          'existing toleration can not be modified except its tolerationSeconds',
        ),
      ];
}

const withoutSeconds = ({ tolerationSeconds: _, ...toleration }: JsonObject): JsonObject => toleration;

function gateChanges(now: JsonObject, before: JsonObject): readonly FieldError[] {
  const names = (spec: JsonObject): Json[] => objectsOf(spec['schedulingGates']).map(({ name = '' }) => name);
  const old = names(before);
  return names(now)
    .filter((name) => !old.includes(name))
    .map((name, index) =>
      forbiddenValue(
        `spec.schedulingGates[${index}].name`,
        `only deletion is allowed, but found new scheduling gate '${jsonTextOf(name)}'`,
      ),
    );
}

/** Keeps the parts of a status that a client left out because it does not know them. */
function prepareStatus(now: JsonObject, before: JsonObject): void {
  const status = { ...objectOf(now['status']) };
  const old = objectOf(before['status']);
  if (status['qosClass'] === undefined && old['qosClass'] !== undefined) status['qosClass'] = old['qosClass'];
  if (status['observedGeneration'] === undefined && old['observedGeneration'] !== undefined)
    status['observedGeneration'] = old['observedGeneration'];
  now['status'] = status;
}

export const podRules: Readonly<Record<string, BuiltInEntry>> = {
  'v1 Pod': {
    hasGeneration: true,
    unconditionalUpdate: true,
    returnsDeleted: true,
    statusIgnores: FieldSet.of(
      ['f:spec'],
      ['f:metadata', 'f:deletionTimestamp'],
      ['f:metadata', 'f:ownerReferences'],
    ),
    selectableFields: [
      ...['spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName'],
      ...['spec.hostNetwork', 'status.phase', 'status.podIP', 'status.podIPs', 'status.nominatedNodeName'],
    ],
    normalize,
    prepareCreate,
    prepareUpdate: (object) => dropDisabled(specOf(object)),
    prepareStatus,
    validate: createErrors,
    validateUpdate: updateErrors,
    warnings: (object, before) =>
      before === undefined
        ? [...hostnameWarnings(object, "the Pod's hostname"), ...podWarnings(specOf(object), 'spec')]
        : [],
    gracePeriod: (object, requested) => {
      const spec = specOf(object);
      const { phase } = objectOf(object['status']);
      if (jsonTextOf(spec['nodeName']) === '' || phase === 'Failed' || phase === 'Succeeded') return 0;
      const period = requested ?? Number(spec['terminationGracePeriodSeconds'] ?? 0);
      return period < 0 ? 1 : period;
    },
  },
};

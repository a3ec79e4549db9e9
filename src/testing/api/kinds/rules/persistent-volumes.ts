import { posix } from 'node:path';
import {
  FieldSet,
  forbiddenValue,
  invalidValue,
  isObject,
  labelProblems,
  objectOf,
  required,
  subdomainProblems,
  unsupportedValue,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { isEqualJson, jsonTextOf } from '../../../../base/util/json-map.ts';
import { milliValue } from '../../../../base/util/quantity.ts';
import { setDefaults, type BuiltInEntry } from '../served-kind.ts';
import { choiceErrors, immutable, nameErrors, positiveQuantity, specOf } from './checks.ts';
import { accessModeErrors } from './claims.ts';
import { nodeSelectorErrors } from './scheduling.ts';
import {
  backstepErrors,
  driverErrors,
  sharedSources,
  volumeSourceErrors,
  type VolumeSource,
} from './volume-sources.ts';

const { hostPath, gcePersistentDisk, awsElasticBlockStore, glusterfs, flocker, nfs, rbd, quobyte } =
  sharedSources;
const { cephfs, iscsi, cinder, fc, flexVolume, azureFile, vsphereVolume } = sharedSources;
const { photonPersistentDisk, portworxVolume, azureDisk, scaleIO, storageos } = sharedSources;

const secretFields = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
];

const csi: VolumeSource = {
  errors: (source, at) => [
    ...driverErrors(source['driver'], `${at}.driver`),
    ...(jsonTextOf(source['volumeHandle']) === '' ? [required(`${at}.volumeHandle`)] : []),
    ...secretFields.flatMap((name) =>
      isObject(source[name]) ? secretErrors(source[name], `${at}.${name}`) : [],
    ),
  ],
};

/** The sources of a PersistentVolume, in the order in which the server looks at them. */
const sources: Readonly<Record<string, VolumeSource>> = {
  ...{ hostPath, gcePersistentDisk, awsElasticBlockStore, glusterfs, flocker, nfs, rbd, quobyte, cephfs },
  ...{ iscsi, cinder, fc, flexVolume, azureFile, vsphereVolume, photonPersistentDisk, portworxVolume },
  ...{ azureDisk, scaleIO },
  local: { needed: ['path'], errors: ({ path }, at) => backstepErrors(path, `${at}.path`) },
  storageos,
  csi,
};

function secretErrors({ name, namespace }: JsonObject, at: string): readonly FieldError[] {
  return [
    ...(jsonTextOf(name) === ''
      ? [required(`${at}.name`)]
      : nameErrors(name, `${at}.name`, subdomainProblems)),
    ...(jsonTextOf(namespace) === ''
      ? [required(`${at}.namespace`)]
      : nameErrors(namespace, `${at}.namespace`, labelProblems)),
  ];
}

/** Returns the errors of a PersistentVolume. Source: kubernetes `ValidatePersistentVolumeSpec`. */
function volumeErrors(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  const errors: FieldError[] = [
    ...accessModeErrors(spec['accessModes'], 'spec', ''),
    ...capacityErrors(spec['capacity']),
    ...choiceErrors(spec['persistentVolumeReclaimPolicy'], 'spec.persistentVolumeReclaimPolicy', [
      'Delete',
      'Recycle',
      'Retain',
    ]),
  ];
  const { nodeAffinity, volumeAttributesClassName: className } = spec;
  if (isObject(nodeAffinity))
    errors.push(
      ...(isObject(nodeAffinity['required'])
        ? nodeSelectorErrors(nodeAffinity['required'], 'spec.nodeAffinity.required')
        : [required('spec.nodeAffinity.required', 'must specify required node constraints')]),
    );
  errors.push(...volumeSourceErrors(spec, sources, 'spec'));
  const isLocal =
    isObject(spec['local']) && Object.keys(sources).find((name) => isObject(spec[name])) === 'local';
  if (isLocal && !isObject(nodeAffinity))
    errors.push(required('spec.nodeAffinity', 'Local volume requires node affinity'));
  const host = spec['hostPath'];
  if (
    isObject(host) &&
    posix.resolve('/x', jsonTextOf(host['path'])) === '/' &&
    spec['persistentVolumeReclaimPolicy'] === 'Recycle'
  )
    errors.push(
      forbiddenValue(
        'spec.persistentVolumeReclaimPolicy',
        "may not be 'recycle' for a hostPath mount of '/'",
      ),
    );
  errors.push(
    ...nameErrors(spec['storageClassName'], 'spec.storageClassName', subdomainProblems),
    ...choiceErrors(spec['volumeMode'], 'spec.volumeMode', ['Block', 'Filesystem']),
  );
  if (className === undefined) return errors;
  const field = 'spec.volumeAttributesClassName';
  return [
    ...errors,
    ...(className === ''
      ? [required(field, 'an empty string is disallowed')]
      : nameErrors(className, field, subdomainProblems)),
    ...(isObject(spec['csi'])
      ? []
      : [required('spec.csi', 'has to be specified when using volumeAttributesClassName')]),
  ];
}

function capacityErrors(value: Json | undefined): readonly FieldError[] {
  const capacity = objectOf(value);
  const names = Object.keys(capacity);
  const errors: FieldError[] = names.length === 0 ? [required('spec.capacity')] : [];
  if (capacity['storage'] === undefined || names.length > 1)
    errors.push(unsupportedValue('spec.capacity', names.length === 0 ? null : capacity, ['storage']));
  for (const [name, amount] of Object.entries(capacity)) {
    const field = `spec.capacity[${name}]`;
    const text = jsonTextOf(amount);
    if (milliValue(text) < 0n)
      errors.push(
        invalidValue(field, Number((milliValue(text) - 999n) / 1000n), 'must be a valid resource quantity'),
      );
    errors.push(...positiveQuantity(amount, field));
  }
  return errors;
}

/** Returns the sources of a volume. A secret for expansion may be set once. */
function sourcesOf(spec: JsonObject, old: JsonObject): JsonObject {
  const own = Object.fromEntries(Object.entries(spec).filter(([name]) => Object.hasOwn(sources, name)));
  const before = old['csi'];
  if (isObject(own['csi']) && isObject(before) && before['controllerExpandSecretRef'] === undefined) {
    const { controllerExpandSecretRef: _, ...rest } = own['csi'];
    own['csi'] = rest;
  }
  return own;
}

/** Labels of nodes that Kubernetes has renamed, each with its later name. */
const laterLabels: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
};

/** Returns true if affinities differ at most in labels that have a later name. The server takes an empty key for the later name of others. */
function isSameAffinity(now: Json, before: Json): boolean {
  if (Array.isArray(now) && Array.isArray(before))
    return (
      now.length === before.length && now.every((item, index) => isSameAffinity(item, before[index] ?? null))
    );
  if (!isObject(now) || !isObject(before)) return isEqualJson(now, before);
  return [...new Set([...Object.keys(now), ...Object.keys(before)])].every((name) => {
    const [value, old] = [now[name] ?? null, before[name] ?? null];
    const isLater = name === 'key' && jsonTextOf(value) === (laterLabels[jsonTextOf(old)] ?? '');
    return isLater || isSameAffinity(value, old);
  });
}

function volumeChanges(now: JsonObject, before: JsonObject): readonly FieldError[] {
  const [spec, old] = [specOf(now), specOf(before)];
  const errors: FieldError[] = [];
  if (!isEqualJson(sourcesOf(spec, old), sourcesOf(old, old)))
    errors.push(
      forbiddenValue(
        'spec.persistentvolumesource',
        'spec.persistentvolumesource is immutable after creation\n',
      ),
    );
  errors.push(...immutable(spec['volumeMode'], old['volumeMode'], 'volumeMode'));
  const affinity = spec['nodeAffinity'] ?? null;
  if (old['nodeAffinity'] !== undefined && !isSameAffinity(affinity, old['nodeAffinity']))
    errors.push(
      invalidValue('nodeAffinity', affinity, 'field is immutable, except for updating from beta label to GA'),
    );
  const [name, oldName] = [spec['volumeAttributesClassName'], old['volumeAttributesClassName']];
  if (name === undefined && oldName !== undefined)
    errors.push(
      forbiddenValue('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden'),
    );
  return errors;
}

const recycleWarning =
  'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';

export const persistentVolumeRules: Readonly<Record<string, BuiltInEntry>> = {
  'v1 PersistentVolume': {
    hasGeneration: false,
    unconditionalUpdate: true,
    returnsDeleted: true,
    statusIgnores: FieldSet.of(['f:spec']),
    normalize: (object) => {
      setDefaults(objectOf(object['status']), { phase: 'Pending' });
      setDefaults(specOf(object), { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' });
      const host = specOf(object)['hostPath'];
      if (isObject(host)) setDefaults(host, { type: '' });
    },
    prepareCreate: (object) => {
      const created = objectOf(object['metadata'])['creationTimestamp'] ?? null;
      object['status'] = { phase: 'Pending', lastPhaseTransitionTime: created };
    },
    validate: volumeErrors,
    validateUpdate: (now, before) => [...volumeErrors(now), ...volumeChanges(now, before)],
    warnings: (object) =>
      specOf(object)['persistentVolumeReclaimPolicy'] === 'Recycle' ? [recycleWarning] : [],
  },
};

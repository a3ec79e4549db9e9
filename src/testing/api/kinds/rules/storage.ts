import {
  FieldSet,
  forbiddenValue,
  invalidValue,
  isObject,
  listOf,
  objectOf,
  qualifiedNameProblems,
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
import { immutable, nameErrors, choiceErrors, selectorErrors, specOf } from './checks.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'] as const;

/** Applies the defaults of a PersistentVolumeClaim or of a template of one, in place. */
export function normalizeClaim(claim: JsonObject): void {
  setDefaults(specOf(claim), { volumeMode: 'Filesystem' });
  setDefaults(objectOf(claim['status']), { phase: 'Pending' });
}

function accessModeErrors(modes: Json | undefined, path: string, detail: string): readonly FieldError[] {
  const list = listOf(modes).map(jsonTextOf);
  const field = `${path}.accessModes`;
  const errors: FieldError[] = list.length === 0 ? [required(field, detail)] : [];
  for (const mode of list) errors.push(...choiceErrors(mode, field, accessModes));
  const others = list.filter(
    (mode) => mode !== 'ReadWriteOncePod' && accessModes.some((each) => each === mode),
  );
  if (list.includes('ReadWriteOncePod') && others.length > 0)
    errors.push(forbiddenValue(field, 'may not use ReadWriteOncePod with other access modes'));
  return errors;
}

/** Returns the errors of the spec of a PersistentVolumeClaim. Source: kubernetes `ValidatePersistentVolumeClaimSpec`. */
export function claimSpecErrors(spec: JsonObject, path: string): readonly FieldError[] {
  const storage = objectOf(objectOf(spec['resources'])['requests'])['storage'];
  const field = `${path}.resources[storage]`;
  return [
    ...accessModeErrors(spec['accessModes'], path, 'at least 1 access mode is required'),
    ...(spec['selector'] === undefined ? [] : selectorErrors(spec['selector'], `${path}.selector`)),
    ...(storage === undefined ? [required(field)] : positiveErrors(storage, field)),
    ...nameErrors(spec['storageClassName'], `${path}.storageClassName`, subdomainProblems),
    ...choiceErrors(spec['volumeMode'], `${path}.volumeMode`, ['Block', 'Filesystem']),
    ...sourceErrors(spec['dataSource'], `${path}.dataSource`),
    ...sourceErrors(spec['dataSourceRef'], `${path}.dataSourceRef`),
  ];
}

function positiveErrors(quantity: Json, field: string): readonly FieldError[] {
  const text = jsonTextOf(quantity);
  return milliValue(text) > 0n ? [] : [invalidValue(field, text, 'must be greater than zero')];
}

function basicErrors(quantity: Json, field: string): readonly FieldError[] {
  const text = jsonTextOf(quantity);
  return milliValue(text) < 0n
    ? [
        {
          type: 'FieldValueInvalid',
          field,
          body: `Invalid value: ${text}: must be a valid resource quantity`,
        },
      ]
    : [];
}

function sourceErrors(source: Json | undefined, path: string): readonly FieldError[] {
  if (!isObject(source)) return [];
  const errors: FieldError[] = [];
  for (const name of ['name', 'kind'])
    if (jsonTextOf(source[name]) === '') errors.push(required(`${path}.${name}`));
  if (jsonTextOf(source['apiGroup']) === '' && source['kind'] !== 'PersistentVolumeClaim')
    errors.push(
      invalidValue(
        path,
        jsonTextOf(source['kind']),
        "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
      ),
    );
  return errors;
}

/** Sets `dataSourceRef` from `dataSource`, or the other way round. */
function prepareSources(object: JsonObject): void {
  const spec = specOf(object);
  const { dataSource, dataSourceRef } = spec;
  if (isObject(dataSource) && dataSourceRef === undefined) spec['dataSourceRef'] = { ...dataSource };
  if (isObject(dataSourceRef) && dataSource === undefined && dataSourceRef['namespace'] === undefined)
    spec['dataSource'] = { ...dataSourceRef };
}

function claimChanges(now: JsonObject, before: JsonObject): readonly FieldError[] {
  const [spec, old] = [specOf(now), specOf(before)];
  const { phase, capacity } = objectOf(before['status']);
  const isBound = phase === 'Bound';
  const errors: FieldError[] = [];
  const comparable = (each: JsonObject): JsonObject => {
    const rest: JsonObject = { ...each };
    if (old['volumeName'] === undefined) delete rest['volumeName'];
    if (old['storageClassName'] === undefined && !isBound) delete rest['storageClassName'];
    if (isBound) {
      const { storage: _, ...requests } = objectOf(objectOf(each['resources'])['requests']);
      rest['resources'] = { ...objectOf(each['resources']), requests };
      delete rest['volumeAttributesClassName'];
    }
    return rest;
  };
  if (!isEqualJson(comparable(spec), comparable(old)))
    errors.push(
      forbiddenValue(
        'spec',
        'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n',
      ),
    );
  const [size, oldSize] = [storageOf(spec), storageOf(old)];
  const capacityNow = objectOf(capacity)['storage'];
  const least = capacityNow === undefined ? 0n : milliValue(jsonTextOf(capacityNow));
  if (size !== undefined && oldSize !== undefined && size < oldSize && size <= least)
    errors.push(
      forbiddenValue('spec.resources.requests.storage', 'field can not be less than status.capacity'),
    );
  return [...errors, ...immutable(spec['volumeMode'], old['volumeMode'], 'volumeMode')];
}

function storageOf(spec: JsonObject): bigint | undefined {
  const storage = objectOf(objectOf(spec['resources'])['requests'])['storage'];
  return storage === undefined ? undefined : milliValue(jsonTextOf(storage));
}

const sources =
  /^(?:spec|capacity|accessModes|claimRef|persistentVolumeReclaimPolicy|storageClassName|mountOptions|volumeMode|nodeAffinity|volumeAttributesClassName)$/;

function volumeSource(spec: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => !sources.test(name)));
}

function volumeErrors(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  const capacity = objectOf(spec['capacity']);
  const errors: FieldError[] = [...accessModeErrors(spec['accessModes'], 'spec', '')];
  if (Object.keys(capacity).length === 0) errors.push(required('spec.capacity'));
  if (capacity['storage'] === undefined || Object.keys(capacity).length > 1)
    errors.push(
      unsupportedValue('spec.capacity', Object.keys(capacity).length === 0 ? null : capacity, ['storage']),
    );
  for (const [name, amount] of Object.entries(capacity))
    errors.push(
      ...basicErrors(amount, `spec.capacity[${name}]`),
      ...positiveErrors(amount, `spec.capacity[${name}]`),
    );
  errors.push(
    ...choiceErrors(spec['persistentVolumeReclaimPolicy'], 'spec.persistentVolumeReclaimPolicy', [
      'Delete',
      'Recycle',
      'Retain',
    ]),
  );
  const found = Object.keys(volumeSource(spec));
  if (found.length === 0) errors.push(required('spec', 'must specify a volume type'));
  for (const name of found.slice(1))
    errors.push(forbiddenValue(`spec.${name}`, 'may not specify more than 1 volume type'));
  const { csi, hostPath, nfs, local } = spec;
  if (isObject(csi) && jsonTextOf(csi['driver']) === '') errors.push(required('spec.csi.driver'));
  if (isObject(csi) && jsonTextOf(csi['volumeHandle']) === '') errors.push(required('spec.csi.volumeHandle'));
  if (isObject(hostPath) && jsonTextOf(hostPath['path']) === '') errors.push(required('spec.hostPath.path'));
  if (isObject(nfs) && jsonTextOf(nfs['server']) === '') errors.push(required('spec.nfs.server'));
  if (isObject(local) && spec['nodeAffinity'] === undefined)
    errors.push(required('spec.nodeAffinity', 'Local volume requires node affinity'));
  return [
    ...errors,
    ...nameErrors(spec['storageClassName'], 'spec.storageClassName', subdomainProblems),
    ...choiceErrors(spec['volumeMode'], 'spec.volumeMode', ['Block', 'Filesystem']),
  ];
}

function volumeChanges(now: JsonObject, before: JsonObject): readonly FieldError[] {
  const [spec, old] = [specOf(now), specOf(before)];
  return [
    ...(isEqualJson(volumeSource(spec), volumeSource(old))
      ? []
      : [
          forbiddenValue(
            'spec.persistentvolumesource',
            'spec.persistentvolumesource is immutable after creation\n',
          ),
        ]),
    ...immutable(spec['volumeMode'], old['volumeMode'], 'volumeMode'),
  ];
}

function classErrors(object: JsonObject): readonly FieldError[] {
  const provisioner = jsonTextOf(object['provisioner']);
  return [
    ...(provisioner === ''
      ? [required('provisioner')]
      : nameErrors(provisioner.toLowerCase(), 'provisioner', qualifiedNameProblems)),
    ...choiceErrors(object['reclaimPolicy'], 'reclaimPolicy', ['Delete', 'Retain']),
    ...choiceErrors(object['volumeBindingMode'], 'volumeBindingMode', ['Immediate', 'WaitForFirstConsumer']),
  ];
}

export const storageRules: Readonly<Record<string, BuiltInEntry>> = {
  'v1 PersistentVolumeClaim': {
    hasGeneration: false,
    unconditionalUpdate: true,
    returnsDeleted: true,
    statusIgnores: FieldSet.of(['f:spec']),
    normalize: normalizeClaim,
    prepareCreate: (object) => {
      object['status'] = { phase: 'Pending' };
      prepareSources(object);
    },
    prepareUpdate: prepareSources,
    validate: (object) => claimSpecErrors(specOf(object), 'spec'),
    validateUpdate: (now, before) => [...claimSpecErrors(specOf(now), 'spec'), ...claimChanges(now, before)],
  },
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
  },
  'storage.k8s.io/v1 StorageClass': {
    hasGeneration: false,
    unconditionalUpdate: true,
    returnsDeleted: true,
    normalize: (object) => setDefaults(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
    validate: classErrors,
    validateUpdate: (now, before) =>
      ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'].flatMap((name) =>
        immutable(now[name], before[name], name, null),
      ),
  },
};

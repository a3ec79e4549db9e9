import {
  FieldSet,
  forbiddenValue,
  invalidValue,
  isObject,
  labelProblems,
  listOf,
  objectOf,
  required,
  subdomainProblems,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { isEqualJson, jsonTextOf } from '../../../../base/util/json-map.ts';
import { milliValue } from '../../../../base/util/quantity.ts';
import { setDefaults, type BuiltInEntry } from '../served-kind.ts';
import { choiceErrors, immutable, nameErrors, positiveQuantity, selectorErrors, specOf } from './checks.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'] as const;

/** Applies the defaults of a PersistentVolumeClaim or of a template of one, in place. */
export function normalizeClaim(claim: JsonObject): void {
  setDefaults(specOf(claim), { volumeMode: 'Filesystem' });
  setDefaults(objectOf(claim['status']), { phase: 'Pending' });
}

export function accessModeErrors(
  modes: Json | undefined,
  path: string,
  detail: string,
): readonly FieldError[] {
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

/**
 * Returns the errors of the spec of a PersistentVolumeClaim. Groups of sources are not checked if the spec before had one. Source: kubernetes
 * `ValidatePersistentVolumeClaimSpec`.
 */
export function claimSpecErrors(spec: JsonObject, path: string, before?: JsonObject): readonly FieldError[] {
  const checksGroup = !['dataSource', 'dataSourceRef'].some(
    (name) => objectOf(before?.[name])['apiGroup'] !== undefined,
  );
  const storage = objectOf(objectOf(spec['resources'])['requests'])['storage'];
  const field = `${path}.resources[storage]`;
  return [
    ...accessModeErrors(spec['accessModes'], path, 'at least 1 access mode is required'),
    ...selectorErrors(spec['selector'], `${path}.selector`),
    ...(storage === undefined ? [required(field)] : positiveQuantity(storage, field)),
    ...nameErrors(spec['storageClassName'], `${path}.storageClassName`, subdomainProblems),
    ...choiceErrors(spec['volumeMode'], `${path}.volumeMode`, ['Block', 'Filesystem']),
    ...sourceErrors(spec['dataSource'], `${path}.dataSource`, checksGroup),
    ...sourceErrors(spec['dataSourceRef'], `${path}.dataSourceRef`, checksGroup),
    ...pairErrors(spec, path),
    ...nameErrors(spec['volumeAttributesClassName'], `${path}.volumeAttributesClassName`, subdomainProblems),
  ];
}

function sourceErrors(source: Json | undefined, path: string, checksGroup: boolean): readonly FieldError[] {
  if (!isObject(source)) return [];
  const errors: FieldError[] = [];
  const group = jsonTextOf(source['apiGroup']);
  for (const name of ['name', 'kind'])
    if (jsonTextOf(source[name]) === '') errors.push(required(`${path}.${name}`));
  if (group === '' && source['kind'] !== 'PersistentVolumeClaim')
    errors.push(
      invalidValue(
        path,
        jsonTextOf(source['kind']),
        "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
      ),
    );
  return [
    ...errors,
    ...(checksGroup ? nameErrors(group, `${path}.apiGroup`, subdomainProblems) : []),
    ...nameErrors(source['namespace'], `${path}.namespace`, labelProblems),
  ];
}

/** Returns the errors of two sources that contradict each other. */
function pairErrors({ dataSource, dataSourceRef }: JsonObject, path: string): readonly FieldError[] {
  if (!isObject(dataSource) || !isObject(dataSourceRef)) return [];
  // The server prints a path in place of the value.
  if (jsonTextOf(dataSourceRef['namespace']) !== '')
    return [invalidValue(path, {}, 'may not be specified when dataSourceRef.namespace is specified')];
  const bare = ({ apiGroup = null, kind = '', name = '' }: JsonObject): JsonObject => ({
    apiGroup,
    kind,
    name,
  });
  return isEqualJson(bare(dataSource), bare(dataSourceRef))
    ? []
    : [invalidValue(path, {}, 'must match dataSourceRef')];
}

/** Returns true for a source that the server accepts without `dataSourceRef`. */
function isUsualSource(source: JsonObject): boolean {
  const group = jsonTextOf(source['apiGroup']);
  return group === ''
    ? source['kind'] === 'PersistentVolumeClaim'
    : group === 'snapshot.storage.k8s.io' && source['kind'] === 'VolumeSnapshot';
}

/** Drops sources that the server ignores, and sets `dataSourceRef` from `dataSource`, or the other way round. */
function prepareSources(object: JsonObject, before?: JsonObject): void {
  const spec = { ...specOf(object) };
  object['spec'] = spec;
  const old = specOf(before ?? {});
  if (jsonTextOf(objectOf(spec['dataSourceRef'])['namespace']) !== '' && old['dataSourceRef'] === undefined)
    delete spec['dataSourceRef'];
  const { dataSource, dataSourceRef } = spec;
  const isKept = old['dataSource'] !== undefined || old['dataSourceRef'] !== undefined;
  if (isObject(dataSource) && dataSourceRef === undefined && !isKept && !isUsualSource(dataSource))
    delete spec['dataSource'];
  else if (isObject(dataSource) && dataSourceRef === undefined) spec['dataSourceRef'] = { ...dataSource };
  else if (
    isObject(dataSourceRef) &&
    dataSource === undefined &&
    jsonTextOf(dataSourceRef['namespace']) === ''
  ) {
    const { namespace: _, ...source } = dataSourceRef;
    spec['dataSource'] = source;
  }
}

function claimChanges(now: JsonObject, before: JsonObject): readonly FieldError[] {
  const [spec, old] = [specOf(now), specOf(before)];
  const { phase, capacity } = objectOf(before['status']);
  const isBound = phase === 'Bound';
  const errors: FieldError[] = [];
  const comparable = (each: JsonObject): JsonObject => {
    const rest: JsonObject = { ...each };
    if (jsonTextOf(old['volumeName']) === '') delete rest['volumeName'];
    if (old['storageClassName'] === undefined && spec['storageClassName'] !== undefined)
      delete rest['storageClassName'];
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
  if (size < oldSize && size <= least)
    errors.push(
      forbiddenValue('spec.resources.requests.storage', 'field can not be less than status.capacity'),
    );
  return [...errors, ...immutable(spec['volumeMode'], old['volumeMode'], 'volumeMode')];
}

function storageOf(spec: JsonObject): bigint {
  const storage = objectOf(objectOf(spec['resources'])['requests'])['storage'];
  return storage === undefined ? 0n : milliValue(jsonTextOf(storage));
}

/** Returns the thousandths that the server counts with: at most what fits into 64 bits. */
export function storedMilliValue(amount: string): bigint {
  const value = milliValue(amount);
  return value < 2n ** 63n ? value : 2n ** 63n - 1n;
}

/** Returns the warnings about amounts of a claim that are not whole. */
export function claimWarnings(spec: JsonObject, path: string): readonly string[] {
  return ['requests', 'limits'].flatMap((part) => {
    const amount = jsonTextOf(objectOf(objectOf(spec['resources'])[part])['storage']);
    return amount === '' || storedMilliValue(amount) % 1000n === 0n
      ? []
      : [
          `${path}.resources.${part}[storage]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`,
        ];
  });
}

export const claimRules: Readonly<Record<string, BuiltInEntry>> = {
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
    validateUpdate: (now, before) => [
      ...claimSpecErrors(specOf(now), 'spec', specOf(before)),
      ...claimChanges(now, before),
    ],
    warnings: (object) => claimWarnings(specOf(object), 'spec'),
  },
};

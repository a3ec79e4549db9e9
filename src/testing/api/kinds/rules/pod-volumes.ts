import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  isObject,
  labelErrors,
  objectOf,
  annotationErrors,
  required,
  subdomainProblems,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { milliValue } from '../../../../base/util/quantity.ts';
import { choiceErrors, nameErrors, objectsOf } from './checks.ts';
import { claimSpecErrors } from './claims.ts';
import { fieldReferenceErrors, fieldsOfFiles, resourceReferenceErrors } from './environment.ts';
import {
  driverErrors,
  localPathErrors,
  sharedSources,
  volumeSourceErrors,
  type VolumeSource,
} from './volume-sources.ts';

const { hostPath, gcePersistentDisk, awsElasticBlockStore, nfs, iscsi, glusterfs, flocker, rbd, cinder } =
  sharedSources;
const { cephfs, quobyte, fc, flexVolume, azureFile, vsphereVolume, photonPersistentDisk } = sharedSources;
const { portworxVolume, azureDisk, storageos, scaleIO } = sharedSources;

/** The sources of a volume of a Pod, in the order in which the server looks at them. */
const sources: Readonly<Record<string, VolumeSource>> = {
  emptyDir: {
    errors: ({ sizeLimit }, at) =>
      sizeLimit !== undefined && milliValue(jsonTextOf(sizeLimit)) < 0n
        ? [forbiddenValue(`${at}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
        : [],
  },
  hostPath,
  gitRepo: {
    needed: ['repository'],
    errors: ({ directory }, at) => localPathErrors(directory, `${at}.directory`),
  },
  ...{ gcePersistentDisk, awsElasticBlockStore },
  secret: { needed: ['secretName'], errors: fileSourceErrors },
  ...{ nfs, iscsi, glusterfs, flocker },
  persistentVolumeClaim: { needed: ['claimName'] },
  ...{ rbd, cinder, cephfs, quobyte },
  downwardAPI: {
    second: 'downwarAPI',
    errors: (source, at) => [
      ...modeErrors(source['defaultMode'], `${at}.defaultMode`),
      ...objectsOf(source['items']).flatMap((file) => downwardErrors(file, at)),
    ],
  },
  ...{ fc, flexVolume },
  configMap: { needed: ['name'], errors: fileSourceErrors },
  ...{ azureFile, vsphereVolume, photonPersistentDisk, portworxVolume, azureDisk, storageos },
  projected: {
    errors: (source, at) => [
      ...modeErrors(source['defaultMode'], `${at}.defaultMode`),
      ...projectionErrors(source['sources'], at),
    ],
  },
  scaleIO,
  csi: {
    errors: ({ driver, nodePublishSecretRef: secret }, at) => [
      ...driverErrors(driver, `${at}.driver`),
      ...(isObject(secret)
        ? jsonTextOf(secret['name']) === ''
          ? [required(`${at}.nodePublishSecretRef.name`)]
          : nameErrors(secret['name'], `${at}.name`, subdomainProblems)
        : []),
    ],
  },
  ephemeral: {
    errors: ({ volumeClaimTemplate: template }, at) =>
      isObject(template)
        ? templateErrors(template, `${at}.volumeClaimTemplate`)
        : [required(`${at}.volumeClaimTemplate`)],
  },
  image: {
    needed: ['reference'],
    errors: ({ pullPolicy }, at) => pullPolicyErrors(pullPolicy, `${at}.pullPolicy`),
  },
};

export function pullPolicyErrors(policy: Json | undefined, field: string): readonly FieldError[] {
  return choiceErrors(policy, field, ['Always', 'IfNotPresent', 'Never']);
}

function templateErrors({ metadata, spec }: JsonObject, at: string): readonly FieldError[] {
  const { annotations, labels, ...others } = objectOf(metadata);
  return [
    ...annotationErrors(annotations, `${at}.metadata.annotations`),
    ...labelErrors(labels, `${at}.metadata.labels`),
    ...Object.keys(others).map((name) => forbiddenValue(`${at}.metadata.${name}`, 'cannot be set')),
    ...claimSpecErrors(objectOf(spec), `${at}.spec`),
  ];
}

function modeErrors(mode: Json | undefined, field: string): readonly FieldError[] {
  return typeof mode === 'number' && (mode < 0 || mode > 0o777)
    ? [invalidValue(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive')]
    : [];
}

function fileSourceErrors(source: JsonObject, at: string): readonly FieldError[] {
  return [
    ...modeErrors(source['defaultMode'], `${at}.defaultMode`),
    ...objectsOf(source['items']).flatMap((item, index) => itemErrors(item, `${at}.items[${index}]`)),
  ];
}

function itemErrors(item: JsonObject, at: string): readonly FieldError[] {
  return [
    ...(jsonTextOf(item['key']) === '' ? [required(`${at}.key`)] : []),
    ...filePathErrors(item['path'], `${at}.path`),
    ...modeErrors(item['mode'], `${at}.mode`),
  ];
}

/** Returns the errors of the path of a file of a volume. Source: kubernetes `ValidateLocalNonReservedPath`. */
function filePathErrors(value: Json | undefined, field: string): readonly FieldError[] {
  const path = jsonTextOf(value);
  return [
    ...(path === '' ? [required(field)] : []),
    ...localPathErrors(value, field),
    ...(path.startsWith('..') && !path.startsWith('../')
      ? [invalidValue(field, path, "must not start with '..'")]
      : []),
  ];
}

/** Returns the errors of a file with a field of the Pod. The server does not name the file in the paths of errors. */
function downwardErrors(file: JsonObject, at: string): readonly FieldError[] {
  const { fieldRef, resourceFieldRef } = file;
  const errors = [...filePathErrors(file['path'], `${at}.path`)];
  if (isObject(fieldRef)) {
    errors.push(...fieldReferenceErrors(fieldRef, `${at}.fieldRef`, fieldsOfFiles));
    if (isObject(resourceFieldRef))
      errors.push(
        invalidValue(at, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'),
      );
  } else if (isObject(resourceFieldRef))
    errors.push(...resourceReferenceErrors(resourceFieldRef, `${at}.resourceFieldRef`, true));
  else errors.push(required(at, 'one of fieldRef and resourceFieldRef is required'));
  return [...errors, ...modeErrors(file['mode'], `${at}.mode`)];
}

function projectionErrors(list: Json | undefined, path: string): readonly FieldError[] {
  const paths = new Set<string>();
  const repeated = (value: Json | undefined, shown: string): readonly FieldError[] => {
    const file = jsonTextOf(value);
    if (file === '') return [];
    const isKnown = paths.has(file);
    paths.add(file);
    return isKnown ? [invalidValue(path, shown, 'conflicting duplicate paths')] : [];
  };
  return objectsOf(list).flatMap((source, index) => {
    const at = `${path}.sources[${index}]`;
    const errors: FieldError[] = [];
    for (const kind of ['secret', 'configMap']) {
      const own = source[kind];
      if (!isObject(own)) continue;
      const name = jsonTextOf(own['name']);
      if (name === '') errors.push(required(`${at}.${kind}.name`));
      for (const [number, item] of objectsOf(own['items']).entries())
        errors.push(...itemErrors(item, `${at}.${kind}.items[${number}]`), ...repeated(item['path'], name));
    }
    const { downwardAPI, serviceAccountToken: token } = source;
    for (const file of objectsOf(objectOf(downwardAPI)['items']))
      errors.push(
        ...downwardErrors(file, `${at}.downwardAPI`),
        ...repeated(file['path'], jsonTextOf(file['path'])),
      );
    if (isObject(token)) errors.push(...tokenErrors(token, `${at}.serviceAccountToken`, path));
    const count = projections.filter((kind) => isObject(source[kind])).length;
    if (count > 1) errors.push(forbiddenValue(at, 'may not specify more than 1 volume type per source'));
    return errors;
  });
}

const projections = [
  ...['secret', 'configMap', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle', 'podCertificate'],
];

function tokenErrors(token: JsonObject, at: string, path: string): readonly FieldError[] {
  const seconds = Number(token['expirationSeconds'] ?? 0);
  const field = `${at}.expirationSeconds`;
  return [
    ...(seconds < 600
      ? [invalidValue(field, seconds, 'may not specify a duration less than 10 minutes')]
      : []),
    ...(seconds > 2 ** 32
      ? [invalidValue(field, seconds, 'may not specify a duration larger than 2^32 seconds')]
      : []),
    ...filePathErrors(token['path'], `${path}.path`),
  ];
}

/**
 * Returns the errors of the volumes of a Pod, and the volumes that mounts may name. Source: kubernetes `ValidateVolumes`.
 *
 * @param pod name of the Pod; empty for a template
 */
export function volumeErrors(
  list: Json | undefined,
  path: string,
  pod: string,
): { readonly volumes: ReadonlyMap<string, JsonObject>; readonly errors: readonly FieldError[] } {
  const volumes = new Map<string, JsonObject>();
  const errors: FieldError[] = [];
  const all = objectsOf(list);
  const created = new Set(
    all
      .filter(({ ephemeral }) => pod !== '' && isObject(ephemeral))
      .map(({ name }) => `${pod}-${jsonTextOf(name)}`),
  );
  for (const [index, volume] of all.entries()) {
    const at = `${path}[${index}]`;
    const name = jsonTextOf(volume['name']);
    const own = [
      ...volumeSourceErrors(volume, sources, at),
      ...claimNameErrors(volume, pod, at),
      ...(name === '' ? [required(`${at}.name`)] : nameErrors(name, `${at}.name`)),
      ...(volumes.has(name) ? [duplicateValue(`${at}.name`, name)] : []),
    ];
    if (own.length === 0) volumes.set(name, volume);
    errors.push(...own);
    const claim = jsonTextOf(objectOf(volume['persistentVolumeClaim'])['claimName']);
    if (created.has(claim))
      errors.push(
        invalidValue(
          `${at}.persistentVolumeClaim.claimName`,
          claim,
          'must not reference a PVC that gets created for an ephemeral volume',
        ),
      );
  }
  return { volumes, errors };
}

/** Returns the errors of the name of the claim that a volume creates. */
function claimNameErrors(volume: JsonObject, pod: string, at: string): readonly FieldError[] {
  const name = jsonTextOf(volume['name']);
  const isFirst = Object.keys(sources).find((each) => isObject(volume[each])) === 'ephemeral';
  if (!isFirst || pod === '' || name === '') return [];
  return subdomainProblems(`${pod}-${name}`).map((problem) =>
    invalidValue(`${at}.name`, name, `PVC name ${JSON.stringify(`${pod}-${name}`)}: ${problem}`),
  );
}

import {
  forbiddenValue,
  invalidValue,
  isObject,
  listOf,
  objectOf,
  required,
  subdomainProblems,
  tooLong,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { choiceErrors } from './checks.ts';

/** Rules of a source of a volume. */
export interface VolumeSource {
  /** Fields that must not be empty. */
  readonly needed?: readonly string[];
  /** Name of the source in the paths of errors about its fields. Default: its own name. */
  readonly path?: string;
  /** Name of the source in errors about a second source. Default: its own name. */
  readonly second?: string;
  readonly errors?: (source: JsonObject, at: string) => readonly FieldError[];
}

/** Returns the errors of the sources of a volume, of which it must have one. Only the first one is checked. */
export function volumeSourceErrors(
  volume: JsonObject,
  sources: Readonly<Record<string, VolumeSource>>,
  at: string,
): readonly FieldError[] {
  const [first, ...others] = Object.keys(sources).filter((name) => isObject(volume[name]));
  if (first === undefined) return [required(at, 'must specify a volume type')];
  const { needed = [], path = first, errors } = sources[first] ?? {};
  const source = objectOf(volume[first]);
  const isEmpty = (value: Json | undefined): boolean =>
    Array.isArray(value) ? value.length === 0 : jsonTextOf(value) === '';
  return [
    ...needed.filter((name) => isEmpty(source[name])).map((name) => required(`${at}.${path}.${name}`)),
    ...(errors?.(source, `${at}.${path}`) ?? []),
    ...others.map((name) =>
      forbiddenValue(`${at}.${sources[name]?.second ?? name}`, 'may not specify more than 1 volume type'),
    ),
  ];
}

/** Returns an error for a path with a part `..`. */
export function backstepErrors(value: Json | undefined, field: string): readonly FieldError[] {
  const path = jsonTextOf(value);
  return path.split('/').includes('..') ? [invalidValue(field, path, "must not contain '..'")] : [];
}

/** Returns the errors of a path that must stay within its volume. */
export function localPathErrors(value: Json | undefined, field: string): readonly FieldError[] {
  const path = jsonTextOf(value);
  return [
    ...(path.startsWith('/') ? [invalidValue(field, path, 'must be a relative path')] : []),
    ...backstepErrors(value, field),
  ];
}

/** Returns the errors of the name of a CSI driver. Source: kubernetes `ValidateCSIDriverName`. */
export function driverErrors(value: Json | undefined, field: string): readonly FieldError[] {
  const name = jsonTextOf(value);
  if (name === '') return [required(field)];
  return [
    ...(Buffer.byteLength(name) > 63 ? [tooLong(field, 63)] : []),
    ...subdomainProblems(name.toLowerCase()).map((problem) => invalidValue(field, name, problem)),
  ];
}

const hostPathTypes = [
  ...['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'],
] as const;

/**
 * Sources that both Pods and PersistentVolumes have, with the rules that are the same. Rules about the formats of fields of plug-ins that
 * Kubernetes has removed are left out.
 */
export const sharedSources = {
  hostPath: {
    needed: ['path'],
    errors: (source, at) =>
      jsonTextOf(source['path']) === ''
        ? []
        : [
            ...backstepErrors(source['path'], `${at}.path`),
            ...choiceErrors(source['type'], `${at}.type`, hostPathTypes),
          ],
  },
  nfs: {
    needed: ['server', 'path'],
    errors: ({ path }, at) =>
      jsonTextOf(path).startsWith('/')
        ? []
        : [invalidValue(`${at}.path`, path ?? '', 'must be an absolute path')],
  },
  gcePersistentDisk: { needed: ['pdName'], path: 'persistentDisk' },
  awsElasticBlockStore: { needed: ['volumeID'] },
  glusterfs: { needed: ['endpoints', 'path'] },
  flocker: {},
  rbd: { needed: ['monitors', 'image'] },
  cinder: { needed: ['volumeID'] },
  cephfs: { needed: ['monitors'], second: 'cephFS' },
  quobyte: { needed: ['volume'] },
  iscsi: { needed: ['targetPortal', 'iqn'] },
  fc: {
    errors: ({ targetWWNs, wwids }, at) =>
      listOf(targetWWNs).length === 0 && listOf(wwids).length === 0
        ? [required(`${at}.targetWWNs`, 'must specify either targetWWNs or wwids, but not both')]
        : [],
  },
  flexVolume: { needed: ['driver'] },
  azureFile: { needed: ['secretName', 'shareName'] },
  azureDisk: { needed: ['diskName', 'diskURI'] },
  vsphereVolume: { needed: ['volumePath'] },
  photonPersistentDisk: { needed: ['pdID'] },
  portworxVolume: { needed: ['volumeID'] },
  scaleIO: { needed: ['gateway', 'system', 'volumeName'] },
  storageos: { needed: ['volumeName'] },
} satisfies Readonly<Record<string, VolumeSource>>;

import { parseArgs } from 'node:util';
import { BackupError } from './backup-error.ts';
import type { FetchRequest } from './fetch-backup.ts';
import type { PlaceRequest } from './place-data.ts';
import type { SaveRequest } from './save-backup.ts';
import { storageTypes, type Storage } from './storage.ts';

interface Common {
  /** Seconds after which the program gives up. */
  readonly timeoutSeconds: number;
  /** File for the result: the termination message of the container. */
  readonly resultFile: string;
}

/** Job of the program `backup` of the operator's image. */
export type BackupCommand = Common &
  (
    | ({ readonly verb: 'save'; readonly tlsFolder?: string | undefined } & SaveRequest)
    | ({ readonly verb: 'fetch' } & FetchRequest)
    | ({ readonly verb: 'place' } & PlaceRequest)
  );

const options = {
  endpoint: { type: 'string', multiple: true },
  storage: { type: 'string' },
  path: { type: 'string' },
  folder: { type: 'string' },
  'storage-endpoint': { type: 'string' },
  region: { type: 'string' },
  'virtual-hosted': { type: 'boolean' },
  'client-tls': { type: 'string' },
  'scheduled-for': { type: 'string' },
  keep: { type: 'string' },
  sha256: { type: 'string' },
  file: { type: 'string' },
  'data-dir': { type: 'string' },
  'work-folder': { type: 'string' },
  timeout: { type: 'string' },
  result: { type: 'string' },
} as const;

type Flags = readonly (readonly [name: keyof typeof options, value: string | number | undefined])[];

/** Returns the arguments of a container that runs a command: `backup save --endpoint=…`. */
export function argumentsOf(command: BackupCommand): string[] {
  const { timeoutSeconds, resultFile } = command;
  const flags: Flags = [...flagsOf(command), ['timeout', timeoutSeconds], ['result', resultFile]];
  const isVirtual = command.verb !== 'place' && command.storage.forcePathStyle === false;
  return [
    'backup',
    command.verb,
    ...flags.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
    ...(isVirtual ? ['--virtual-hosted'] : []),
  ];
}

function flagsOf(command: BackupCommand): Flags {
  switch (command.verb) {
    case 'save':
      return [
        ...command.endpoints.map((each) => ['endpoint', each] as const),
        ...storageFlags(command.storage),
        ['client-tls', command.tlsFolder],
        ['scheduled-for', command.scheduledFor],
        ['keep', command.keep],
        ['work-folder', command.workFolder],
      ];
    case 'fetch':
      return [
        ...storageFlags(command.storage),
        ['sha256', command.sha256],
        ['file', command.file],
        ['data-dir', command.dataDir],
      ];
    case 'place':
      return [
        ['file', command.file],
        ['data-dir', command.dataDir],
      ];
  }
}

function storageFlags({ type, path, folder, endpoint, region }: Storage): Flags {
  return [
    ['storage', type],
    ['path', path],
    ['folder', folder],
    ['storage-endpoint', endpoint],
    ['region', region],
  ];
}

/**
 * Reads the arguments after `backup`.
 * @throws BackupError `InvalidRequest`
 */
export function readArguments(args: readonly string[]): BackupCommand {
  const invalid = (message: string): BackupError => new BackupError('InvalidRequest', message);
  const { values, positionals } = parse();
  const [verb] = positionals;
  if ((verb !== 'save' && verb !== 'fetch' && verb !== 'place') || positionals.length > 1)
    throw invalid(`backup: expected save, fetch or place, got ${JSON.stringify(positionals.join(' '))}`);
  const common = { timeoutSeconds: numberOf('timeout') ?? 600, resultFile: required('result') };
  if (verb === 'place') return { verb, ...common, file: required('file'), dataDir: required('data-dir') };
  const type = storageTypes.find((each) => each === values.storage);
  if (type === undefined)
    throw invalid(
      `--storage: expected ${storageTypes.join(', ')}, got ${JSON.stringify(values.storage ?? '')}`,
    );
  const storage: Storage = {
    type,
    path: required('path'),
    folder: required('folder'),
    endpoint: values['storage-endpoint'],
    region: values.region,
    forcePathStyle: values['virtual-hosted'] === true ? false : undefined,
  };
  if (verb === 'fetch') {
    const { sha256, 'data-dir': dataDir } = values;
    return { verb, ...common, storage, sha256, file: required('file'), dataDir };
  }
  const { endpoint: endpoints = [] } = values;
  if (endpoints.length === 0) throw invalid('--endpoint: expected at least one endpoint of etcd');
  const scheduledFor = values['scheduled-for'];
  const workFolder = required('work-folder');
  const tlsFolder = values['client-tls'];
  return { verb, ...common, storage, endpoints, scheduledFor, keep: numberOf('keep'), tlsFolder, workFolder };

  function parse() {
    try {
      return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    } catch (error) {
      throw invalid((error as Error).message);
    }
  }

  function required(name: 'path' | 'folder' | 'file' | 'data-dir' | 'work-folder' | 'result'): string {
    const value = values[name];
    if (value === undefined || value === '') throw invalid(`--${name}: expected a value`);
    return value;
  }

  function numberOf(name: 'timeout' | 'keep'): number | undefined {
    const value = values[name];
    if (value === undefined) return undefined;
    if (!/^[1-9]\d{0,8}$/.test(value))
      throw invalid(`--${name}: expected a number of at least 1, got ${JSON.stringify(value)}`);
    return Number(value);
  }
}

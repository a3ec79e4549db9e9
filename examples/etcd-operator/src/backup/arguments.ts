import { parseArgs } from 'node:util';
import { BackupError } from './backup-error.ts';
import type { FetchRequest } from './fetch-backup.ts';
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
  'work-folder': { type: 'string' },
  timeout: { type: 'string' },
  result: { type: 'string' },
} as const;

/** Returns the arguments of a container that runs a command: `backup save --endpoint=…`. */
export function argumentsOf(command: BackupCommand): string[] {
  const { type, path, folder, endpoint, region, forcePathStyle } = command.storage;
  const flags: [string, string | number | undefined][] = [
    ['storage', type],
    ['path', path],
    ['folder', folder],
    ['storage-endpoint', endpoint],
    ['region', region],
    ['work-folder', command.workFolder],
    ['timeout', command.timeoutSeconds],
    ['result', command.resultFile],
  ];
  if (command.verb === 'save') {
    const { endpoints, tlsFolder, scheduledFor, keep } = command;
    flags.push(...endpoints.map((each): [string, string] => ['endpoint', each]));
    flags.push(['client-tls', tlsFolder], ['scheduled-for', scheduledFor], ['keep', keep]);
  } else flags.push(['sha256', command.sha256], ['file', command.file]);
  return [
    'backup',
    command.verb,
    ...flags.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
    ...(forcePathStyle === false ? ['--virtual-hosted'] : []),
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
  if ((verb !== 'save' && verb !== 'fetch') || positionals.length > 1)
    throw invalid(`backup: expected save or fetch, got ${JSON.stringify(positionals.join(' '))}`);
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
  const common = {
    storage,
    workFolder: required('work-folder'),
    timeoutSeconds: numberOf('timeout') ?? 600,
    resultFile: required('result'),
  };
  if (verb === 'fetch') return { verb, ...common, sha256: values.sha256, file: values.file };
  const { endpoint: endpoints = [] } = values;
  if (endpoints.length === 0) throw invalid('--endpoint: expected at least one endpoint of etcd');
  const scheduledFor = values['scheduled-for'];
  return {
    verb,
    ...common,
    endpoints,
    scheduledFor,
    keep: numberOf('keep'),
    tlsFolder: values['client-tls'],
  };

  function parse() {
    try {
      return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    } catch (error) {
      throw invalid((error as Error).message);
    }
  }

  function required(name: 'path' | 'folder' | 'work-folder' | 'result'): string {
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

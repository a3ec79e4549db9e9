import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { load } from 'js-yaml';
import { OpSdkError } from '../../errors/index.ts';

/** A mapping of a kubeconfig, unchecked. */
export type Entry = Readonly<Record<string, unknown>>;

export interface NamedEntry {
  readonly name: string;
  readonly value: Entry;
  /** The file that it came from, for messages. */
  readonly file: string;
}

/** Kubeconfig files merged as kubectl merges them: of each name and of current-context the first one counts. */
export interface Kubeconfig {
  readonly files: readonly string[];
  readonly currentContext: string;
  readonly contexts: ReadonlyMap<string, NamedEntry>;
  readonly clusters: ReadonlyMap<string, NamedEntry>;
  readonly users: ReadonlyMap<string, NamedEntry>;
}

/** The fields that name files; relative ones count from the folder of their kubeconfig. Source: client-go `clientcmd.RelativizePathWithNoBacksteps` users. */
const pathFields = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

/** @throws OpSdkError `kube/kubeconfig-unreadable`, `kube/kubeconfig-invalid` */
export async function readKubeconfigs(files: readonly string[]): Promise<Kubeconfig> {
  let currentContext = '';
  const contexts = new Map<string, NamedEntry>();
  const clusters = new Map<string, NamedEntry>();
  const users = new Map<string, NamedEntry>();
  for (const file of files) {
    const config = await readOne(file);
    if (currentContext === '' && typeof config['current-context'] === 'string')
      currentContext = config['current-context'];
    collectNamed(contexts, config, 'contexts', 'context', file);
    collectNamed(clusters, config, 'clusters', 'cluster', file);
    collectNamed(users, config, 'users', 'user', file);
  }
  return { files, currentContext, contexts, clusters, users };
}

export function invalidKubeconfig(file: string, message: string, fix?: string): OpSdkError {
  return new OpSdkError({
    code: 'kube/kubeconfig-invalid',
    message,
    where: { file },
    ...(fix === undefined ? {} : { fix: [fix] }),
  });
}

async function readOne(file: string): Promise<Entry> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === 'ENOENT'
        ? 'the kubeconfig file does not exist'
        : `the kubeconfig file cannot be read: ${message}`;
    throw new OpSdkError(
      { code: 'kube/kubeconfig-unreadable', message: reason, where: { file } },
      { cause: error },
    );
  }
  let config: unknown;
  try {
    config = load(text, { filename: file });
  } catch (error) {
    const { reason, mark } = error as { reason?: string; mark?: { line: number; column: number } };
    const where = mark === undefined ? { file } : { file, line: mark.line + 1, column: mark.column + 1 };
    const message = `the kubeconfig file is not YAML: ${reason ?? (error as Error).message}`;
    throw new OpSdkError({ code: 'kube/kubeconfig-unreadable', message, where }, { cause: error });
  }
  if (config === undefined || config === null) return {};
  if (!isEntry(config)) throw invalidKubeconfig(file, 'the kubeconfig file is not a mapping');
  if (config['kind'] !== undefined && config['kind'] !== 'Config') {
    throw invalidKubeconfig(
      file,
      `the file is a ${JSON.stringify(config['kind'])}, not a kubeconfig (kind: Config)`,
    );
  }
  return config;
}

function collectNamed(
  into: Map<string, NamedEntry>,
  config: Entry,
  list: string,
  key: string,
  file: string,
): void {
  const items = config[list] ?? [];
  if (!Array.isArray(items)) throw invalidKubeconfig(file, `${list} is not a list`);
  for (const [index, item] of items.entries()) {
    if (!isEntry(item) || typeof item['name'] !== 'string')
      throw invalidKubeconfig(file, `${list}[${index}] has no name`);
    const value = item[key] ?? {};
    if (!isEntry(value))
      throw invalidKubeconfig(file, `${list}[${index}].${key} (${item['name']}) is not a mapping`);
    if (!into.has(item['name']))
      into.set(item['name'], { name: item['name'], value: withAbsolutePaths(value, file), file });
  }
}

function withAbsolutePaths(value: Entry, file: string): Entry {
  const absolute: Record<string, unknown> = { ...value };
  for (const field of pathFields) {
    const path = absolute[field];
    if (typeof path === 'string' && path !== '' && !isAbsolute(path))
      absolute[field] = join(dirname(file), path);
  }
  const exec = absolute['exec'];
  // A bare command is looked up on the PATH; one with a separator is relative to the file.
  if (
    isEntry(exec) &&
    typeof exec['command'] === 'string' &&
    exec['command'].includes(sep) &&
    !isAbsolute(exec['command'])
  ) {
    absolute['exec'] = { ...exec, command: join(dirname(file), exec['command']) };
  }
  return absolute;
}

export function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

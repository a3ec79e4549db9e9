import { dirname, isAbsolute, join, sep } from 'node:path';
import { OpSdkError } from '../../../base/errors/index.ts';
import { secrets, renewedSecret } from '../../net/index.ts';
import { mistypedField, loadGoYaml } from './kubeconfig-types.ts';
import { OutsideFile } from './file-token.ts';

/** A mapping in a kubeconfig whose fields have not been checked yet. */
export type Entry = Readonly<Record<string, unknown>>;

export interface NamedEntry {
  readonly name: string;
  readonly value: Entry;
  /** Kubeconfig file that contains the entry, for messages. */
  readonly file: string;
}

/**
 * Several kubeconfig files merged by the rules of kubectl: if a name or `current-context` occurs in several files, the first occurrence
 * takes precedence.
 */
export interface Kubeconfig {
  readonly files: readonly string[];
  readonly currentContext: string;
  readonly contexts: ReadonlyMap<string, NamedEntry>;
  readonly clusters: ReadonlyMap<string, NamedEntry>;
  readonly users: ReadonlyMap<string, NamedEntry>;
}

/**
 * Fields that contain file names. Relative file names are resolved against the folder of the kubeconfig. Source: client-go, callers of
 * `clientcmd.RelativizePathWithNoBacksteps`.
 */
const pathFields = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

/** Reads and merges kubeconfig files. @throws OpSdkError `kube/kubeconfig-unreadable`, `kube/kubeconfig-invalid` */
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
  for (const user of users.values()) hideSecrets(user.value);
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

/** Time limit for reading a kubeconfig, in milliseconds. */
const readLimit = 60_000;

async function readOne(file: string): Promise<Entry> {
  let text: string;
  try {
    // The file is read with a long time limit, because it may be a pipe whose writer waits for a user's answer.
    text = await new OutsideFile(file, 'kubeconfig file', readLimit).read();
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
    config = loadGoYaml(text, file);
  } catch (error) {
    const { reason, mark } = error as { reason?: string; mark?: { line: number; column: number } };
    const where = mark === undefined ? { file } : { file, line: mark.line + 1, column: mark.column + 1 };
    const message = `the kubeconfig file is not YAML: ${reason ?? (error as Error).message}`;
    // The error has no `cause`, because the cause would quote lines of the kubeconfig.
    throw new OpSdkError({ code: 'kube/kubeconfig-unreadable', message, where });
  }
  const tangle = tangledAlias(config);
  if (tangle !== undefined)
    throw new OpSdkError({
      code: 'kube/kubeconfig-unreadable',
      message: `the kubeconfig file ${tangle}`,
      where: { file },
      fix: ['write the value itself in place of the alias'],
    });
  if (config === undefined || config === null) return {};
  if (!isEntry(config)) throw invalidKubeconfig(file, 'the kubeconfig file is not a mapping');
  if (config['kind'] !== undefined && config['kind'] !== 'Config') {
    throw invalidKubeconfig(
      file,
      `the file is a ${JSON.stringify(config['kind'])}, not a kubeconfig (kind: Config)`,
    );
  }
  const apiVersion = config['apiVersion'] ?? '';
  if (apiVersion !== '' && apiVersion !== 'v1')
    throw invalidKubeconfig(file, `apiVersion: expected v1, got ${JSON.stringify(apiVersion)}`);
  const mistyped = mistypedField(config);
  if (mistyped !== undefined)
    throw invalidKubeconfig(
      file,
      mistyped,
      'put text into quotes that YAML reads as a number or a boolean: "1234", "yes"',
    );
  return config;
}

/** Maximum number of values in a kubeconfig. No kubeconfig has so many values, and counting up to this limit is quick. */
const mostValues = 1_000_000;

/**
 * Returns the reason why a document with YAML aliases is unusable, if it is. A value that contains itself is infinite, and a few lines of
 * nested aliases can expand to more values than fit into memory. Source: go-yaml, which refuses both kinds of aliases.
 */
function tangledAlias(document: unknown): string | undefined {
  const above = new Set<object>();
  let values = 0;
  const look = (value: unknown): string | undefined => {
    values += 1;
    if (values > mostValues) return `has more than ${mostValues} values, its aliases written out`;
    if (typeof value !== 'object' || value === null) return undefined;
    if (above.has(value)) return 'has an alias that contains itself';
    above.add(value);
    for (const each of Object.values(value)) {
      const problem = look(each);
      if (problem !== undefined) return problem;
    }
    above.delete(value);
    return undefined;
  };
  return look(document);
}

/**
 * Registers the secrets of a user for redaction. Secrets of users that are not selected are registered, too, because messages may quote
 * them.
 */
function hideSecrets(user: Entry): void {
  const provider = user['auth-provider'];
  const config = isEntry(provider) && isEntry(provider['config']) ? provider['config'] : {};
  for (const value of [
    user['token'],
    user['password'],
    user['client-key-data'],
    config['id-token'],
    config['refresh-token'],
    config['access-token'],
    config['client-secret'],
  ])
    if (typeof value === 'string') secrets.hide(value);
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
  const seen = new Set<string>();
  for (const item of items as readonly unknown[]) {
    const { name: given, [key]: value } = isEntry(item) ? item : {};
    const name = typeof given === 'string' ? given : '';
    if (seen.has(name))
      throw invalidKubeconfig(
        file,
        `${list}: duplicate name ${JSON.stringify(name)}`,
        'rename or remove one of them: kubectl does not read such a file either',
      );
    seen.add(name);
    if (!into.has(name))
      into.set(name, { name, value: withAbsolutePaths(isEntry(value) ? value : {}, file), file });
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
  // A command without a path separator is looked up in PATH. A command with a separator is relative to the folder of the kubeconfig.
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

/**
 * Returns a function that reads the PEM text of a kubeconfig entry, from the file named by `field` or from the value of `field-data`. As in
 * client-go, `field-data` takes precedence. The file is read on each call of the function.
 */
export function pem(
  entry: NamedEntry,
  field: string,
  isSecret = false,
): ((signal?: AbortSignal) => Promise<string>) | undefined {
  const data = text(entry, `${field}-data`);
  if (data !== undefined) {
    const decoded = Buffer.from(data, 'base64').toString('utf8');
    if (!decoded.includes('-----BEGIN')) {
      throw invalidKubeconfig(
        entry.file,
        `${field}-data of ${entry.name} is not the base64 form of a PEM text`,
      );
    }
    if (isSecret) secrets.hide(decoded);
    return () => Promise.resolve(decoded);
  }
  const path = text(entry, field);
  if (path === undefined) return undefined;
  const hide = isSecret ? renewedSecret() : undefined;
  const file = new OutsideFile(path, `${field} of ${entry.name}`);
  return async (signal) => {
    try {
      const content = await file.read(signal);
      hide?.(content);
      return content;
    } catch (error) {
      if (signal?.aborted === true || error instanceof OpSdkError) throw error;
      throw new OpSdkError(
        {
          code: 'kube/credentials-failed',
          message: `${field} of ${entry.name} cannot be read: ${(error as Error).message}`,
          where: { file: path },
        },
        { cause: error },
      );
    }
  };
}

/** Returns the value of a string field of a kubeconfig entry. As in client-go, an empty string counts as absent. */
export function text(entry: NamedEntry, field: string): string | undefined {
  const value: unknown = entry.value[field];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string')
    throw invalidKubeconfig(entry.file, `${field} of ${entry.name} is not a string`);
  return value;
}

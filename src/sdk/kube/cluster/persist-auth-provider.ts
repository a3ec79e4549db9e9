import { open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dump } from 'js-yaml';
import { loadGoYaml } from './go-yaml.ts';
import { isEntry, type NamedEntry } from './kubeconfig-file.ts';

/** Time for which another writer may hold the lock, milliseconds. */
const lockLimit = 5_000;

/**
 * Writes fields of a user's auth-provider to the kubeconfig that it came from, under kubectl's lock (`<file>.lock`) and in one step. All
 * values that the file had stay; comments go, as kubectl's do. Source: client-go `tools/clientcmd/config.go`, `persister`, `lockFile`.
 *
 * @throws the error of the file system, or that the file no longer has the user
 */
export async function persistAuthProvider(
  user: NamedEntry,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  // A link stays one.
  const file = await realpath(user.file);
  const unlock = await lock(`${file}.lock`);
  const temporary = join(dirname(file), `.kubeconfig-${process.pid}-${performance.now()}`);
  try {
    const { mode } = await stat(file);
    const config = loadGoYaml(await readFile(file, 'utf8'), file);
    if (!setFields(config, user.name, fields)) throw new Error(`it no longer has the user ${user.name}`);
    await writeFile(
      temporary,
      dump(config, { lineWidth: -1, noRefs: true, forceQuotes: true, quotingType: '"' }),
      { mode },
    );
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
    await unlock();
  }
}

function setFields(config: unknown, name: string, fields: Readonly<Record<string, string>>): boolean {
  const users =
    isEntry(config) && Array.isArray(config['users']) ? (config['users'] as readonly unknown[]) : [];
  const entry = users.find((each) => isEntry(each) && each['name'] === name);
  const user = isEntry(entry) ? entry['user'] : undefined;
  const provider = isEntry(user) ? user['auth-provider'] : undefined;
  if (!isEntry(provider) || !isEntry(provider['config'])) return false;
  Object.assign(provider['config'], fields);
  return true;
}

async function lock(path: string): Promise<() => Promise<void>> {
  const deadline = performance.now() + lockLimit;
  for (;;) {
    try {
      const handle = await open(path, 'wx', 0);
      await handle.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || performance.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

import { writeFile } from 'node:fs/promises';
import type { CommandContext } from 'opsdk';
import { readRdb } from '../redis/rdb-stream.ts';
import type { ClusterNode } from '../redis/cluster-node.ts';
import { RedisAdmin, redisPort, tcpRedis } from '../redis/redis-admin.ts';
import { backUp } from './back-up.ts';
import { failureText, PermanentError, permanentFailure } from './failure.ts';
import { prune } from './prune.ts';
import { restoreBackup, type RestoreResult } from './restore-backup.ts';
import { S3Store } from './s3-store.ts';

type Context = Pick<CommandContext, 'signal' | 'log'>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Takes a backup, as the environment of a Job says; `toolPod` in jobs.ts writes it. @throws Error if another attempt may succeed */
export function backup(context: Context, env: Environment = process.env): Promise<void> {
  return reportFailure(context, env, async ({ signal, log }) => {
    const path = variable(env, 'BACKUP_PATH');
    const store = storeOf(env, signal);
    using cluster = new RedisCluster(env, signal);
    const folder = `${path}/${variable(env, 'BACKUP_NAME')}`;
    const { shards } = await backUp({ cluster, store, path: folder, now: () => new Date() });
    const keys = shards.reduce((sum, shard) => sum + shard.keys, 0);
    log.info({ folder, keys, shards: shards.length }, 'Backup stored');
    const keep = Number(env['BACKUP_KEEP'] ?? 0);
    if (keep === 0) return;
    const { deleted, unreadable } = await prune({
      store,
      folder: path,
      keep,
      made: folder,
      now: Date.now(),
    }).catch((error: unknown) => {
      // The next backup tries again. Another attempt of this Job would take the same backup once more.
      throw new PermanentError(
        'RetentionFailed',
        `Older backups are not deleted: ${(error as Error).message}`,
      );
    });
    if (deleted.length > 0) log.info({ deleted }, 'Older backups deleted');
    if (unreadable.length > 0) log.warn({ unreadable }, 'Backups kept whose manifests cannot be read');
  });
}

/** Restores a backup, as the environment of a Job says. @throws Error if another attempt may succeed */
export function restore(context: Context, env: Environment = process.env): Promise<void> {
  return reportFailure(context, env, async ({ signal, log }) => {
    const path = variable(env, 'BACKUP_PATH');
    const store = storeOf(env, signal);
    using target = new RedisCluster(env, signal);
    const result: RestoreResult = await restoreBackup({ target, store, path, now: Date.now });
    log.info({ path, ...result }, 'Backup restored');
  });
}

/** Writes the error of the work where the operator reads it, and sets the exit code by which the Job gives up at once. */
async function reportFailure(
  context: Context,
  env: Environment,
  work: (context: Context) => Promise<void>,
): Promise<void> {
  try {
    await work(context);
  } catch (error) {
    const file = env['RESULT_FILE'];
    if (file !== undefined) await writeFile(file, failureText(error));
    if (!(error instanceof PermanentError)) throw error;
    context.log.error({ error }, 'Failed, and would fail again');
    process.exitCode = permanentFailure;
  }
}

/** @throws Error if the variable is missing */
function variable(env: Environment, name: string): string {
  const value = env[name];
  if (value === undefined || value === '') throw new Error(`expected the variable ${name}, which is missing`);
  return value;
}

function storeOf(env: Environment, signal: AbortSignal): S3Store {
  return new S3Store(
    {
      endpoint: variable(env, 'S3_ENDPOINT'),
      bucket: variable(env, 'S3_BUCKET'),
      region: variable(env, 'S3_REGION'),
      accessKeyId: variable(env, 'S3_ACCESS_KEY_ID'),
      secretAccessKey: variable(env, 'S3_SECRET_ACCESS_KEY'),
      sessionToken: env['S3_SESSION_TOKEN'],
    },
    signal,
  );
}

/** The cluster of the environment. Any of its nodes names the others. */
class RedisCluster implements Disposable {
  readonly #host: string;
  readonly #password: string | undefined;
  readonly #signal: AbortSignal;
  readonly #admin: RedisAdmin;

  constructor(env: Environment, signal: AbortSignal) {
    this.#host = variable(env, 'REDIS_HOST');
    this.#password = env['REDIS_PASSWORD'];
    this.#signal = signal;
    this.#admin = new RedisAdmin({ redis: tcpRedis, password: this.#password, signal });
  }

  /** Returns the nodes. Each master is as it sees itself: nobody else knows the slots that it is moving. */
  async nodes(): Promise<readonly ClusterNode[]> {
    const known = await this.#admin.nodes(this.#host);
    return Promise.all(
      known.map(async (node) => {
        if (node.slots.length === 0 || node.flags.includes('fail')) return node;
        const own = (await this.#admin.nodes(node.ip)).find(({ id }) => id === node.id);
        return own ?? node;
      }),
    );
  }

  readRdb({ ip }: ClusterNode): AsyncIterable<Buffer> {
    return readRdb({ host: ip, port: redisPort, password: this.#password }, this.#signal);
  }

  call(...words: Parameters<RedisAdmin['call']>): ReturnType<RedisAdmin['call']> {
    return this.#admin.call(...words);
  }

  [Symbol.dispose](): void {
    this.#admin[Symbol.dispose]();
  }
}

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../../../src/testing/index.ts';
import { RespClient } from '../../../../examples/redis-operator/src/redis/resp-client.ts';

/** A redis-server of this machine, without a cluster. */
export interface RedisProcess extends AsyncDisposable {
  readonly port: number;
  readonly client: RespClient;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

/** Starts a server on a free port. @param settings further lines of redis.conf, as arguments */
export async function startRedis(...settings: readonly string[]): Promise<RedisProcess> {
  const dir = await mkdtemp(join(tmpdir(), 'opsdk-redis-'));
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', dir, ...settings];
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const at = settings.indexOf('--requirepass');
  const password = at === -1 ? undefined : settings[at + 1];
  const client = await eventually(async () => {
    const each = new RespClient({ host: '127.0.0.1', port, password });
    await each.call('PING');
    return each;
  });
  return {
    port,
    client,
    async [Symbol.asyncDispose]() {
      client.close();
      child.kill('SIGKILL');
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

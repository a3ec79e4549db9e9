// Object stores on loopback for operators that keep backups there: servers of others, with the credentials that the real ones demand.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../scripts/lib/api.mjs';
import { freePort } from '../../scripts/lib/free-port.mjs';
import { ensureObjectStores } from '../../scripts/lib/test-programs.mjs';
import { createServiceAccountKey, startGoogleFront } from './google-front.ts';

/** A server of Amazon's S3 protocol. It checks signatures (SigV4) and their times. */
export interface S3Server extends AsyncDisposable {
  /** Such as `http://127.0.0.1:40123`; buckets are the first part of the path. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A server of Google Cloud Storage. A front checks the assertions of its service account, and tokens; rights are not checked. */
export interface GcsServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:40123`, in the place of `https://storage.googleapis.com`. */
  readonly endpoint: string;
  /** The JSON file with the key of a service account. Its `token_uri` is this server. */
  readonly serviceAccount: string;
}

/**
 * Starts an S3 server with empty buckets.
 * @throws ProgramsUnavailable if this machine cannot obtain the server
 */
export async function startS3(...buckets: readonly string[]): Promise<S3Server> {
  const program = join(await ensureObjectStores(), 'versitygw');
  const credentials = { region: 'us-east-1', accessKeyId: 'AKIATEST', secretAccessKey: 'test-secret-key' };
  const { region, accessKeyId, secretAccessKey } = credentials;
  const address = `127.0.0.1:${await freePort()}`;
  const endpoint = `http://${address}`;
  const server = await startServer(buckets, `${endpoint}/`, (folder, attributes) => [
    program,
    ...['--port', address, '--access', accessKeyId, '--secret', secretAccessKey, '--region', region],
    // Attributes of files beside them: not every file system has them.
    ...['--quiet', 'posix', '--sidecar', attributes, folder],
  ]);
  return { endpoint, ...credentials, ...server };
}

/**
 * Starts a server of Google Cloud Storage with empty buckets.
 * @throws ProgramsUnavailable if this machine cannot obtain the server
 */
export async function startGcs(...buckets: readonly string[]): Promise<GcsServer> {
  const program = join(await ensureObjectStores(), 'fake-gcs-server');
  const [port, upstreamPort] = [await freePort(), await freePort()];
  const [host, endpoint] = ['127.0.0.1', `http://127.0.0.1:${port}`];
  const upstream = `http://${host}:${upstreamPort}`;
  const server = await startServer(buckets, `${upstream}/storage/v1/b`, (folder) => [
    program,
    ...['-scheme', 'http', '-host', host, '-port', String(upstreamPort), '-log-level', 'error'],
    ...['-filesystem-root', folder, '-external-url', endpoint, '-public-host', `${host}:${port}`],
  ]);
  const account = createServiceAccountKey(endpoint);
  const front = await startGoogleFront({ upstreamPort, host, port, endpoint, account });
  return {
    endpoint,
    serviceAccount: account.json,
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Starts a server whose buckets are folders. Resolves when it answers. */
async function startServer(
  buckets: readonly string[],
  url: string,
  commandOf: (folder: string, attributes: string) => readonly string[],
): Promise<AsyncDisposable> {
  const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-object-store-'));
  const [folder, attributes] = [join(scratch, 'buckets'), join(scratch, 'attributes')];
  for (const path of [folder, attributes, ...buckets.map((bucket) => join(folder, bucket))]) mkdirSync(path);
  const [program = '', ...args] = commandOf(folder, attributes);
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (log += part));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(scratch, { recursive: true, force: true });
  };
  try {
    await until(`${program} answers`, async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}:\n${log}`);
      return fetch(url).then(
        () => true,
        () => false,
      );
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { [Symbol.asyncDispose]: stop };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { until } from '../../../scripts/lib/api.mjs';
import { must } from '../../../scripts/lib/run.mjs';
import { toYaml } from '../../../src/kubernetes/yaml/to-yaml.ts';

/** A registry server as its own process. */
export interface RealRegistry extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly host: string;
}

export interface RealRegistryOptions {
  /** The program: Debian's docker-registry, or the newer registry of the distribution project. */
  readonly program: string;
  /** PEM files of the server's certificate and key. Absent: plain HTTP. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** The `auth` section of the configuration. */
  readonly auth?: Readonly<Record<string, unknown>>;
}

/** Starts a registry on a free port of 127.0.0.1, its data in a temporary folder. */
export async function startRealRegistry(options: RealRegistryOptions): Promise<RealRegistry> {
  const folder = mkdtempSync(join(tmpdir(), 'op-sdk-registry-'));
  const host = `127.0.0.1:${await freePort()}`;
  const { tls, auth } = options;
  const config = {
    version: 0.1,
    log: { level: 'error' },
    storage: { filesystem: { rootdirectory: join(folder, 'data') }, delete: { enabled: true } },
    ...(auth === undefined ? {} : { auth }),
    http: {
      addr: host,
      ...(tls === undefined ? {} : { tls: { certificate: tls.certificate, key: tls.key } }),
    },
  };
  const file = join(folder, 'config.yml');
  writeFileSync(file, toYaml(config));
  const child = spawn(options.program, ['serve', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (log += part));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    // Whoever speaks HTTP to a TLS port is told so with a 400: that is an answer, too.
    await until(`${options.program} listens`, async () => {
      if (child.exitCode !== null) throw new Error(`${options.program} ended:\n${log}`);
      return fetch(`http://${host}/v2/`).then(
        () => true,
        () => false,
      );
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { host, [Symbol.asyncDispose]: stop };
}

const distributionVersion = 'v3.1.2';

/** The registry of the distribution project, built with Go once per machine into op-sdk's cache. */
export async function distributionRegistry(): Promise<string> {
  const cache = join(
    process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
    'op-sdk',
    'peers',
    `distribution-${distributionVersion}`,
  );
  const program = join(cache, 'registry');
  if (existsSync(program)) return program;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, '.build-'));
  try {
    await must(
      'go',
      ['install', `github.com/distribution/distribution/v3/cmd/registry@${distributionVersion}`],
      { env: { ...process.env, GOBIN: fresh, CGO_ENABLED: '0', GOFLAGS: '' } },
    );
    renameSync(join(fresh, 'registry'), program);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return program;
}

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { eventually } from '../../../src/testing/index.ts';
import { toYaml } from '../../../src/kubernetes/yaml/to-yaml.ts';

export const prometheusIsHere = spawnSync('prometheus', ['--version']).status === 0;

/** A target as Prometheus shows it. Source: its HTTP API, `/api/v1/targets`. */
export interface Target {
  readonly health: 'up' | 'down' | 'unknown';
  readonly lastError: string;
  readonly scrapeUrl: string;
}

export interface RealPrometheus extends AsyncDisposable {
  targets(): Promise<readonly Target[]>;
  /** The value of each series that the query gives, by its labels as JSON. */
  query(query: string): Promise<ReadonlyMap<string, number>>;
}

/**
 * A Prometheus of its own that scrapes one target each second, as the scaffolded ServiceMonitor lets it: over HTTPS, with a bearer
 * token, without a look at the certificate.
 */
export async function startPrometheus(target: string, token: string): Promise<RealPrometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'op-sdk-prometheus-'));
  const address = `127.0.0.1:${await freePort()}`;
  writeFileSync(join(folder, 'token'), token);
  const job = {
    job_name: 'operator',
    scheme: 'https',
    metrics_path: '/metrics',
    authorization: { type: 'Bearer', credentials_file: join(folder, 'token') },
    tls_config: { insecure_skip_verify: true },
    static_configs: [{ targets: [target] }],
  };
  const config = { global: { scrape_interval: '1s', scrape_timeout: '1s' }, scrape_configs: [job] };
  writeFileSync(join(folder, 'prometheus.yml'), toYaml(config));
  const flags = {
    'config.file': join(folder, 'prometheus.yml'),
    'storage.tsdb.path': join(folder, 'data'),
    'web.listen-address': address,
  };
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const child = spawn('prometheus', args, { stdio: ['ignore', 'ignore', 'pipe'] });
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
  const ask = async <T>(path: string): Promise<T> => {
    const response = await fetch(`http://${address}/api/v1/${path}`);
    const { data } = (await response.json()) as { data: T };
    return data;
  };
  try {
    await eventually(
      async () => {
        if (child.exitCode !== null) throw new Error(`prometheus ended:\n${log}`);
        return (await fetch(`http://${address}/-/ready`)).ok;
      },
      { timeout: 60_000 },
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    targets: async () => (await ask<{ activeTargets: readonly Target[] }>('targets')).activeTargets,
    async query(query) {
      const { result } = await ask<{
        result: readonly { metric: Readonly<Record<string, string>>; value: readonly [number, string] }[];
      }>(`query?query=${encodeURIComponent(query)}`);
      return new Map(result.map(({ metric, value }) => [JSON.stringify(metric), Number(value[1])]));
    },
    [Symbol.asyncDispose]: stop,
  };
}

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

/** An alert whose expression holds. Source: the HTTP API of Prometheus, `/api/v1/alerts`. */
export interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** `pending` until the expression has held for as long as the rule says. */
  readonly state: 'pending' | 'firing';
}

export interface RealPrometheus extends AsyncDisposable {
  targets(): Promise<readonly Target[]>;
  alerts(): Promise<readonly Alert[]>;
  /** All values of a query so far, as `/api/v1/query_range` returns them, each second. */
  history(query: string, seconds: number): Promise<readonly unknown[]>;
  /** True if there is a series of this name. */
  knows(metric: string): Promise<boolean>;
  /** The value of each series that the query gives, by its labels as JSON. */
  query(query: string): Promise<ReadonlyMap<string, number>>;
}

interface PrometheusOptions {
  /** Value of the label `job`. Default: `operator` */
  readonly job?: string;
  /** Labels of the target, such as those that the Prometheus Operator adds. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Groups of rules, evaluated each second. */
  readonly rules?: unknown;
}

/**
 * A Prometheus of its own that scrapes one target each second, as the scaffolded ServiceMonitor lets it: over HTTPS, with a bearer
 * token, without a look at the certificate.
 */
export async function startPrometheus(
  target: string,
  token: string,
  { job: name = 'operator', labels = {}, rules }: PrometheusOptions = {},
): Promise<RealPrometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'op-sdk-prometheus-'));
  const address = `127.0.0.1:${await freePort()}`;
  writeFileSync(join(folder, 'token'), token);
  const job = {
    job_name: name,
    scheme: 'https',
    metrics_path: '/metrics',
    authorization: { type: 'Bearer', credentials_file: join(folder, 'token') },
    tls_config: { insecure_skip_verify: true },
    static_configs: [{ targets: [target], labels }],
  };
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    scrape_configs: [job],
    ...(rules === undefined ? {} : { rule_files: ['rules.yaml'] }),
  };
  if (rules !== undefined) writeFileSync(join(folder, 'rules.yaml'), toYaml(rules));
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
    const { data, error } = (await response.json()) as { data?: T; error?: string };
    if (data === undefined) throw new Error(`${path}: ${error ?? response.status}`);
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
    alerts: async () => (await ask<{ alerts: readonly Alert[] }>('alerts')).alerts,
    async history(query, seconds) {
      const end = Date.now() / 1000;
      const range = new URLSearchParams({ query, start: `${end - seconds}`, end: `${end}`, step: '1s' });
      return (await ask<{ result: readonly unknown[] }>(`query_range?${range.toString()}`)).result;
    },
    knows: async (metric) =>
      (await ask<readonly unknown[]>(`series?match[]=${encodeURIComponent(metric)}`)).length > 0,
    async query(query) {
      const { result } = await ask<{
        result: readonly { metric: Readonly<Record<string, string>>; value: readonly [number, string] }[];
      }>(`query?query=${encodeURIComponent(query)}`);
      return new Map(result.map(({ metric, value }) => [JSON.stringify(metric), Number(value[1])]));
    },
    [Symbol.asyncDispose]: stop,
  };
}

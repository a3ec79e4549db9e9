import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { eventually } from '../../../src/testing/index.ts';
import { toYaml } from '../../../src/kubernetes/yaml/to-yaml.ts';
import { PrometheusApi } from '../../helpers/prometheus/prometheus-api.ts';

export const prometheusIsHere = spawnSync('prometheus', ['--version']).status === 0;

/** A Prometheus that runs until it is disposed of. */
export type RealPrometheus = PrometheusApi & AsyncDisposable;

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
  return Object.assign(new PrometheusApi(`http://${address}`), { [Symbol.asyncDispose]: stop });
}

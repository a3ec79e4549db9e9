// The operator of examples/prometheus-operator leaves out what Prometheus would refuse, and nothing else: promtool judges.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PrometheusRule } from '../../../examples/prometheus-operator/src/api/monitoring/v1/prometheus-rule.ts';
import type { RelabelConfig } from '../../../examples/prometheus-operator/src/api/monitoring/v1/relabel-config.ts';
import type { Endpoint } from '../../../examples/prometheus-operator/src/api/monitoring/v1/service-monitor.ts';
import { Assets } from '../../../examples/prometheus-operator/src/config/assets.ts';
import { Problems } from '../../../examples/prometheus-operator/src/config/problems.ts';
import { prometheusConfig } from '../../../examples/prometheus-operator/src/config/prometheus-config.ts';
import { renderConfig } from '../../../examples/prometheus-operator/src/config/render.ts';
import { ruleFile } from '../../../examples/prometheus-operator/src/config/rule-files.ts';
import { ruleProblems } from '../../../examples/prometheus-operator/src/config/rule-problems.ts';
import { jobContext } from '../../../examples/prometheus-operator/src/config/scrape.ts';
import { serviceMonitorJobs } from '../../../examples/prometheus-operator/src/config/service-monitor-jobs.ts';
import {
  podMonitor,
  probe,
  prometheus,
  prometheusRule,
  serviceMonitor,
} from '../../../examples/prometheus-operator/test/fixtures/objects.ts';
import { isInstalled } from '../../helpers/guide.ts';
import { runs } from '../../helpers/thorough.ts';

const hasPromtool = isInstalled('promtool', process.env['PATH'] ?? '');
/** The version of Debian's promtool. */
const version = 'v2.42.0';

const words = fc.constantFrom('a', 'job', 'a_b', '__tmp', 'a-b', '', '1a', '${1}', 'a$1b', 'ü', '__name__');
const regexes = fc.constantFrom(
  ...[
    '(.+)',
    'a|b',
    '(',
    '[[:alpha:]]+',
    '(?i)a',
    '(?P<n>a)',
    '(?=a)',
    'a{1001}',
    String.raw`\d+\.`,
    '[b-a]',
    String.raw`\pL`,
  ],
  ...['', '*', String.raw`\1`, '(?<n>a)', 'a**', String.raw`\z`, '$(X)', '(?:a', String.raw`\Q(\E`],
);
const optional = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(of, { nil: undefined, freq: 2 });
const relabeling = fc.record({
  action: optional(
    fc.constantFrom(
      ...(['replace', 'Keep', 'drop', 'hashmod', 'labelmap', 'labeldrop', 'LabelKeep', 'lowercase'] as const),
      ...(['uppercase', 'keepequal', 'DropEqual'] as const),
    ),
  ),
  sourceLabels: optional(fc.array(words, { maxLength: 2 })),
  separator: optional(fc.constantFrom(';', '', '@')),
  targetLabel: optional(words),
  regex: optional(regexes),
  modulus: optional(fc.constantFrom(0, 1, 8)),
  replacement: optional(fc.constantFrom('$1', '', 'a', 'a-b', '${1}')),
});
const durations = fc.constantFrom('30s', '1m30s', '0', '1h', '300y', '5ms', '1y2w3d4h5m6s7ms', '31s');

describe.skipIf(!hasPromtool)(`promtool${hasPromtool ? '' : ' (is not installed)'}`, () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'op-sdk-promtool-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Returns what promtool has against a file, or an empty text. */
  async function refusal(kind: 'config' | 'rules', text: string): Promise<string> {
    const file = join(folder, `${kind}.yaml`);
    await writeFile(file, withoutDiscovery(text));
    return new Promise((resolve) => {
      execFile('promtool', ['check', kind, file], (error, stdout, stderr) =>
        resolve(error === null ? '' : `${stdout}${stderr}`),
      );
    });
  }

  /** Removes the discovery by Kubernetes, which Debian's Prometheus does not have. */
  const withoutDiscovery = (text: string): string =>
    JSON.stringify(
      JSON.parse(text, (name, value: unknown) => (name === 'kubernetes_sd_configs' ? undefined : value)),
    );

  /** Removes the fields of a random object that it does not have. */
  const present = <T extends object>(value: T): object =>
    Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));

  test('agrees about endpoints', { timeout: 600_000 }, async () => {
    const endpoint = fc.record({
      relabelings: fc.array(relabeling, { maxLength: 2 }),
      metricRelabelings: fc.array(relabeling, { maxLength: 1 }),
      interval: optional(durations),
      scrapeTimeout: optional(durations),
    });
    await fc.assert(
      fc.asyncProperty(endpoint, async ({ relabelings, metricRelabelings, ...times }) => {
        const problems = new Problems();
        const lists = {
          relabelings: relabelings.map(present) as RelabelConfig[],
          metricRelabelings: metricRelabelings.map(present) as RelabelConfig[],
        };
        const endpoints = [{ port: 'http', ...present(times), ...lists }] as Endpoint[];
        const assets = new Assets('/etc/prometheus/config').in('default', problems);
        const context = jobContext(prometheus({ version }), 'default', assets, problems);
        const jobs = serviceMonitorJobs(serviceMonitor('a', { endpoints }), context);
        const text = renderConfig({ global: { scrape_interval: '30s' }, scrape_configs: jobs });
        const refused = await refusal('config', text);
        expect(problems.list.length > 0, `${problems.list.join('\n')}\n${refused}`).toBe(refused !== '');
      }),
      { numRuns: runs(500) },
    );
  });

  test('agrees about groups of rules', { timeout: 600_000 }, async () => {
    const rule = fc.record({
      alert: optional(fc.constantFrom('A', 'a b', '')),
      record: optional(fc.constantFrom('job:up:sum', 'a-b', '', '1a', 'a')),
      expr: fc.constantFrom<string | number>('up', 1, 'sum by (job) (up)', ' '),
      for: optional(durations),
      keep_firing_for: optional(durations),
      labels: optional(
        fc.dictionary(fc.constantFrom('a', 'a-b', '__name__', 'severity'), fc.constant('b'), { maxKeys: 2 }),
      ),
      annotations: optional(
        fc.dictionary(fc.constantFrom('summary', 'a b'), fc.constant('b'), { maxKeys: 1 }),
      ),
    });
    const group = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      interval: optional(durations),
      rules: fc.array(rule, { minLength: 1, maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(group, { maxLength: 2 }), async (groups) => {
        const spec = groups.map((each) => ({ ...present(each), rules: each.rules.map(present) }));
        const object = prometheusRule('a', spec as unknown as PrometheusRule['spec']['groups']);
        const problems = ruleProblems(object);
        const refused = await refusal('rules', ruleFile(object, false));
        expect(problems.length > 0, `${JSON.stringify(problems)}\n${refused}`).toBe(refused !== '');
      }),
      { numRuns: runs(500) },
    );
  });

  test('accepts a whole configuration', async () => {
    const credentials = { name: 'token', key: 'token' };
    const endpoints: Endpoint[] = [
      { port: 'http', path: '/metrics', params: { a: ['b'] }, honorLabels: true, interval: '10s' },
      { targetPort: 8080, scheme: 'HTTPS', tlsConfig: { insecureSkipVerify: true, minVersion: 'TLS12' } },
      {
        targetPort: 'web',
        authorization: { credentials },
        proxyUrl: 'http://proxy:3128',
        enableHttp2: false,
      },
      { port: 'a', basicAuth: { username: credentials, password: credentials }, followRedirects: false },
      { port: 'b', bearerTokenSecret: credentials },
      {
        port: 'c',
        oauth2: {
          clientId: { secret: credentials },
          clientSecret: credentials,
          tokenUrl: 'https://auth.example.com',
          scopes: ['a'],
          endpointParams: { a: 'b' },
        },
      },
    ];
    const limits = { sampleLimit: 1000, targetLimit: 10, labelLimit: 20, bodySizeLimit: '10MB' };
    const of = prometheus({
      version,
      shards: 2,
      scrapeTimeout: '10s',
      externalLabels: { zone: 'a' },
      alerting: {
        alertmanagers: [
          {
            name: 'alertmanager-main',
            port: 'web',
            pathPrefix: '/a',
            authorization: { credentials },
            timeout: '5s',
          },
          { name: 'b', namespace: 'c', port: 9093, scheme: 'https', tlsConfig: { serverName: 'd' } },
        ],
      },
    });
    const monitors = {
      serviceMonitors: [
        serviceMonitor('a', { endpoints, ...limits, jobLabel: 'app', targetLabels: ['team.example.com/a'] }),
        serviceMonitor('b', { attachMetadata: { node: true }, serviceDiscoveryRole: 'EndpointSlice' }),
      ],
      podMonitors: [podMonitor('a', { jobLabel: 'app', podTargetLabels: ['b'] })],
      probes: [
        probe('a'),
        probe('b', { targets: { ingress: { selector: {}, namespaceSelector: { any: true } } } }),
      ],
    };
    const assets = new Assets('/etc/prometheus/config');
    const ruleFolders = ['prometheus-sample-rulefiles-0'];
    prometheusConfig(of, monitors, { assets, ruleFolders });
    for (const object of assets.unread) assets.set(object, { token: 'a' });
    const { files, leftOut, problems } = prometheusConfig(of, monitors, { assets, ruleFolders });
    expect({ leftOut, problems }).toEqual({ leftOut: [], problems: [] });
    expect(await refusal('config', files.get('prometheus.yaml') ?? '')).toBe('');
  });
});

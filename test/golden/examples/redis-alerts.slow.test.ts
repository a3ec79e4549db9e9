// promtool reads the alerts of the Redis operator about its clusters, and each fires in its case and in no other. Without promtool: skipped.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { toYaml } from '../../../src/kubernetes/yaml/index.ts';
import { prometheusRules, seriesOf } from '../../helpers/monitoring-expressions.ts';
import { exampleFolder } from './example-commands.ts';

const promtoolIsHere = spawnSync('promtool', ['--version']).status === 0;
const job = 'redis-operator-controller-manager-metrics-service';
const scraped = `job="${job}", namespace="redis-operator-system", pod="a"`;
const of = (cluster: string): string => `exported_namespace="shop", cluster="${cluster}"`;

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}
const file = readFileSync(join(exampleFolder('redis-operator'), 'config/prometheus/rules.yaml'), 'utf8');
const rules = prometheusRules(file) as { readonly groups: readonly { readonly rules: readonly Rule[] }[] };
const own = rules.groups
  .flatMap((group) => group.rules)
  .filter(({ alert }) => alert.startsWith('RedisCluster'));

test('the alerts select series that the operator has', () => {
  const source = readFileSync(
    join(exampleFolder('redis-operator'), 'src/cluster/cluster-metrics.ts'),
    'utf8',
  );
  expect(own.map(({ alert }) => alert)).toEqual(['RedisClusterAnomaly', 'RedisClusterAtMaximum']);
  for (const { metric } of own.flatMap(({ expr }) => seriesOf(expr))) expect(source).toContain(`'${metric}'`);
});

test('they lead to panels of the dashboard', () => {
  const dashboard = readFileSync(
    join(exampleFolder('redis-operator'), 'config/grafana/redis-operator.json'),
    'utf8',
  );
  const { panels } = JSON.parse(dashboard) as {
    readonly panels: readonly { readonly id: number; readonly title: string }[];
  };
  for (const { expr, annotations } of own) {
    const panel = panels.find(({ id }) => String(id) === annotations['__panelId__']);
    expect(expr).toContain(panel?.title);
  }
});

describe.skipIf(!promtoolIsHere)('promtool', () => {
  const folder = mkdtempSync(join(tmpdir(), 'op-sdk-redis-alerts-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    {
      alert: 'RedisClusterAnomaly',
      metric: 'redis_operator_cluster_anomaly',
      more: ', reason="KeysEvicted"',
      // Minutes: one that goes on, one that was seen once, and none.
      series: { hot: '0x2 1x20', seldom: '0x2 1x5 0x20', calm: '0x25' },
    },
    {
      alert: 'RedisClusterAtMaximum',
      metric: 'redis_operator_cluster_at_maximum',
      more: '',
      series: { hot: '0x2 1x20', seldom: '0x2 1x10 0x20', calm: '0x25' },
    },
  ])('$alert fires for the cluster that it is about', ({ alert, metric, more, series }) => {
    writeFileSync(join(folder, 'rules.yaml'), toYaml(rules));
    const cases = {
      rule_files: ['rules.yaml'],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: Object.entries(series).map(([cluster, values]) => ({
            series: `${metric}{${scraped}, ${of(cluster)}${more}}`,
            values,
          })),
          promql_expr_test: [
            {
              expr: `ALERTS{alertname="${alert}", alertstate="firing"}`,
              eval_time: '20m',
              exp_samples: [
                {
                  labels: `ALERTS{alertname="${alert}", alertstate="firing", job="${job}", namespace="redis-operator-system", severity="warning", ${of('hot')}${more}}`,
                  value: 1,
                },
              ],
            },
          ],
        },
      ],
    };
    writeFileSync(join(folder, 'cases.yaml'), toYaml(cases));
    for (const args of [
      ['check', 'rules', 'rules.yaml'],
      ['test', 'rules', 'cases.yaml'],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' });
      expect(status, `${stdout}${stderr}`).toBe(0);
    }
  });
});

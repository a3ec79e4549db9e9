// promtool of Prometheus reads the alerts, and each fires in its case and in no other. Without promtool: skipped.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toYaml } from '../../../../src/kubernetes/yaml/index.ts';
import {
  alertExpressions,
  dashboardExpressions,
  prometheusRules,
} from '../../../helpers/monitoring-expressions.ts';
import { alertCases, type AlertCase, type Case } from './alert-cases.ts';
import { everything, nothing, rendered, type Rule } from './rendered.ts';

const promtoolIsHere = spawnSync('promtool', ['--version']).status === 0;
const target = { job: everything.job, namespace: 'cache-operator-system', pod: 'a' };

describe.skipIf(!promtoolIsHere)('promtool', () => {
  const folder = mkdtempSync(join(tmpdir(), 'op-sdk-promtool-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let files: Awaited<ReturnType<typeof rendered>>;
  let rules: readonly Rule[];
  beforeAll(async () => {
    files = await rendered();
    const spec = prometheusRules(files.rules) as { groups: { rules: Rule[] }[] };
    rules = spec.groups.flatMap((group) => group.rules);
    writeFileSync(join(folder, 'rules.yaml'), toYaml(spec));
  });

  function promtool(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' });
    expect(status, `${stdout}${stderr}`).toBe(0);
    return stdout;
  }

  test('accepts the alerts, with webhooks and without', async () => {
    expect(promtool('check', 'rules', 'rules.yaml')).toContain('14 rules found');
    writeFileSync(join(folder, 'few.yaml'), toYaml(prometheusRules((await rendered(nothing)).rules)));
    expect(promtool('check', 'rules', 'few.yaml')).toContain('11 rules found');
  });

  test('accepts every query of the dashboard', () => {
    const queries = dashboardExpressions(files.dashboard, { job: everything.job });
    const records = queries.map(({ expr }, index) => ({ record: `query_${index}`, expr }));
    writeFileSync(join(folder, 'queries.yaml'), toYaml({ groups: [{ name: 'queries', rules: records }] }));
    expect(promtool('check', 'rules', 'queries.yaml')).toContain(`${queries.length} rules found`);
  });

  test('has cases of every alert', () => {
    const names = alertExpressions(files.rules).map(({ name }) => name.replace('alert ', ''));
    expect(alertCases.map(({ alert }) => alert).sort()).toEqual(names.sort());
  });

  test.each(alertCases)(
    '$alert fires in its case, and not in another one',
    ({ alert, fires, silent }: AlertCase) => {
      writeFileSync(
        join(folder, 'cases.yaml'),
        toYaml({
          rule_files: ['rules.yaml'],
          evaluation_interval: '1m',
          tests: [caseOf(alert, fires, true), caseOf(alert, silent, false)],
        }),
      );
      promtool('test', 'rules', 'cases.yaml');
    },
  );

  test('OperatorDown is about the namespace whose operator is down, and about none without series', () => {
    const { job } = target;
    const up = (namespace: string, values: string) => ({
      series: `up{job="${job}", namespace="${namespace}", pod="${namespace}-1"}`,
      values,
    });
    const expected = (labels: string) => [
      {
        expr: 'ALERTS{alertstate="firing"}',
        eval_time: '30m',
        exp_samples: [
          {
            labels: `ALERTS{alertname="OperatorDown", alertstate="firing", job="${job}", severity="critical"${labels}}`,
            value: 1,
          },
        ],
      },
    ];
    writeFileSync(
      join(folder, 'down.yaml'),
      toYaml({
        rule_files: ['rules.yaml'],
        evaluation_interval: '1m',
        tests: [
          {
            interval: '1m',
            input_series: [up('one', '1x40'), up('other', '0x40')],
            promql_expr_test: expected(', namespace="other"'),
          },
          { interval: '1m', input_series: [], promql_expr_test: expected('') },
        ],
      }),
    );
    promtool('test', 'rules', 'down.yaml');
  });

  /** A case as promtool reads it. Texts of annotations are not compared, but they must render: promtool compares what it is given. */
  function caseOf(alert: string, { series, minute = 60, labels = {} }: Case, isFiring: boolean): unknown {
    const rule = rules.find((each) => each.alert === alert);
    const perPod = /by \(namespace, job, pod/.test(rule?.expr ?? '');
    const { pod, ...operator } = target;
    const own = { ...operator, ...(perPod ? { pod } : {}) };
    return {
      interval: '1m',
      input_series: Object.entries(series).map(([selector, values]) => ({
        series: withTarget(selector),
        values,
      })),
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertname="${alert}", alertstate="firing"}) or vector(0)`,
          eval_time: `${minute}m`,
          exp_samples: [{ labels: '{}', value: isFiring ? 1 : 0 }],
        },
        {
          expr: `ALERTS{alertname="${alert}", alertstate="firing"}`,
          eval_time: `${minute}m`,
          exp_samples: isFiring
            ? [
                {
                  labels: selectorOf('ALERTS', {
                    ...{ alertname: alert, alertstate: 'firing' },
                    ...{ ...own, ...labels, severity: rule?.labels['severity'] ?? '' },
                  }),
                  value: 1,
                },
              ]
            : [],
        },
      ],
    };
  }
});

/** Adds the labels of the target to a series. */
function withTarget(selector: string): string {
  const [, metric = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(selector) ?? [];
  const inside = [labels, ...Object.entries(target).map(([name, value]) => `${name}="${value}"`)];
  return `${metric}{${inside.filter((part) => part !== '').join(', ')}}`;
}

function selectorOf(metric: string, labels: Readonly<Record<string, string>>): string {
  return `${metric}{${Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}}`;
}

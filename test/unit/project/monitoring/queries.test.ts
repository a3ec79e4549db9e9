// Every query of the dashboard and of the alerts names series that an operator serves, with labels that they have.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { metricsRegistry } from '../../../../src/index.ts';
import { electionMetrics } from '../../../../src/sdk/runtime/metrics/election-metrics.ts';
import { registerCacheMetrics } from '../../../../src/sdk/runtime/metrics/cache-metrics.ts';
import { registerCommonMetrics } from '../../../../src/sdk/runtime/metrics/common-metrics.ts';
import { collectDefaultMetrics } from 'prom-client';
import {
  alertExpressions,
  dashboardExpressions,
  seriesOf,
  type Expression,
} from '../../../helpers/monitoring-expressions.ts';
import { repository } from '../../compiler/manifests/project-folder.ts';
import { everything, rendered, type DashboardFile, type RuleFile } from './rendered.ts';
import { parseYaml } from '../../../../src/kubernetes/yaml/index.ts';

/** Labels that Prometheus adds by the ServiceMonitor, and metrics that it makes itself. */
const targetLabels = ['job', 'namespace', 'pod', 'instance'];
const ofPrometheus = new Map([['up', []]]);

/** Suffixes of the series of a histogram and of a summary. */
const parts: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

interface Known {
  readonly name: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

let served: Map<string, readonly string[]>;
let all: readonly Expression[];
let files: Awaited<ReturnType<typeof rendered>>;
beforeAll(async () => {
  registerCommonMetrics();
  registerCacheMetrics();
  electionMetrics('a1b2c3d4.example.com');
  if (metricsRegistry.getSingleMetric('process_cpu_seconds_total') === undefined)
    collectDefaultMetrics({ register: metricsRegistry });
  served = new Map<string, readonly string[]>(ofPrometheus);
  const own = everything.metrics.map(({ name, type, labels }) => ({ name, type, labelNames: labels }));
  for (const { name, type, labelNames } of [
    ...(metricsRegistry.getMetricsAsArray() as unknown as Known[]),
    ...own,
  ])
    for (const suffix of parts[type] ?? [''])
      served.set(`${name}${suffix}`, [
        ...labelNames,
        ...(suffix === '_bucket' ? ['le'] : type === 'summary' ? ['quantile'] : []),
      ]);
  files = await rendered();
  all = [...alertExpressions(files.rules), ...dashboardExpressions(files.dashboard, { job: everything.job })];
});

test('all queries are found', () => {
  expect(all.filter(({ name }) => name.startsWith('alert '))).toHaveLength(14);
  expect(all.filter(({ name }) => name.startsWith('variable '))).toHaveLength(3);
  expect(all.length).toBeGreaterThan(60);
});

test('every query names series that exist, with the labels that they have', () => {
  const wrong = all.flatMap(({ name, expr }) =>
    seriesOf(expr).flatMap(({ metric, labels }) => {
      const known = served.get(metric);
      if (known === undefined) return [`${name}: ${metric} is not served`];
      return labels
        .filter((label) => !known.includes(label) && !targetLabels.includes(label))
        .map((label) => `${name}: ${metric} has no label ${label}`);
    }),
  );
  expect(wrong).toEqual([]);
});

test('labels that Prometheus renames, because the target has one of the same name, have the new name', async () => {
  const labels = ['namespace', 'pod', 'name'];
  const { dashboard } = await rendered({
    ...everything,
    metrics: (['counter', 'gauge', 'histogram', 'summary'] as const).map((type) => ({
      ...{ name: `own_${type}`, type, help: 'Own', labels },
    })),
  });
  const { panels } = JSON.parse(dashboard) as DashboardFile;
  const targets = panels.flatMap((panel) => panel.targets ?? []).filter(({ expr }) => expr.includes('own_'));
  expect(targets).toHaveLength(5);
  for (const { expr, legendFormat } of targets) {
    expect(expr).toMatch(/by \(exported_namespace, exported_pod, name[,)]/);
    expect(legendFormat).toContain('{{exported_namespace}} {{exported_pod}} {{name}}');
  }
});

test('every query of the dashboard selects by the variables, and every alert by the job', () => {
  for (const { name, expr } of all)
    for (const { metric, labels } of seriesOf(expr)) {
      if (name === 'variable job') continue;
      expect(labels, `${name}: ${metric}`).toContain('job');
      if (name.startsWith('panel'))
        expect(labels, name).toEqual(expect.arrayContaining(['namespace', 'pod']));
    }
});

describe('the parser of queries', () => {
  test('finds metrics, matchers and groupings', () => {
    expect(seriesOf('sum by (a, b) (rate(x_total{c="1", d=~".*"}[5m])) / (max(y) > 0)')).toEqual([
      { metric: 'x_total', labels: ['a', 'b', 'c', 'd'] },
      { metric: 'y', labels: [] },
    ]);
  });

  test('refuses what is not PromQL', () => {
    expect(() => seriesOf('sum by (a')).toThrow('invalid PromQL');
  });
});

describe('links', () => {
  test('every alert leads to a panel that shows its series, and to a runbook', () => {
    const dashboard = JSON.parse(files.dashboard) as DashboardFile;
    const { groups } = (parseYaml(files.rules, 'rules.yaml').value as RuleFile).spec;
    for (const { alert, expr, annotations } of groups.flatMap(({ rules }) => rules)) {
      expect(annotations['__dashboardUid__']).toBe(dashboard.uid);
      const panel = dashboard.panels.find(({ id }) => String(id) === annotations['__panelId__']);
      const shown = (panel?.targets ?? []).flatMap((target) =>
        seriesOf(target.expr.replaceAll('$__rate_interval', '5m')),
      );
      const [first] = seriesOf(expr);
      expect(
        shown.map(({ metric }) => metric),
        `${alert} leads to ${panel?.title}`,
      ).toContain(first?.metric);
      expect(annotations['runbook_url']).toBe(`https://example.com/docs/alerts.md#${alert.toLowerCase()}`);
    }
  });

  test('ids of panels are unique, and independent of other controllers and metrics', async () => {
    const dashboard = JSON.parse(files.dashboard) as DashboardFile;
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const fewer = await rendered({
      ...everything,
      controllers: ['memcached-backup'],
      metrics: everything.metrics.slice(2),
    });
    const ids = new Map(dashboard.panels.map(({ id, title }) => [id, title]));
    for (const { id, title } of (JSON.parse(fewer.dashboard) as DashboardFile).panels)
      expect(ids.get(id), title).toBe(title);
  });
});

test('panels fill the 24 columns without overlaps, at most four a line, so that 1280 pixels suffice', () => {
  const { panels } = JSON.parse(files.dashboard) as DashboardFile;
  const taken = new Set<string>();
  for (const { title, gridPos } of panels) {
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
    expect(gridPos.w, title).toBeGreaterThanOrEqual(6);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(taken.has(`${x},${y}`), `${title} overlaps at ${x},${y}`).toBe(false);
        taken.add(`${x},${y}`);
      }
  }
});

test('no colour is one of a theme', () => {
  expect(files.dashboard).not.toMatch(/#[0-9a-f]{3,8}"|rgba?\(/i);
  expect(files.dashboard).not.toContain('"style"');
});

test('every alert has a runbook that says cause, look and mend, in the order of the alerts', () => {
  const page = readFileSync(join(repository, 'docs/alerts.md'), 'utf8');
  const [, ...sections] = page.split(/^## /m);
  const names = alertExpressions(files.rules).map(({ name }) => name.replace('alert ', ''));
  expect(sections.map((section) => /^\w+/.exec(section)?.[0])).toEqual(names);
  for (const section of sections)
    for (const part of ['**Cause.**', '**Look.**', '**Mend.**']) expect(section).toContain(part);
});

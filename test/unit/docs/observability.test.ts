// The guide lists every metric that an operator serves, with its type and its labels, and every flag.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { explanations } from '../../../src/cli/explanations/explanations.ts';
import { metricsRegistry } from '../../../src/index.ts';
import { flagsHelp } from '../../../src/sdk/runtime/main/flags-help.ts';
import { flagSpecs } from '../../../src/sdk/runtime/main/flags.ts';
import { electionMetrics } from '../../../src/sdk/runtime/metrics/election-metrics.ts';
import { registerCacheMetrics } from '../../../src/sdk/runtime/metrics/cache-metrics.ts';
import { registerCommonMetrics } from '../../../src/sdk/runtime/metrics/common-metrics.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const guide = readFileSync(join(root, 'docs/observability.md'), 'utf8');
const rows = new Map(
  [...guide.matchAll(/^\| `([a-z_]+)` +\| (\w+) +\| ([^|]*?) *\|/gm)].map(
    ([, name = '', type = '', labels = '']) => [name, { type, labels: labels.replaceAll('`', '') }] as const,
  ),
);

registerCommonMetrics();
registerCacheMetrics();
electionMetrics('a1b2c3d4.example.com');
const ours = /^(?:controller_runtime|workqueue|rest_client|leader_election|certwatcher|opsdk)_/;
const metrics = metricsRegistry
  .getMetricsAsArray()
  .filter(({ name }) => ours.test(name)) as unknown as readonly {
  readonly name: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}[];

describe('docs/observability.md', () => {
  test('lists every metric, with its type and labels', () => {
    expect(metrics.length).toBeGreaterThan(25);
    for (const { name, type, labelNames } of metrics) {
      expect(rows.get(name), name).toMatchObject({ type });
      const labels = (rows.get(name)?.labels ?? '').split(', ').filter((label) => label !== '');
      expect(labels.sort(), name).toEqual(labelNames.filter((label) => label !== 'le').sort());
    }
  });

  test('lists no other', () => {
    const known = metrics.map(({ name }) => name);
    expect([...rows.keys()].filter((name) => ours.test(name) && !known.includes(name))).toEqual([]);
  });

  test('names flags that operators have', () => {
    const flags = [...guide.matchAll(/`(--[a-z0-9-]+)[`=]/g)].map(([, flag = '']) => flag);
    const known = flagsHelp(flagSpecs);
    for (const flag of flags) if (!flag.startsWith('--zap-')) expect(known).toContain(`${flag}`);
    for (const [flag = ''] of known.matchAll(/--(?:metrics|log)-[a-z-]+/g)) expect(flags).toContain(flag);
  });

  test('names errors of the catalogue', () => {
    for (const [, code = ''] of guide.matchAll(/`(runtime\/[a-z-]+)`/g))
      expect(Object.keys(explanations)).toContain(code);
  });
});

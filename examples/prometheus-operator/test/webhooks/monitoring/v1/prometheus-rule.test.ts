// Unit tests: the functions are called directly, without a server.
import type { AdmissionContext, Stored } from 'opsdk';
import { describe, expect, it } from 'vitest';
import type { PrometheusRule, RuleGroup } from '../../../../src/api/monitoring/v1/prometheus-rule.ts';
import { prometheusRuleWebhook } from '../../../../src/webhooks/monitoring/v1/prometheus-rule.ts';
import { prometheusRule } from '../../../fixtures/objects.ts';

const { validate } = prometheusRuleWebhook.options;
const context = {} as AdmissionContext;

async function refusals(...groups: RuleGroup[]): Promise<readonly (readonly [string, string, unknown?])[]> {
  const found = (await validate?.create?.(prometheusRule('a', groups), context)) ?? [];
  return found.map(({ path, message, value }) =>
    value === undefined ? [path, message] : [path, message, value],
  );
}

const up = { record: 'job:up:sum', expr: 'sum by (job) (up)' };

it('allows recording and alerting rules', async () => {
  const down = {
    alert: 'Down',
    expr: 'up == 0',
    for: '5m',
    keep_firing_for: '1m',
    labels: { severity: 'warning' },
  };
  expect(
    await refusals({ name: 'a', interval: '1m30s', rules: [up, down, { record: 'one', expr: 1 }] }),
  ).toEqual([]);
  expect(await validate?.create?.({ ...prometheusRule('a'), spec: {} }, context)).toEqual([]);
});

describe('refuses', () => {
  it.for<readonly [string, RuleGroup, string, string]>([
    ['an empty group', { name: 'a', rules: [] }, '.spec.groups[0].rules', 'expected at least one rule'],
    ['a group without rules', { name: 'a' }, '.spec.groups[0].rules', 'expected at least one rule'],
    ['a name of spaces', { name: ' ', rules: [up] }, '.spec.groups[0].name', 'is required'],
    [
      'a bad interval',
      { name: 'a', interval: '1', rules: [up] },
      '.spec.groups[0].interval',
      'expected a duration such as 5m',
    ],
    [
      'a bad duration',
      { name: 'a', rules: [{ alert: 'A', expr: 'up', for: '300y' }] },
      '.spec.groups[0].rules[0].for',
      'expected a duration such as 5m',
    ],
    [
      'neither alert nor record',
      { name: 'a', rules: [{ expr: 'up' }] },
      '.spec.groups[0].rules[0]',
      'expected one of alert and record, got none',
    ],
    [
      'both',
      { name: 'a', rules: [{ alert: 'A', ...up }] },
      '.spec.groups[0].rules[0]',
      'expected one of alert and record, got both',
    ],
    [
      'a name that is not that of a metric',
      { name: 'a', rules: [{ record: 'a-b', expr: 'up' }] },
      '.spec.groups[0].rules[0].record',
      'expected the name of a metric',
    ],
    [
      'a label that is none',
      { name: 'a', rules: [{ ...up, labels: { 'a-b': 'c' } }] },
      '.spec.groups[0].rules[0].labels',
      'expected the name of a label',
    ],
    [
      'the label of the name',
      { name: 'a', rules: [{ ...up, labels: { __name__: 'c' } }] },
      '.spec.groups[0].rules[0].labels',
      'expected the name of a label',
    ],
    [
      'an annotation that is none',
      { name: 'a', rules: [{ alert: 'A', expr: 'up', annotations: { 'a b': 'c' } }] },
      '.spec.groups[0].rules[0].annotations',
      'expected the name of an annotation',
    ],
    [
      'a recording rule that waits',
      { name: 'a', rules: [{ ...up, for: '5m' }] },
      '.spec.groups[0].rules[0].for',
      'is not allowed for a recording rule',
    ],
    [
      'an empty expression',
      { name: 'a', rules: [{ record: 'a', expr: ' ' }] },
      '.spec.groups[0].rules[0].expr',
      'is required',
    ],
  ])('%s', async ([, group, path, message]) => {
    expect((await refusals(group)).map((each) => each.slice(0, 2))).toEqual([[path, message]]);
  });

  it('groups of one name', async () => {
    expect(
      await refusals({ name: 'a', rules: [up] }, { name: 'b', rules: [up] }, { name: 'a', rules: [up] }),
    ).toEqual([['.spec.groups[2].name', 'is the name of spec.groups[0], too', 'a']]);
  });

  it('all at once', async () => {
    const found = await refusals(
      { name: 'a', rules: [] },
      {
        name: 'a',
        rules: [
          { expr: '', for: 'x' },
          { record: 'a b', expr: 'up' },
        ],
      },
    );
    expect(found.map(([path]) => path)).toEqual([
      '.spec.groups[0].rules',
      '.spec.groups[1].name',
      '.spec.groups[1].rules[0]',
      '.spec.groups[1].rules[0].expr',
      '.spec.groups[1].rules[0].for',
      '.spec.groups[1].rules[1].record',
    ]);
  });
});

it('lets an invalid rule of earlier times be labelled, but not changed', async () => {
  const old = prometheusRule('a', [{ name: 'a', rules: [] }]) as Stored<PrometheusRule>;
  const labelled = {
    ...prometheusRule('a', [{ name: 'a', rules: [] }]),
    metadata: { name: 'a', labels: { a: 'b' } },
  };
  expect(await validate?.update?.(labelled, old, context)).toEqual([]);
  expect(
    await validate?.update?.(prometheusRule('a', [{ name: 'b', rules: [] }]), old, context),
  ).toHaveLength(1);
});

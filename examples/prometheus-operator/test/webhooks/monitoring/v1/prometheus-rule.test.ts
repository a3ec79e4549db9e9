// Unit tests: the functions are called directly, without a server.
import type { AdmissionContext, Stored } from 'opsdk';
import { expect, it } from 'vitest';
import type { PrometheusRule } from '../../../../src/api/monitoring/v1/prometheus-rule.ts';
import { prometheusRuleWebhook } from '../../../../src/webhooks/monitoring/v1/prometheus-rule.ts';

const { options } = prometheusRuleWebhook;

// What the functions use of the request, such as `{ request: { dryRun: true } }`.
const context = {} as AdmissionContext;

const prometheusRule = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'prometheusrule-sample' },
} as PrometheusRule;

it('allows a new object', async () => {
  expect(await options.validate?.create?.(prometheusRule, context)).toEqual([]);
});

it('allows an update that changes nothing', async () => {
  const old = prometheusRule as Stored<PrometheusRule>;
  expect(await options.validate?.update?.(prometheusRule, old, context)).toEqual([]);
});

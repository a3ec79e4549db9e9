import { isDeepStrictEqual } from 'node:util';
import { defineWebhook, type FieldError } from 'opsdk';
import { PrometheusRule } from '../../../api/monitoring/v1/prometheus-rule.ts';
import { ruleProblems } from '../../../config/rule-problems.ts';

// The API server asks these functions before it stores a PrometheusRule. After a change of the settings, `op-sdk generate manifests` brings
// config/webhook/manifests.yaml up to date.

export const prometheusRuleWebhook = defineWebhook(PrometheusRule, {
  validate: {
    create: refusals,
    update(rule, old) {
      // One that was stored before the webhook existed can be labelled, and can lose its finalizers.
      return isDeepStrictEqual(rule.spec, old.spec) ? [] : refusals(rule);
    },
  },
});

/** Returns everything that Prometheus would refuse of a PrometheusRule, but for its PromQL. */
function refusals(rule: Pick<PrometheusRule, 'spec'>): readonly FieldError<PrometheusRule>[] {
  return ruleProblems(rule).map(({ path, ...problem }) => ({ path: `.${path}`, ...problem }));
}

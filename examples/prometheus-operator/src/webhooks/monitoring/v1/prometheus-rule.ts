import { defineWebhook } from 'opsdk';
import { PrometheusRule } from '../../../api/monitoring/v1/prometheus-rule.ts';

// The API server asks these functions before it stores a PrometheusRule. After a change of the settings, `op-sdk generate manifests` brings
// config/webhook/manifests.yaml up to date.

export const prometheusRuleWebhook = defineWebhook(PrometheusRule, {
  // Each function returns what is wrong with an object that fits its schema; an empty list allows the request. If spec has a field `size`:
  //   create({ spec }) {
  //     return spec.size % 2 === 1 ? [] : [{ path: '.spec.size', message: 'must be odd', value: spec.size }];
  //   },
  // `update` gets the new object and the old one. Add `delete` to be asked before objects are deleted.
  validate: {
    create: () => [],
    update: () => [],
  },
});

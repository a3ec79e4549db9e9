import { defineResource, type CustomResource, type Integer, type IntOrString, type ListMap } from 'opsdk';
import type { PrometheusDuration } from './duration.ts';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** Rule is an alerting or a recording rule. */
export interface Rule {
  /** Record is the name of the series that the expression is recorded as. One of record and alert is required. */
  record?: string;
  /** Alert is the name of the alert. */
  alert?: string;
  /** Expr is the expression in PromQL. */
  expr: IntOrString;
  /** For is how long an alert is pending before it fires. */
  for?: PrometheusDuration;
  /**
   * Keep_firing_for is how long an alert fires after its expression has become empty. It needs Prometheus 2.42.
   *
   * @minLength 1
   */
  keep_firing_for?: PrometheusDuration;
  /** Labels are added, or overwritten. */
  labels?: Record<string, string>;
  /** Annotations of an alert. */
  annotations?: Record<string, string>;
}

/** RuleGroup is a list of rules that are evaluated one after the other. */
export interface RuleGroup {
  /**
   * Name of the group, unique in the PrometheusRule.
   *
   * @minLength 1
   */
  name: string;
  /** Labels are added to the results of all rules. They need Prometheus 3.0. */
  labels?: Record<string, string>;
  /** Interval between two evaluations. Default: that of the Prometheus. */
  interval?: PrometheusDuration;
  /** Query_offset moves the time of evaluation into the past. It needs Prometheus 2.53. */
  query_offset?: PrometheusDuration;
  /** Rules of the group. */
  rules?: Rule[];
  /**
   * Partial_response_strategy is for a ThanosRuler alone: `abort` or `warn`.
   *
   * @pattern ^(?i)(abort|warn)?$
   */
  partial_response_strategy?: string;
  /** Limit is the largest number of alerts or series that a rule may produce. Default: 0, none. */
  limit?: Integer;
}

/** PrometheusRuleSpec has the groups of rules. */
export interface PrometheusRuleSpec {
  /** Groups are those of a rule file. */
  groups?: ListMap<RuleGroup, 'name'>;
}

/** PrometheusRule has alerting and recording rules for a Prometheus or a ThanosRuler. */
export interface PrometheusRule extends CustomResource<'monitoring.coreos.com/v1', 'PrometheusRule'> {
  spec: PrometheusRuleSpec;
}

export const PrometheusRule = defineResource<PrometheusRule>({
  group: 'monitoring.coreos.com',
  version: 'v1',
  kind: 'PrometheusRule',
  scope: 'Namespaced',
  shortNames: ['promrule'],
  categories: ['prometheus-operator'],
  storage: true,
});

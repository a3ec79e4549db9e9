import { defineResource, type CustomResource, type Int32 } from 'opsdk';
import type { SecretKeySelector } from 'opsdk/k8s/core/v1';
import type { LabelSelector } from 'opsdk/k8s/meta/v1';
import type { PrometheusDuration } from './duration.ts';
import type { WorkloadSpec, WorkloadStatus } from './workload.ts';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/**
 * ThanosRulerSpec defines the desired state of ThanosRuler.
 *
 * @cel !has(self.routePrefix) || self.routePrefix.startsWith('/') : "routePrefix begins with /"
 */
export interface ThanosRulerSpec extends WorkloadSpec {
  /**
   * Version of Thanos.
   *
   * @pattern ^v?[0-9]+\.[0-9]+\.[0-9]+
   * @default "v0.39.2"
   */
  version?: string;
  /**
   * Replicas of the ruler. Default: 1.
   *
   * @minimum 0
   */
  replicas?: Int32;
  /** QueryEndpoints are the addresses of Thanos queriers. One of queryEndpoints and queryConfig is required. */
  queryEndpoints?: string[];
  /** QueryConfig is the key of a Secret with the configuration of queriers. It takes precedence over queryEndpoints. */
  queryConfig?: SecretKeySelector;
  /** AlertmanagersUrl are the addresses of Alertmanagers. */
  alertmanagersUrl?: string[];
  /** AlertmanagersConfig is the key of a Secret with the configuration of Alertmanagers. It takes precedence over alertmanagersUrl. */
  alertmanagersConfig?: SecretKeySelector;
  /** ObjectStorageConfig is the key of a Secret with the configuration of a bucket, to which blocks are uploaded. */
  objectStorageConfig?: SecretKeySelector;
  /** RuleSelector selects PrometheusRules. An empty one selects all, a missing one none. */
  ruleSelector?: LabelSelector;
  /** RuleNamespaceSelector selects namespaces. An empty one selects all, a missing one that of the ThanosRuler alone. */
  ruleNamespaceSelector?: LabelSelector;
  /**
   * EvaluationInterval between two evaluations of a rule.
   *
   * @default "15s"
   */
  evaluationInterval?: PrometheusDuration;
  /**
   * Retention is how long data is kept.
   *
   * @default "24h"
   */
  retention?: PrometheusDuration;
  /** Labels are external labels, beside `thanos_ruler_replica`. */
  labels?: Record<string, string>;
  /** AlertDropLabels are dropped from alerts, beside `thanos_ruler_replica`. */
  alertDropLabels?: string[];
  /** AlertQueryUrl is the address of a querier that alerts link to. */
  alertQueryUrl?: string;
}

/** ThanosRulerStatus defines the observed state of ThanosRuler. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- each kind has a status of its own, to which fields are added
export interface ThanosRulerStatus extends WorkloadStatus {}

/**
 * ThanosRuler evaluates rules by the queriers of Thanos.
 *
 * @cel self.metadata.name.matches('^[a-z0-9]([-a-z0-9]{0,30}[a-z0-9])?$') : "the name has no dots, and at most 32 characters: Pods and Services are named after it"
 */
export interface ThanosRuler extends CustomResource<'monitoring.coreos.com/v1', 'ThanosRuler'> {
  spec: ThanosRulerSpec;
  status?: ThanosRulerStatus;
}

export const ThanosRuler = defineResource<ThanosRuler>({
  group: 'monitoring.coreos.com',
  version: 'v1',
  kind: 'ThanosRuler',
  scope: 'Namespaced',
  shortNames: ['ruler'],
  categories: ['prometheus-operator'],
  storage: true,
  printerColumns: [
    {
      name: 'Version',
      type: 'string',
      jsonPath: '.spec.version',
      description: 'The version of Thanos Ruler',
    },
    {
      name: 'Replicas',
      type: 'integer',
      jsonPath: '.spec.replicas',
      description: 'The number of desired replicas',
    },
    {
      name: 'Ready',
      type: 'integer',
      jsonPath: '.status.availableReplicas',
      description: 'The number of ready replicas',
    },
    { name: 'Reconciled', type: 'string', jsonPath: ".status.conditions[?(@.type == 'Reconciled')].status" },
    { name: 'Available', type: 'string', jsonPath: ".status.conditions[?(@.type == 'Available')].status" },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    {
      name: 'Paused',
      type: 'boolean',
      jsonPath: '.status.paused',
      priority: 1,
      description: 'Whether the resource reconciliation is paused or not',
    },
  ],
});

import { defineResource, type CustomResource, type Int32 } from 'opsdk';
import type { LabelSelector } from 'opsdk/k8s/meta/v1';
import type { GoDuration } from './duration.ts';
import type { WorkloadSpec, WorkloadStatus } from './workload.ts';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** AlertmanagerConfigMatcherStrategy says which alerts the routes of an AlertmanagerConfig get. */
export interface AlertmanagerConfigMatcherStrategy {
  /**
   * Type `OnNamespace` matches alerts whose label `namespace` is the namespace of the AlertmanagerConfig; `None` matches all alerts.
   *
   * @default "OnNamespace"
   */
  type?: 'OnNamespace' | 'OnNamespaceExceptForAlertmanagerNamespace' | 'None';
}

/**
 * AlertmanagerSpec defines the desired state of Alertmanager.
 *
 * @cel !has(self.routePrefix) || self.routePrefix.startsWith('/') : "routePrefix begins with /"
 */
export interface AlertmanagerSpec extends WorkloadSpec {
  /**
   * Version of Alertmanager, 0.25 or newer. The configuration is written for it.
   *
   * @pattern ^v?[0-9]+\.[0-9]+\.[0-9]+
   * @default "v0.28.1"
   */
  version?: string;
  /**
   * Replicas that form a cluster. Default: 1.
   *
   * @minimum 0
   */
  replicas?: Int32;
  /**
   * Retention is how long silences and notifications are kept. Go's units: h, m and s.
   *
   * @pattern ^[0-9]+(ms|s|m|h)$
   * @default "120h"
   */
  retention?: string;
  /** ExternalUrl is the address under which users find the program. */
  externalUrl?: string;
  /** ConfigSecret is a Secret with the configuration in its key `alertmanager.yaml`. Default: `alertmanager-` and the name. Without it, all alerts are dropped. */
  configSecret?: string;
  /** AlertmanagerConfigSelector selects AlertmanagerConfigs. An empty one selects all, a missing one none. */
  alertmanagerConfigSelector?: LabelSelector;
  /** AlertmanagerConfigNamespaceSelector selects namespaces. An empty one selects all, a missing one that of the Alertmanager alone. */
  alertmanagerConfigNamespaceSelector?: LabelSelector;
  /** AlertmanagerConfigMatcherStrategy says which alerts the routes of an AlertmanagerConfig get. */
  alertmanagerConfigMatcherStrategy?: AlertmanagerConfigMatcherStrategy;
  /** ForceEnableClusterMode runs the protocol of clusters also with one replica. */
  forceEnableClusterMode?: boolean;
  /** AdditionalPeers are further Alertmanagers of the cluster. */
  additionalPeers?: string[];
  /** ClusterGossipInterval between two messages to peers. */
  clusterGossipInterval?: GoDuration;
  /** ClusterPushpullInterval between two exchanges of the whole state. */
  clusterPushpullInterval?: GoDuration;
  /** ClusterPeerTimeout is how long a replica waits for the one before it, until it notifies. */
  clusterPeerTimeout?: GoDuration;
}

/** AlertmanagerStatus defines the observed state of Alertmanager. */
export interface AlertmanagerStatus extends WorkloadStatus {
  /** Selector selects the Pods, for autoscalers. */
  selector?: string;
}

/**
 * Alertmanager is a cluster of Alertmanagers.
 *
 * @cel self.metadata.name.matches('^[a-z0-9]([-a-z0-9]{0,30}[a-z0-9])?$') : "the name has no dots, and at most 32 characters: Pods and Services are named after it"
 */
export interface Alertmanager extends CustomResource<'monitoring.coreos.com/v1', 'Alertmanager'> {
  spec: AlertmanagerSpec;
  status?: AlertmanagerStatus;
}

export const Alertmanager = defineResource<Alertmanager>({
  group: 'monitoring.coreos.com',
  version: 'v1',
  kind: 'Alertmanager',
  scope: 'Namespaced',
  shortNames: ['am'],
  categories: ['prometheus-operator'],
  storage: true,
  scale: { spec: '.spec.replicas', status: '.status.replicas', selector: '.status.selector' },
  printerColumns: [
    {
      name: 'Version',
      type: 'string',
      jsonPath: '.spec.version',
      description: 'The version of Alertmanager',
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

import { defineResource, type CustomResource, type DateTime, type Float, type Int32 } from 'opsdk';

/** ClusterPoolSpec defines the desired state of ClusterPool. */
export interface ClusterPoolSpec {
  /**
   * Owner of the pool.
   *
   * @selectable
   */
  owner: string;

  /**
   * Exclusive pools have one tenant.
   *
   * @selectable
   */
  exclusive?: boolean;

  /**
   * Clusters in the pool.
   *
   * @minimum 0
   * @scale spec
   * @printerColumn
   */
  clusters?: Int32;

  /**
   * Weight of the pool.
   *
   * @allow schema/float weights are compared with nothing
   */
  weight?: Float;
}

/** ClusterPoolStatus defines the observed state of ClusterPool. */
export interface ClusterPoolStatus {
  /**
   * Ready clusters.
   *
   * @scale status
   */
  ready?: Int32;

  /** Since when the pool is ready. */
  since?: DateTime;
}

/** ClusterPool is the Schema for the pools API. */
export interface ClusterPool extends CustomResource {
  /** Spec of the pool. */
  spec: ClusterPoolSpec;

  /** Status of the pool. */
  status?: ClusterPoolStatus;
}

export const ClusterPool = defineResource<ClusterPool>({
  group: 'fleet.peers.example.com',
  version: 'v1',
  kind: 'ClusterPool',
  plural: 'pools',
  singular: 'pool',
  scope: 'Cluster',
  shortNames: ['cp', 'pool'],
  categories: ['fleet'],
  printerColumns: [
    { name: 'Weight', type: 'number', format: 'double', jsonPath: '.spec.weight' },
    { name: 'Exclusive', type: 'boolean', jsonPath: '.spec.exclusive' },
    { name: 'Since', type: 'date', format: 'date-time', jsonPath: '.status.since', priority: 2 },
  ],
  labels: { team: 'fleet', 'app.kubernetes.io/part-of': 'peers' },
  annotations: { 'peers.example.com/reason': 'compared by the tests' },
});

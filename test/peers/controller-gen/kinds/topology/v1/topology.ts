import {
  defineResource,
  type AtomicList,
  type AtomicMap,
  type CustomResource,
  type Int32,
  type Int64,
  type ListMap,
  type ListSet,
} from 'opsdk';

/**
 * Link between two sites.
 *
 * @mapType atomic
 */
export interface Link {
  /** To is the other site. */
  to: string;

  /**
   * Cost of the link.
   *
   * @minimum 0
   */
  cost?: Int32;
}

/** Site is a place. */
export interface Site {
  /** Name of the site. */
  name: string;

  /** Links to other sites, each one once. */
  links?: ListSet<Link>;

  /** Attributes of the site. */
  attributes?: AtomicMap<string>;
}

/**
 * Tag of a site.
 *
 * @maxLength 20
 */
export type Tag = string;

/** TopologySpec defines the desired state of Topology. */
export interface TopologySpec {
  /** Sites by name. */
  sites?: ListMap<Site, 'name'>;

  /**
   * Groups of sites.
   *
   * @mapType granular
   */
  groups?: Record<string, string[]>;

  /**
   * Matrix of costs.
   *
   * @items.minItems 2
   */
  matrix?: AtomicList<Int32[]>;

  /**
   * Limits by site and by tenant.
   *
   * @allow schema/int64-maximum limits are small
   */
  limits?: Record<string, Record<string, Int64>>;

  /**
   * Default link.
   *
   * @mapType granular
   */
  default?: Link;

  /** Tags that can be used. */
  tags?: ListSet<Tag>;

  /** Owners of the topology. */
  owners?: string[];

  /**
   * Pairs of sites.
   *
   * @allow schema/map-of-objects pairs are never merged
   */
  pairs?: AtomicList<Record<string, Link>>;
}

/** Topology is the Schema for the topologies API. */
export interface Topology extends CustomResource {
  /** Spec of the topology. */
  spec: TopologySpec;
}

export const Topology = defineResource<Topology>({
  group: 'net.peers.example.com',
  version: 'v1',
  kind: 'Topology',
});

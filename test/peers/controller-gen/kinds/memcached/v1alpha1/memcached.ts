import {
  defineResource,
  type AtomicList,
  type Condition,
  type CustomResource,
  type Int32,
  type IntOrString,
  type ListMap,
  type ListSet,
  type Quantity,
} from 'opsdk';
import type { ResourceRequirements } from 'opsdk/k8s/core/v1';

/** Endpoint is where clients connect. */
export interface Endpoint {
  /**
   * Port that is listened on.
   *
   * @minimum 1
   * @maximum 65535
   */
  port: Int32;

  /**
   * Protocol of the endpoint.
   *
   * @default TCP
   */
  protocol?: 'TCP' | 'UDP';

  /** Name of the endpoint. */
  name?: string;
}

/** MemcachedSpec defines the desired state of Memcached. */
export interface MemcachedSpec {
  /**
   * Size is the number of pods.
   *
   * @minimum 1
   * @maximum 5
   * @default 1
   */
  size?: Int32;

  /**
   * Image to run.
   *
   * @minLength 1
   * @immutable
   */
  image: string;

  /** Endpoints by port and protocol. */
  endpoints?: ListMap<Endpoint, 'port' | 'protocol'>;

  /**
   * Zones to run in.
   *
   * @minItems 1
   * @maxItems 16
   * @items.minLength 1
   * @items.maxLength 63
   * @items.pattern ^[a-z0-9-]+$
   */
  zones?: ListSet<string>;

  /** Args are passed in this order. */
  args?: AtomicList<string>;

  /**
   * MaxUnavailable while updating.
   *
   * @default "25%"
   */
  maxUnavailable?: IntOrString;

  /**
   * Memory of each pod.
   *
   * @default "64Mi"
   */
  memory?: Quantity;

  /** Resources of the container. */
  resources?: ResourceRequirements;
}

/** MemcachedStatus defines the observed state of Memcached. */
export interface MemcachedStatus {
  /** Replicas that exist. */
  replicas: Int32;

  /** Selector of the pods. */
  selector?: string;

  /** Conditions represent the current state of the Memcached resource. */
  conditions?: ListMap<Condition, 'type'>;
}

/** Memcached is the Schema for the memcacheds API. */
export interface Memcached extends CustomResource {
  /** Spec defines the desired state of Memcached. */
  spec: MemcachedSpec;

  /** Status defines the observed state of Memcached. */
  status?: MemcachedStatus;
}

export const Memcached = defineResource<Memcached>({
  group: 'cache.peers.example.com',
  version: 'v1alpha1',
  kind: 'Memcached',
  shortNames: ['mc', 'memc'],
  categories: ['all', 'caches'],
  scale: { spec: '.spec.size', status: '.status.replicas', selector: '.status.selector' },
  printerColumns: [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
});

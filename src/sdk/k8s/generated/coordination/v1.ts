// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type { KubeObject } from '../../../api/meta.ts';
import type { DateTime, Int32 } from '../../../api/types.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** Lease defines a lease concept. */
export interface Lease extends KubeObject<'coordination.k8s.io/v1', 'Lease'> {
  /** spec contains the specification of the Lease. */
  spec?: LeaseSpec | undefined;
}
export const Lease: Resource<Lease> = /* @__PURE__ */ externalResource<Lease>({ group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases', scope: 'Namespaced' });

/** LeaseSpec is a specification of a Lease. */
export interface LeaseSpec {
  /** acquireTime is a time when the current lease was acquired. */
  acquireTime?: DateTime | undefined;
  /** holderIdentity contains the identity of the holder of a current lease. */
  holderIdentity?: string | undefined;
  /** leaseDurationSeconds is a duration that candidates for a lease need to wait to force acquire it. */
  leaseDurationSeconds?: Int32 | undefined;
  /** leaseTransitions is the number of transitions of a lease between holders. */
  leaseTransitions?: Int32 | undefined;
  /** preferredHolder signals to a lease holder that the lease has a more optimal holder and should be given up. */
  preferredHolder?: string | undefined;
  /** renewTime is a time when the current holder of a lease has last updated the lease. */
  renewTime?: DateTime | undefined;
  /** strategy indicates the strategy for picking the leader for coordinated leader election. */
  strategy?: string | undefined;
}

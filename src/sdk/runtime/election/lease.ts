import { isDeepStrictEqual } from 'node:util';
import { Lease } from '../../k8s/generated/coordination/v1.ts';
import { isConflict, isNotFound, type Client, ApiError, isForbidden } from '../../kube/index.ts';
import type { Clock } from '../../net/index.ts';
import { microTime } from '../events/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import type { ElectionSettings } from './election-settings.ts';

/** Maximum number of tries to release a lease. */
const RELEASE_TRIES = 5;

interface ReleaseOptions {
  readonly client: Pick<Client, 'find' | 'update'>;
  readonly key: { readonly name: string; readonly namespace: string };
  readonly identity: string;
  /** The last known Lease. */
  readonly lease: Lease | undefined;
  readonly today: () => Date;
  readonly signal: AbortSignal;
}

/**
 * Releases the lease if this process holds it; tries again after a conflict.
 *
 * @returns false if this process no longer held the lease
 * @throws the errors of the client
 */
export async function releaseLease(options: ReleaseOptions): Promise<boolean> {
  const { client, key, identity, lease, today, signal } = options;
  let current = lease;
  for (let attempt = 1; ; attempt += 1) {
    current ??= await client.find(Lease, key, { signal });
    if (current?.spec?.holderIdentity !== identity) return false;
    try {
      const spec = released(current.spec, today());
      await client.update(Lease, { ...withoutManagers(current), spec }, { signal });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      if (!isConflict(error) || attempt === RELEASE_TRIES) throw error;
      current = undefined;
    }
  }
}

type Spec = NonNullable<Lease['spec']>;

/**
 * Returns the spec that a holder writes to the Lease. Acquiring the lease counts as a transition, keeping it does not. Fields of other
 * writers, such as `strategy`, are kept.
 */
export function heldBy(identity: string, leaseDuration: number, before: Spec | undefined, now: Date): Spec {
  const renewTime = microTime(now);
  const keeps = before?.holderIdentity === identity;
  return {
    ...before,
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(leaseDuration / 1000),
    acquireTime: (keeps ? before.acquireTime : undefined) ?? renewTime,
    renewTime,
    leaseTransitions: before === undefined ? 0 : (before.leaseTransitions ?? 0) + (keeps ? 0 : 1),
  };
}

/**
 * Returns the spec with which the holder releases the lease. The lease is free immediately; a reader that still considers it held needs to
 * wait only one second.
 */
function released(before: Spec, now: Date): Spec {
  const time = microTime(now);
  return { ...before, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time };
}

/** Returns the Lease for an update, without managedFields, which the server maintains. */
export function withoutManagers({ metadata, ...rest }: Lease): Lease {
  const { managedFields: _, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

/**
 * A Lease as this process has observed it, with the time of its last observed change. Its validity is derived from the local time since
 * that change, because the times in the Lease are those of another machine, whose clock may be wrong by hours.
 */
export class ObservedLease {
  readonly #clock: Clock;
  readonly #fallback: number;
  #spec: Spec | undefined;
  #changed = -Infinity;

  /** @param fallback milliseconds of validity, for a Lease without `leaseDurationSeconds` */
  constructor(clock: Clock, fallback: number) {
    this.#clock = clock;
    this.#fallback = fallback;
  }

  /** The holder in the Lease as last observed; empty if the lease was free, or the Lease has not been observed. */
  get holder(): string {
    return this.#spec?.holderIdentity ?? '';
  }

  /** Milliseconds for which the lease is still valid; negative if it has expired. */
  get validFor(): number {
    if (this.holder === '') return -Infinity;
    const seconds = this.#spec?.leaseDurationSeconds;
    const duration = seconds === undefined ? this.#fallback : seconds * 1000;
    return this.#changed + duration - this.#clock.now();
  }

  /** Records an observation of the Lease. Ignores its metadata, because an added label does not renew the lease. */
  see({ spec = {} }: Lease): void {
    if (this.#spec !== undefined && isDeepStrictEqual(this.#spec, spec)) return;
    this.#spec = spec;
    this.#changed = this.#clock.now();
  }
}

/** Returns an error that explains why the API server permanently refuses the Lease; returns undefined for any other failure. */
export function refusedLease(error: unknown, { id, namespace }: ElectionSettings): OpSdkError | undefined {
  if (!(error instanceof ApiError)) return undefined;
  // Reading a missing Lease does not fail. So a 404 comes from the creation of the Lease, and means that its namespace is missing.
  const isNamespaceMissing = isNotFound(error);
  const isInvalid = error.status === 400 || error.status === 422;
  if (!isForbidden(error) && !isNamespaceMissing && !isInvalid) return undefined;
  return new OpSdkError(
    {
      code: 'runtime/election-refused',
      message: `leader election: ${error.summary}`,
      where: { object: `Lease ${namespace}/${id}` },
      fix: isNamespaceMissing
        ? [
            `create the namespace ${namespace}, or name another one: POD_NAMESPACE, or leaderElection.namespace`,
          ]
        : isInvalid
          ? ['read the message: the API server does not accept such a Lease']
          : [
              `bind a Role with this rule to the operator's account in namespace ${namespace}: ${JSON.stringify(rule)}`,
              `in a scaffolded project, config/rbac/leader_election_role.yaml has this rule: let its resourceNames be ${id}, and deploy config/rbac`,
            ],
    },
    { cause: error },
  );
}

const rule = {
  apiGroups: ['coordination.k8s.io'],
  resources: ['leases'],
  verbs: ['get', 'create', 'update'],
};

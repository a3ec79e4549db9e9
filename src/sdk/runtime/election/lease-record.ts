import { isDeepStrictEqual } from 'node:util';
import type { Lease } from '../../k8s/generated/coordination/v1.ts';
import type { Clock } from '../../net/index.ts';
import { microTime } from '../events/index.ts';

type Spec = NonNullable<Lease['spec']>;

/** Returns the record that a holder writes: taking the lease counts as a transition, keeping it does not. Fields that belong to others, such as `strategy`, stay. */
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

/** Returns the record by which the holder releases the lease: it is free at once, and whoever reads it as held need wait a second only. */
export function released(before: Spec, now: Date): Spec {
  const time = microTime(now);
  return { ...before, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time };
}

/** For an update: the server keeps its own notes of who owns which field. */
export function withoutManagers({ metadata, ...rest }: Lease): Lease {
  const { managedFields: _, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

/**
 * A Lease as this process has seen it, and when. Whether it is still valid is judged by how long ago it changed as seen from
 * here: the times in it are those of another machine, whose clock may be wrong by hours.
 */
export class ObservedLease {
  readonly #clock: Clock;
  readonly #fallback: number;
  #spec: Spec | undefined;
  #changed = -Infinity;

  /** @param fallback milliseconds for a record that does not say how long it is valid */
  constructor(clock: Clock, fallback: number) {
    this.#clock = clock;
    this.#fallback = fallback;
  }

  /** The last holder; empty if the lease was free or has not been seen. */
  get holder(): string {
    return this.#spec?.holderIdentity ?? '';
  }

  /** Milliseconds that the lease is still valid; negative if it is not. */
  get validFor(): number {
    if (this.holder === '') return -Infinity;
    const seconds = this.#spec?.leaseDurationSeconds;
    const duration = seconds === undefined ? this.#fallback : seconds * 1000;
    return this.#changed + duration - this.#clock.now();
  }

  /** Metadata does not count: a label that somebody adds renews nothing. */
  see({ spec = {} }: Lease): void {
    if (this.#spec !== undefined && isDeepStrictEqual(this.#spec, spec)) return;
    this.#spec = spec;
    this.#changed = this.#clock.now();
  }
}

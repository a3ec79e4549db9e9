import { Lease } from '../../k8s/generated/coordination/v1.ts';
import { isConflict, isNotFound } from '../../kube/index.ts';
import type { Client } from '../../kube/types.ts';
import { released, withoutManagers } from './lease-record.ts';

/** Number of tries of a release. */
const RELEASE_TRIES = 5;

export interface ReleaseOptions {
  readonly client: Pick<Client, 'find' | 'update'>;
  readonly key: { readonly name: string; readonly namespace: string };
  readonly identity: string;
  /** The Lease as far as it is known. */
  readonly lease: Lease | undefined;
  readonly today: () => Date;
  readonly signal: AbortSignal;
}

/**
 * Gives a lease up, if it is held; again after a conflict.
 *
 * @returns false if it was not held any more
 * @throws what the client throws
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

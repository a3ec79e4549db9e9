import type { AuditEvent } from '../../src/testing/index.ts';

/** A write of a replica at a time when another one had already become the leader. */
export interface StrayWrite {
  readonly user: string;
  readonly at: string;
  readonly what: string;
  /** Who led then, and since when. */
  readonly leader: string;
  readonly since: string;
}

const reads: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/**
 * Looks in an audit log for writes of a replica that the API server received after it had received the first update of the Lease by another one.
 * Every replica is a user of its own. Needs the stage `ResponseComplete` with the bodies of requests for Leases, any stage for other writes.
 */
export function strayWrites(events: readonly AuditEvent[], replicas: ReadonlySet<string>): StrayWrite[] {
  const ordered = events
    .filter(({ user, verb }) => replicas.has(user.username) && !reads.has(verb))
    .sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
  const stray = new Map<string, StrayWrite>();
  let leader: { readonly user: string; readonly since: string } | undefined;
  for (const event of ordered) {
    const { user, verb, requestURI, auditID } = event;
    const at = timeOf(event);
    if (event.objectRef?.resource === 'leases') {
      if (takesOver(event) && leader?.user !== user.username) leader = { user: user.username, since: at };
    } else if (leader !== undefined && leader.user !== user.username) {
      const { user: other, since } = leader;
      stray.set(auditID, { user: user.username, at, what: `${verb} ${requestURI}`, leader: other, since });
    }
  }
  return [...stray.values()];
}

/** Whether a request for a Lease was done, and left its sender as the holder. */
function takesOver({ stage, responseStatus, requestObject }: AuditEvent): boolean {
  const code = responseStatus?.code ?? 0;
  if (stage !== 'ResponseComplete' || code < 200 || code > 299) return false;
  const { spec } = (requestObject ?? {}) as { readonly spec?: { readonly holderIdentity?: string } };
  return (spec?.holderIdentity ?? '') !== '';
}

function timeOf({ requestReceivedTimestamp }: AuditEvent): string {
  return requestReceivedTimestamp;
}

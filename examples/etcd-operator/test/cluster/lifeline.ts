import type { InterceptMatch, TestApi } from 'opsdk/testing';
import type { EtcdApi, Members } from '../../src/etcd/etcd-api.ts';

const writingVerbs: readonly InterceptMatch['verb'][] = [
  ...(['create', 'update', 'patch', 'apply', 'delete', 'deletecollection'] as const),
];

/** Beginning of the error of all that a killed operator does. */
export const killed = 'the operator was killed';

/** Kills the operator before one of its writes, to Kubernetes or to etcd: from then on nothing that it sends arrives. */
export class Lifeline {
  readonly #killAt: number;
  #isDead = false;
  /** Writes so far, without names: `apply EtcdCluster status`, `member add`. */
  readonly writes: string[] = [];
  /** The write before which the operator was killed; undefined if it lives. */
  killedAt: string | undefined;

  /** @param killAt number of the write that does not arrive, from 0 */
  constructor(killAt: number) {
    this.#killAt = killAt;
  }

  /** Starts another operator. */
  revive(): void {
    this.#isDead = false;
  }

  /** Follows all writes of the controllers of a test API, but Events: nothing depends on these. */
  follow(api: TestApi): void {
    for (const verb of writingVerbs)
      api.intercept({ verb, times: Number.MAX_SAFE_INTEGER }, ({ resource, subresource }) => {
        if (resource.kind === 'Event') return;
        this.#write([verb, resource.kind, subresource].filter(Boolean).join(' '));
      });
  }

  /** Returns an etcd whose changes are followed. */
  through(etcd: EtcdApi): EtcdApi {
    return {
      report: (endpoint, connection) => etcd.report(endpoint, connection),
      members: (endpoints, connection) => this.#throughMembers(etcd.members(endpoints, connection)),
    };
  }

  #throughMembers(members: Members): Members {
    return {
      list: () => members.list(),
      listLocally: () => members.listLocally(),
      alarms: () => members.alarms(),
      add: async (url) => (this.#write('member add'), members.add(url)),
      promote: async (member) => (this.#write('member promote'), members.promote(member)),
      remove: async (member) => (this.#write('member remove'), members.remove(member)),
    };
  }

  #write(what: string): void {
    if (!this.#isDead && this.writes.push(what) !== this.#killAt + 1) return;
    if (!this.#isDead) this.killedAt = what;
    this.#isDead = true;
    throw new Error(`${killed} before ${what}`);
  }
}

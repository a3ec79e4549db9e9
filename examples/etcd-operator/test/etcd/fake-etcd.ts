import {
  EtcdRefusalError,
  EtcdUnreachableError,
  type Alarm,
  type Endpoint,
  type EtcdApi,
  type Member,
  type MemberReport,
  type Members,
} from '../../src/etcd/etcd-api.ts';

/** An etcd of the test: its members, and what it refuses. Members answer once they have been started. */
export class FakeEtcd implements EtcdApi {
  known: Member[] = [];
  /** Hosts of the members that do not answer. */
  readonly silent = new Set<string>();
  /** Members whose reports differ. */
  readonly reports = new Map<string, Partial<MemberReport>>();
  /** Refusal of all changes. */
  refusal: Error | undefined;
  /** Error with which the members answer when they are listed. */
  listError: Error | undefined;
  /** Members as one of them has them, which is behind the others. Undefined: they agree. */
  local: readonly Member[] | undefined;
  raised: Alarm[] = [];
  /** Version that members run which are started. */
  version = '3.6.8';
  /** Names and URLs of the members that were removed. */
  readonly removed: string[] = [];
  readonly promoted: string[] = [];
  #ids = 0;

  /** Lets the member of a Pod start: the first one forms the cluster, others must have been added. */
  start(name: string, url: string, version = this.version): void {
    const added = this.known.find(({ peerURLs }) => peerURLs.includes(url));
    if (added === undefined && this.known.length > 0) throw new Error(`${name} was not added`);
    const started = { ...added, ID: added?.ID ?? this.#id(), name, peerURLs: [url] };
    this.known = [...this.known.filter((member) => member !== added), started];
    this.silent.delete(name);
    this.reports.set(name, { ...this.reports.get(name), version });
  }

  get names(): readonly string[] {
    return this.known.map(({ name }) => name ?? '').sort();
  }

  report({ serverName }: Endpoint): Promise<MemberReport | undefined> {
    const [name = ''] = serverName.split('.');
    const member = this.known.find((each) => each.name === name);
    if (member === undefined || this.silent.has(name)) return Promise.resolve(undefined);
    return Promise.resolve({
      memberID: member.ID,
      leader: this.known[0]?.ID ?? '0',
      version: this.version,
      isLearner: member.isLearner ?? false,
      isHealthy: this.#hasQuorum,
      dbSize: 0,
      dbSizeInUse: 0,
      ...this.reports.get(name),
    });
  }

  members(endpoints: readonly Endpoint[]): Members {
    const ask = async <T>(answer: () => T): Promise<T> => {
      if (endpoints.length === 0) throw new EtcdUnreachableError([], 'nobody answers');
      return answer();
    };
    const change = (apply: () => void): Promise<void> =>
      ask(() => {
        if (this.refusal !== undefined) throw this.refusal;
        if (!this.#hasQuorum) throw new EtcdRefusalError('no leader', 14);
        apply();
      });
    const list = () =>
      ask(() => {
        if (this.listError !== undefined) throw this.listError;
        return [...this.known];
      });
    return {
      list: () => (this.local === undefined ? list() : Promise.reject(new EtcdRefusalError('no leader', 14))),
      listLocally: async () => this.local ?? list(),
      alarms: () => ask(() => [...this.raised]),
      add: (peerURL) =>
        change(() => void this.known.push({ ID: this.#id(), peerURLs: [peerURL], isLearner: true })),
      promote: ({ ID }) =>
        change(() => {
          this.known = this.known.map((member) => {
            if (member.ID !== ID) return member;
            this.promoted.push(member.name ?? '');
            return { ...member, isLearner: false };
          });
        }),
      remove: ({ ID, name, peerURLs }) =>
        change(() => {
          this.removed.push(name || peerURLs.join());
          this.known = this.known.filter((member) => member.ID !== ID);
        }),
    };
  }

  get #hasQuorum(): boolean {
    const voters = this.known.filter(({ isLearner }) => isLearner !== true);
    const alive = voters.filter(({ name = '' }) => name !== '' && !this.silent.has(name));
    return alive.length > voters.length / 2;
  }

  #id(): string {
    return String(++this.#ids);
  }
}

import type { EtcdApi, Member } from '../../src/etcd/member-api.ts';

/** An etcd of the test: its members, and what it refuses. */
export class FakeEtcd implements EtcdApi {
  known: Member[] = [];
  /** Endpoints whose members do not answer. */
  readonly unhealthy = new Set<string>();
  /** Refusal of all changes, such as that of a cluster without a quorum. */
  refusal: Error | undefined;
  /** Error with which the members answer when they are listed. */
  listError: Error | undefined;
  /** Endpoints by which members were removed. */
  removedBy: readonly string[] = [];
  #ids = 0;

  /** Lets the member start that was added last, or a new one, under the name of its Pod. */
  start(name: string): void {
    const url = `http://${name}.example.default.svc:2380`;
    const added = this.known.find(({ peerURLs }) => peerURLs.includes(url));
    this.known = [
      ...this.known.filter((member) => member !== added),
      { ID: added?.ID ?? String(++this.#ids), name, peerURLs: [url] },
    ];
  }

  isHealthy(endpoint: string): Promise<boolean> {
    return Promise.resolve(!this.unhealthy.has(endpoint));
  }

  members(endpoints: readonly string[]) {
    const change = async (apply: () => void): Promise<void> => {
      if (this.refusal !== undefined) throw this.refusal;
      apply();
    };
    return {
      list: async () => {
        if (this.listError !== undefined) throw this.listError;
        return endpoints.length === 0 ? [] : [...this.known];
      },
      add: (peerURL: string) =>
        change(() => void this.known.push({ ID: String(++this.#ids), peerURLs: [peerURL] })),
      remove: ({ ID }: Member) =>
        change(() => {
          this.removedBy = endpoints;
          this.known = this.known.filter((member) => member.ID !== ID);
        }),
    };
  }
}

/** A member as etcd knows it. */
export interface Member {
  readonly ID: string;
  /** Empty until the member has started. */
  readonly name?: string;
  readonly peerURLs: readonly string[];
}

/** Members of one cluster. */
export interface Members {
  /** Lists the members; none while nobody answers. @throws if an answer is an error */
  list(): Promise<readonly Member[]>;
  add(peerURL: string): Promise<void>;
  remove(member: Member): Promise<void>;
}

/** The part of etcd's API that the operator needs. Tests give one of their own. */
export interface EtcdApi {
  /** Returns true if the member answers, and has a quorum. */
  isHealthy(endpoint: string, signal: AbortSignal): Promise<boolean>;
  /** Returns the members of a cluster, whose endpoints are tried one after the other. */
  members(endpoints: readonly string[], signal: AbortSignal): Members;
}

/** Error of a call that no endpoint has answered. */
class UnreachableError extends AggregateError {}

/** Calls the member API of a cluster through its JSON gateway: the first endpoint that answers counts. */
class MemberApi implements Members {
  readonly #endpoints: readonly string[];
  readonly #signal: AbortSignal;

  constructor(endpoints: readonly string[], signal: AbortSignal) {
    this.#endpoints = endpoints;
    this.#signal = signal;
  }

  /** Lists the members. One that was added counts before it runs, so the list is also read without a quorum. */
  async list(): Promise<readonly Member[]> {
    try {
      const { members } = await this.#call<{ readonly members: readonly Member[] }>('list', {
        linearizable: false,
      });
      return members;
    } catch (error) {
      if (error instanceof UnreachableError) return [];
      throw error;
    }
  }

  async add(peerURL: string): Promise<void> {
    await this.#call('add', { peerURLs: [peerURL] });
  }

  async remove({ ID }: Member): Promise<void> {
    await this.#call('remove', { ID });
  }

  async #call<T>(verb: string, body: object): Promise<T> {
    const errors: unknown[] = [];
    let isAnswered = false;
    for (const endpoint of this.#endpoints) {
      try {
        const response = await fetch(`${endpoint}/v3/cluster/member/${verb}`, {
          method: 'POST',
          body: JSON.stringify(body),
          signal: AbortSignal.any([this.#signal, AbortSignal.timeout(5000)]),
        });
        isAnswered = true;
        if (response.ok) return (await response.json()) as T;
        errors.push(new Error(`${endpoint}: ${response.status} ${await response.text()}`));
      } catch (error) {
        this.#signal.throwIfAborted();
        errors.push(error);
      }
    }
    const Failure = isAnswered ? AggregateError : UnreachableError;
    throw new Failure(errors, `member ${verb} failed: ${errors.map(String).join('; ') || 'no member runs'}`);
  }
}

async function isHealthy(endpoint: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`${endpoint}/health`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(2000)]),
    });
    return ((await response.json()) as { readonly health?: string }).health === 'true';
  } catch {
    return false;
  }
}

/** Calls members of etcd by HTTP. */
export const httpEtcd: EtcdApi = {
  isHealthy,
  members: (endpoints, signal) => new MemberApi(endpoints, signal),
};

import { RespClient } from '../../../../examples/redis-operator/src/redis/resp-client.ts';

/** Milliseconds that a write waits for a replica. */
const replicaTimeout = 1000;
/** Milliseconds for an answer. */
const answerTimeout = 3000;
/** Redirections that a command follows. */
const redirections = 5;

/** A client of a Redis cluster with one write on its way, which counts once a replica has it. */
export class RedisWriter {
  readonly #hosts: () => readonly string[];
  readonly #password: string | undefined;
  readonly #connections = new Map<string, RespClient>();
  /** Node to ask first: the one that has answered last. */
  #host = '';
  #tries = 0;

  /** @param hosts addresses of the nodes to begin with */
  constructor(hosts: () => readonly string[], password: string | undefined) {
    this.#hosts = hosts;
    this.#password = password;
  }

  /** Writes a key. @throws Error unless a replica has it, too */
  readonly put = async (key: string, value: string): Promise<void> => {
    const replicas = await this.#follow(async (client, isAsked) => {
      if (isAsked) await client.call('ASKING');
      // WAIT is about the writes of its own connection: the one that comes after a lost one knows of none.
      const [, count] = await Promise.all([
        client.call('SET', key, value),
        client.call('WAIT', 1, replicaTimeout),
      ]);
      return Number(count);
    });
    if (replicas < 1) throw new Error('no replica has it');
  };

  /** Reads a key. */
  get(key: string): Promise<string | undefined> {
    return this.#follow(async (client, isAsked) => {
      if (isAsked) await client.call('ASKING');
      const value = await client.call('GET', key);
      return typeof value === 'string' ? value : undefined;
    });
  }

  close(): void {
    for (const client of this.#connections.values()) client.close();
    this.#connections.clear();
  }

  /** Sends a command to the node that has its slot. */
  async #follow<T>(send: (client: RespClient, isAsked: boolean) => Promise<T>): Promise<T> {
    let isAsked = false;
    for (let tries = 0; ; tries++) {
      const host = this.#next();
      try {
        return await this.#inTime(host, send(this.#connect(host), isAsked));
      } catch (error) {
        const [, redirection, , to] = /(MOVED|ASK) (\d+) (\S+):\d+/.exec(String(error)) ?? [];
        if (to !== undefined && tries < redirections) {
          this.#host = to;
          isAsked = redirection === 'ASK';
          continue;
        }
        this.#drop(host);
        throw error;
      }
    }
  }

  #next(): string {
    const hosts = this.#hosts();
    if (this.#host === '') this.#host = hosts[this.#tries++ % hosts.length] ?? '';
    return this.#host;
  }

  #connect(host: string): RespClient {
    const known = this.#connections.get(host);
    if (known?.isOpen === true) return known;
    const client = new RespClient({ host, port: 6379, password: this.#password });
    this.#connections.set(host, client);
    return client;
  }

  #drop(host: string): void {
    this.#connections.get(host)?.close();
    this.#connections.delete(host);
    this.#host = '';
  }

  async #inTime<T>(host: string, answer: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`${host} does not answer`));
        this.#drop(host);
      }, answerTimeout);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

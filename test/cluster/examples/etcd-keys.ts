import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { Secret, Service } from '../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';

const encode = (text: string): string => Buffer.from(text).toString('base64');
const decode = (text: string): string => Buffer.from(text, 'base64').toString();

/** Milliseconds for an answer. */
const patience = 5000;

/** Keys of a cluster of etcd, by its Service for clients and with the certificate that its operator has for them. */
export class EtcdKeys {
  readonly #url: string;
  readonly #tls: object;

  private constructor(url: string, tls: object) {
    this.#url = url;
    this.#tls = tls;
  }

  static async of(client: KubeClient, namespace: string, cluster: string): Promise<EtcdKeys> {
    const service = await client.get(Service, { name: `${cluster}-client`, namespace });
    const secret = await client.find(Secret, { name: `${cluster}-client-tls`, namespace });
    const host = `${service.spec?.clusterIP}:2379`;
    if (secret === undefined) return new EtcdKeys(`http://${host}`, {});
    const text = (key: string): string => decode(secret.data?.[key] ?? '');
    return new EtcdKeys(`https://${host}`, {
      ...{ ca: text('ca.crt'), cert: text('tls.crt'), key: text('tls.key') },
      // The name that clients in Pods have for the address.
      servername: `${cluster}-client.${namespace}.svc`,
    });
  }

  /** Writes a key. Resolves once etcd has acknowledged it. */
  async put(key: string, value = key): Promise<void> {
    await this.#call('put', { key: encode(key), value: encode(value) });
  }

  /** Returns all keys that begin with a text, or all keys, in their order. */
  async list(prefix = ''): Promise<readonly string[]> {
    const { kvs = [] } = await this.#call<{ readonly kvs?: readonly { readonly key: string }[] }>('range', {
      // No key is empty.
      key: encode(prefix === '' ? '\0' : prefix),
      // Larger than all of them.
      range_end: encode(`${prefix}\u{10FFFF}`),
      keys_only: true,
    });
    return kvs.map(({ key }) => decode(key)).sort();
  }

  #call<T>(verb: 'put' | 'range', body: object): Promise<T> {
    const request = this.#url.startsWith('https:') ? requestSecure : requestPlain;
    return new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(patience);
      // A connection of its own goes to another member each time.
      const options = { ...this.#tls, method: 'POST', agent: false, signal } as const;
      const sent = request(`${this.#url}/v3/kv/${verb}`, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('error', reject).on('end', () => {
          if (response.statusCode === 200) resolve(JSON.parse(text) as T);
          else reject(new Error(`${verb}: ${response.statusCode} ${text}`));
        });
      });
      sent.on('error', reject);
      sent.end(JSON.stringify(body));
    });
  }
}

/** Client that writes one key after the other, whatever happens to the cluster, and remembers what was acknowledged. */
export class EtcdWriter {
  readonly #keys: EtcdKeys;
  readonly #acknowledged: string[] = [];
  readonly #over: Promise<void>;
  #isWanted = true;

  constructor(keys: EtcdKeys, prefix: string) {
    this.#keys = keys;
    this.#over = this.#write(prefix);
  }

  async #write(prefix: string): Promise<void> {
    for (let index = 0; this.#isWanted; index++) {
      const key = `${prefix}${String(index).padStart(6, '0')}`;
      try {
        await this.#keys.put(key);
        this.#acknowledged.push(key);
      } catch {
        // Nobody has promised anything about this one.
      }
      await pause(50);
    }
  }

  get count(): number {
    return this.#acknowledged.length;
  }

  /** Ends it. @returns the keys that etcd has acknowledged */
  async stop(): Promise<readonly string[]> {
    this.#isWanted = false;
    await this.#over;
    return this.#acknowledged;
  }
}

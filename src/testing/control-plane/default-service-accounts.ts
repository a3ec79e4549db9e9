import { request } from 'node:https';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiRequest, type ApiEndpoint } from '../http/api-request.ts';

interface Namespace {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
}
interface NamespaceList {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly Namespace[];
}
interface NamespaceEvent {
  readonly type: string;
  readonly object: Namespace;
}

/** Milliseconds until namespaces are listed again, after an API server that did not answer. */
const pause = 200;

/**
 * Creates the ServiceAccount `default` of each namespace, as kube-controller-manager does: without it the API server refuses
 * every Pod. Namespaces that are created later get theirs within moments, which the admission of a Pod waits for.
 */
export class DefaultServiceAccounts {
  readonly #endpoint: ApiEndpoint;
  readonly #stop = new AbortController();

  constructor(endpoint: ApiEndpoint) {
    this.#endpoint = endpoint;
  }

  /** Resolves when each present namespace has its ServiceAccount. */
  async start(): Promise<void> {
    const version = await this.#createAll();
    void this.#follow(version);
  }

  stop(): void {
    this.#stop.abort();
  }

  async #follow(version: string): Promise<void> {
    const { signal } = this.#stop;
    for (let since: string | undefined = version; !signal.aborted;) {
      // The API server comes and goes: a test may kill it.
      since = await (since === undefined ? this.#createAll() : this.#watch(since)).catch(() => undefined);
      if (since === undefined) await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** @returns the version of the list. @throws Error if the API server does not answer */
  async #createAll(): Promise<string> {
    const answer = await apiRequest(this.#endpoint, { path: '/api/v1/namespaces' });
    if (answer.status !== 200) throw new Error(`namespaces: HTTP status ${answer.status}`);
    const { items, metadata } = answer.json() as NamespaceList;
    await Promise.all(items.map((namespace) => this.#create(namespace)));
    return metadata.resourceVersion;
  }

  async #create({ metadata: { name, deletionTimestamp } }: Namespace): Promise<void> {
    if (deletionTimestamp !== undefined) return;
    const path = `/api/v1/namespaces/${name}/serviceaccounts`;
    const body = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
    // One that exists, or whose namespace is gone, is as it should be.
    await apiRequest(this.#endpoint, { method: 'POST', path, body });
  }

  /** Resolves with nothing when the watch ends. */
  #watch(since: string): Promise<undefined> {
    const { url, caCertificate: ca, credentials } = this.#endpoint;
    const path = `/api/v1/namespaces?watch=true&resourceVersion=${since}`;
    const { certificate: cert, key } = credentials;
    const { signal } = this.#stop;
    return new Promise((resolve, reject) => {
      const watch = request(new URL(path, url), { ca, cert, key, agent: false, signal }, (response) => {
        response.on('error', reject);
        const lines = createInterface({ input: response });
        lines.on('line', (line) => {
          const { type, object } = JSON.parse(line) as NamespaceEvent;
          if (type === 'ADDED') this.#create(object).catch(() => watch.destroy());
          // Too old, or the server's fault: the list tells.
          if (type === 'ERROR') watch.destroy();
        });
        lines.on('error', reject);
        lines.on('close', () => resolve(undefined));
      });
      watch.on('error', reject);
      // The process may end while it is open.
      watch.on('socket', (socket) => socket.unref());
      watch.end();
    });
  }
}

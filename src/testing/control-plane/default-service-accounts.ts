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

/** Delay in milliseconds before namespaces are listed again after the API server did not answer. */
const pause = 200;

/**
 * Creates the ServiceAccount `default` of each namespace, as kube-controller-manager does, because without it the API server refuses every
 * Pod. A namespace that is created later gets its ServiceAccount within moments; the admission of a Pod waits for it.
 */
export class DefaultServiceAccounts {
  readonly #endpoint: ApiEndpoint;
  readonly #stop = new AbortController();

  constructor(endpoint: ApiEndpoint) {
    this.#endpoint = endpoint;
  }

  /** Resolves when each existing namespace has its ServiceAccount. Afterwards, new namespaces also get one. */
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
      // Errors are ignored and the loop continues, because tests may kill and restart the API server.
      since = await (since === undefined ? this.#createAll() : this.#watch(since)).catch(() => undefined);
      if (since === undefined) await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /**
   * Creates the ServiceAccount `default` in every existing namespace.
   * @returns the resourceVersion of the list of namespaces
   * @throws Error if the API server does not answer
   */
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
    // The response status is ignored, because the ServiceAccount may already exist, or the namespace may have been deleted.
    await apiRequest(this.#endpoint, { method: 'POST', path, body });
  }

  /** Watches namespaces from a resourceVersion. Resolves with undefined when the watch ends. */
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
          // The resourceVersion is too old or the server failed. In either case, end the watch so that namespaces are listed again.
          if (type === 'ERROR') watch.destroy();
        });
        lines.on('error', reject);
        lines.on('close', () => resolve(undefined));
      });
      watch.on('error', reject);
      // An open watch must not keep the process alive.
      watch.on('socket', (socket) => socket.unref());
      watch.end();
    });
  }
}

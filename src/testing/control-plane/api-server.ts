import { setTimeout as sleep } from 'node:timers/promises';
import { apiRequest, type ApiEndpoint } from '../http/api-request.ts';
import type { GuardedProcess } from '../../base/process/guardian.ts';
import { PortTaken, startComponent, type ComponentHost } from './component.ts';

/** The kube-apiserver of one control plane; it can be killed and restarted. */
export class ApiServer {
  readonly #host: ComponentHost;
  readonly #flags: readonly string[];
  readonly #endpoint: ApiEndpoint;
  #process: GuardedProcess | undefined;

  constructor(host: ComponentHost, flags: readonly string[], endpoint: ApiEndpoint) {
    this.#host = host;
    this.#flags = flags;
    this.#endpoint = endpoint;
  }

  get isRunning(): boolean {
    return this.#process !== undefined && this.#process.exit === undefined;
  }

  /** Resolves when `/readyz` says so and the `default` namespace is there. */
  async start(): Promise<void> {
    await this.#start(this.#host);
  }

  async #start(host: ComponentHost): Promise<void> {
    this.#process = await startComponent(host, 'kube-apiserver', this.#flags, async () => {
      const ready = await apiRequest(this.#endpoint, { path: '/readyz' });
      if (ready.status !== 200) return false;
      const namespace = await apiRequest(this.#endpoint, { path: '/api/v1/namespaces/default' });
      return namespace.status === 200;
    });
  }

  /** The signals that end a process are waited for. */
  async signal(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const running = this.#process;
    if (running === undefined) return;
    const ends = signal === 'SIGKILL' || signal === 'SIGTERM';
    if (ends) this.#host.ending.expect(running);
    running.kill(signal);
    if (ends) await running.exited;
  }

  /** Same flags, so same port: if somebody has taken it in the meantime, we wait for it rather than move. */
  async restart(): Promise<void> {
    await this.signal('SIGKILL');
    // The signal was about the first start only.
    const host = { ...this.#host, signal: undefined };
    const deadline = performance.now() + host.startTimeout;
    for (;;) {
      try {
        return await this.#start(host);
      } catch (error) {
        if (!(error instanceof PortTaken) || performance.now() > deadline) throw error;
        await sleep(200);
      }
    }
  }
}

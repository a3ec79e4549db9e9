import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../../../src/testing/index.ts';

const everyMs = 200;
const burst = 40;
/** A busy machine answers fewer than are asked: more are not added then. */
const mostRunning = 200;

/** Requests through the API server at about 200 a second, until it is stopped, and the connections that it opens for them to a webhook of this process. */
export class SteadyLoad implements AsyncDisposable {
  readonly failures: unknown[] = [];
  #answered = 0;
  #connections = 0;
  #running = 0;
  #isStopped = false;
  readonly #port: number;
  readonly #ended: Promise<void>;

  /** @param port of the webhook */
  constructor(port: number, ask: () => Promise<unknown>) {
    this.#port = port;
    subscribe('net.server.socket', this.#onConnection);
    this.#ended = this.#run(ask);
  }

  /** Waits until so many more are answered, and new connections are opened: their client has believed the certificate that is shown now. */
  async more(answers: number, connections: number): Promise<void> {
    const wanted = [this.#answered + answers, this.#connections + connections] as const;
    await eventually(() => this.#answered >= wanted[0] && this.#connections >= wanted[1], {
      timeout: 90_000,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    await this.#ended;
    unsubscribe('net.server.socket', this.#onConnection);
  }

  // The API server keeps 25 idle connections: a burst of more has it open new ones, which it closes afterwards.
  async #run(ask: () => Promise<unknown>): Promise<void> {
    const asked: Promise<void>[] = [];
    while (!this.#isStopped) {
      for (let each = 0; each < burst && this.#running < mostRunning; each += 1) asked.push(this.#ask(ask));
      await sleep(everyMs);
    }
    await Promise.all(asked);
  }

  async #ask(ask: () => Promise<unknown>): Promise<void> {
    this.#running += 1;
    try {
      await ask();
      this.#answered += 1;
    } catch (error) {
      this.failures.push(error);
    } finally {
      this.#running -= 1;
    }
  }

  readonly #onConnection = (message: unknown): void => {
    if ((message as { readonly socket: Socket }).socket.localPort === this.#port) this.#connections += 1;
  };
}

/** Longest time for which the API server waits for a webhook, milliseconds. Source: admissionregistration.k8s.io/v1 `timeoutSeconds`. */
const LONGEST_MS = 30_000;

/** The time that a request has. Its signal is made only for those who use it. */
export class RequestScope {
  readonly #began = performance.now();
  readonly #milliseconds: number;
  readonly #stop: AbortSignal;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #gone: Error | undefined;

  /**
   * @param query that of the URL: the API server adds `timeout=10s`
   * @param stop ends all requests
   */
  constructor(query: string, stop: AbortSignal) {
    const seconds = Number(/(?:^|&)timeout=(\d{1,3})s(?:&|$)/.exec(query)?.[1] ?? NaN);
    this.#milliseconds = seconds > 0 ? Math.min(seconds * 1000, LONGEST_MS) : LONGEST_MS;
    this.#stop = stop;
  }

  /** Since the request has come. */
  get milliseconds(): number {
    return performance.now() - this.#began;
  }

  readonly signal = (): AbortSignal => {
    if (this.#controller !== undefined) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    if (this.#gone !== undefined) controller.abort(this.#gone);
    else if (this.#stop.aborted) controller.abort(this.#stop.reason);
    else {
      this.#stop.addEventListener('abort', this.#onStop, { once: true });
      this.#timer = setTimeout(
        () => this.leave(`the API server waits no longer than ${this.#milliseconds / 1000} s`),
        this.#milliseconds - this.milliseconds,
      );
      this.#timer.unref();
    }
    return controller.signal;
  };

  /** Nobody waits for the answer any more. */
  leave(reason: string): void {
    this.#gone ??= new Error(reason);
    this.end();
    this.#controller?.abort(this.#gone);
  }

  /** The request is answered. */
  end(): void {
    clearTimeout(this.#timer);
    this.#stop.removeEventListener('abort', this.#onStop);
  }

  readonly #onStop = (): void => {
    this.end();
    this.#controller?.abort(this.#stop.reason);
  };
}

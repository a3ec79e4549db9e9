import type { GuardedProcess } from '../../base/process/guardian.ts';

/** Notices when a part of a control plane ends without having been asked to. */
export class Ending {
  /** Resolves with the reason; never settles if every end was requested. */
  readonly ended: Promise<string>;
  readonly #expected = new WeakSet<GuardedProcess>();
  #resolve: (reason: string) => void = () => undefined;
  #stopping = false;

  constructor() {
    this.ended = new Promise((resolve) => (this.#resolve = resolve));
  }

  watch(name: string, started: GuardedProcess): void {
    void started.exited.then(({ code, signal }) => {
      if (this.#stopping || this.#expected.has(started)) return;
      this.#resolve(`${name} ended (${signal ?? `exit code ${code}`})`);
    });
  }

  /** The end of this process is wanted. */
  expect(started: GuardedProcess): void {
    this.#expected.add(started);
  }

  /** From now on every end is wanted. */
  expectAll(): void {
    this.#stopping = true;
  }
}

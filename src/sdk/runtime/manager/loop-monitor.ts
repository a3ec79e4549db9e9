import type { Logger } from '../create-logger.ts';
import { durationText } from '../../../base/util/duration-text.ts';

const INTERVAL_MS = 500;
const TOO_LATE_MS = 1000;

interface LoopMonitorOptions {
  readonly log: Logger;
  /** Returns descriptions of the work that ran at a time. */
  runningAt(time: number): readonly string[];
  /** Milliseconds of the clock that the runs use. */
  now(): number;
}

/**
 * Detects that the event loop was blocked, so that no other work ran, no probe was answered and no watch was read. Logs the work that was
 * running when the block began; this is only possible afterwards.
 */
export class LoopMonitor {
  readonly #options: LoopMonitorOptions;
  #due = Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LoopMonitorOptions) {
    this.#options = options;
  }

  start(): void {
    this.#due = this.#options.now() + INTERVAL_MS;
    this.#timer = setInterval(() => this.check(), INTERVAL_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Called every half second, unless the event loop is blocked. */
  check(): void {
    const due = this.#due;
    const time = this.#options.now();
    this.#due = time + INTERVAL_MS;
    if (time - due <= TOO_LATE_MS) return;
    const running = this.#options.runningAt(due);
    this.#options.log.warn({ blocked: durationText(time - due), running }, 'Event loop was blocked');
  }
}

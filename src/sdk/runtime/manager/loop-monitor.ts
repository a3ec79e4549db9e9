import type { Logger } from '../create-logger.ts';
import { durationText } from '../../../base/util/duration-text.ts';

const INTERVAL_MS = 500;
const TOO_LATE_MS = 1000;

interface LoopMonitorOptions {
  readonly log: Logger;
  /** Returns the work that ran at a time, for people. */
  runningAt(time: number): readonly string[];
  /** Milliseconds of the clock of the runs. */
  now(): number;
}

/**
 * Notices when the event loop was blocked: nothing else ran then, no probe was answered and no watch read. The log names what
 * was at work when the block began; it can only do so afterwards.
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

  /** Called each half second, if the event loop lets it. */
  check(): void {
    const due = this.#due;
    const time = this.#options.now();
    this.#due = time + INTERVAL_MS;
    if (time - due <= TOO_LATE_MS) return;
    const running = this.#options.runningAt(due);
    this.#options.log.warn({ blocked: durationText(time - due), running }, 'Event loop was blocked');
  }
}

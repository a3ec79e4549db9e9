import type { Logger } from '../create-logger.ts';
import { durationText } from '../../../base/util/duration-text.ts';

const INTERVAL_MS = 500;
const TOO_LATE_MS = 1000;

interface LoopMonitorOptions {
  readonly log: Logger;
  /** Returns descriptions of the reconciles and other work that was running at the given time. */
  runningAt(time: number): readonly string[];
  /** Returns the current time, in milliseconds of the same clock as `runningAt`. */
  now(): number;
}

/**
 * Detects that the event loop was blocked, so that other work could not run, probes were not answered and watches were not read. Logs the
 * work that was running when the block began. The detection is possible only after the block has ended.
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

  /** Called every half second, unless the event loop is blocked. Logs a warning if this call is more than a second late. */
  check(): void {
    const due = this.#due;
    const time = this.#options.now();
    this.#due = time + INTERVAL_MS;
    if (time - due <= TOO_LATE_MS) return;
    const running = this.#options.runningAt(due);
    this.#options.log.warn({ blocked: durationText(time - due), running }, 'Event loop was blocked');
  }
}

import { fstatSync } from 'node:fs';
import type { Logger } from '../create-logger.ts';
import type { ProcessEnd } from '../manager/index.ts';

/** Time for which handles that an author has left open may keep the process alive after the operator has ended, milliseconds. */
const LEFT_OPEN_MS = 2_000;

/** Time for which a request of the thread pool is watched before the process is killed for it, milliseconds. */
const POOL_LOOK_MS = 200;

/** Requests that run in a thread: `exit` waits for their ends, without end if a file server or a name server does not answer. */
const poolRequests = /^(FSReq|GetAddrInfo|GetNameInfo|QueryReq|RandomBytes|PBKDF2|Scrypt|Zlib|WorkReq)/;

/** The part of `process` that ends it. */
export interface EndingProcess {
  exitCode?: number | string | null | undefined;
  exit(code: number): unknown;
  /** Absent in tests: nothing is named, and nothing is killed. */
  readonly pid?: number;
  getActiveResourcesInfo?(): readonly string[];
  kill?(pid: number, signal: string): unknown;
  abort?(): unknown;
}

/** Ends the process of an operator if it does not end by itself: at the time that a manager has set, and after `main` has ended. */
export class EndOfProcess implements ProcessEnd {
  readonly #host: EndingProcess;
  readonly #log: Logger;
  readonly #deadlines = new Set<NodeJS.Timeout>();
  #running = 0;
  #hasRun = false;
  #mainEnded = false;
  #isEnding = false;
  #mustEnd = false;

  constructor(host: EndingProcess, log: Logger) {
    this.#host = host;
    this.#log = log;
  }

  get isRunning(): boolean {
    return this.#running > 0;
  }

  running(): () => void {
    this.#running += 1;
    this.#hasRun = true;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#running -= 1;
      this.#exitIfOver();
    };
  }

  endWithin(milliseconds: number, why: string): () => void {
    const timer = setTimeout(() => {
      this.#log.fatal({ open: this.#open() }, `${why}; exiting`);
      this.#exit(1);
    }, milliseconds).unref();
    this.#deadlines.add(timer);
    return () => {
      clearTimeout(timer);
      this.#deadlines.delete(timer);
    };
  }

  /**
   * `main` has ended. The process is to follow if that was asked for, if it failed, or if a manager has run; a manager that still runs,
   * because nobody waits for it, goes on.
   *
   * @param isOver it was asked to stop, or has failed
   */
  mainEnded(isOver: boolean): void {
    this.#mainEnded = true;
    this.#mustEnd = isOver;
    this.#exitIfOver();
  }

  #exitIfOver(): void {
    if (!this.#mainEnded || this.#running > 0 || this.#isEnding) return;
    if (!this.#mustEnd && !this.#hasRun) return;
    this.#isEnding = true;
    setTimeout(() => {
      this.#log.warn(
        { open: this.#open() },
        'The operator has ended, and something keeps the process alive: close timers, sockets and servers when `main` ends; exiting',
      );
      this.#exit(Number(this.#host.exitCode ?? 0));
    }, LEFT_OPEN_MS).unref();
  }

  /** Kinds of what keeps the process alive, with their numbers. */
  #open(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const kind of this.#host.getActiveResourcesInfo?.() ?? [])
      if (kind !== 'TTYWrap') counts[kind] = (counts[kind] ?? 0) + 1;
    // Stdout and stderr do not keep a process alive.
    const pipes = (counts['PipeWrap'] ?? 0) - [1, 2].filter((fd) => isPipe(fd)).length;
    const { PipeWrap: _, ...others } = counts;
    return pipes > 0 ? { ...others, PipeWrap: pipes } : others;
  }

  #exit(code: number): void {
    this.#host.exitCode = code;
    if (this.#poolRequests() === 0) {
      this.#host.exit(code);
      return;
    }
    setTimeout(() => {
      if (this.#poolRequests() > 0) {
        // A process that is the first of its container cannot be killed from within, but ends by abort.
        this.#host.kill?.(this.#host.pid ?? 0, 'SIGKILL');
        this.#host.abort?.();
      }
      this.#host.exit(code);
    }, POOL_LOOK_MS);
  }

  #poolRequests(): number {
    return (this.#host.getActiveResourcesInfo?.() ?? []).filter((kind) => poolRequests.test(kind)).length;
  }
}

function isPipe(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}

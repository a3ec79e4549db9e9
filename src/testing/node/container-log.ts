/** Characters of output that are kept for one run of a container. A kubelet keeps 10 MiB; tests look at the end. */
const kept = 1024 * 1024;

/** Lines to select from the output of a container. Source: Kubernetes `PodLogOptions`. */
export interface LogSelection {
  /** Lines at the end. Default: all that are kept. */
  readonly tailLines?: number | undefined;
  /** Only lines that were written at or after this time. Default: all. */
  readonly since?: Date | undefined;
  /** True to begin each line with its time in RFC 3339. Default: false. */
  readonly timestamps?: boolean | undefined;
}

interface Line {
  readonly time: Date;
  readonly text: string;
}

/** Output of one run of a container, line by line. The oldest lines are dropped when there are too many. */
export class ContainerLog {
  readonly #now: () => Date;
  readonly #listeners = new Set<() => void>();
  #lines: Line[] = [];
  /** Number of lines that were dropped. */
  #dropped = 0;
  #size = 0;
  #rest = '';
  #isEnded = false;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Adds output. A line is complete once its line break has arrived, or the output has ended. */
  append(text: string): void {
    const lines = `${this.#rest}${text}`.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#add(line);
    if (lines.length > 0) this.#tell();
  }

  /** Ends the output. Call it when the container has ended. */
  end(): void {
    if (this.#rest !== '') this.#add(this.#rest);
    this.#rest = '';
    this.#isEnded = true;
    this.#tell();
  }

  /** Returns the selected output so far. */
  read(selection: LogSelection = {}): string {
    return shown(this.#from(selection), selection);
  }

  /** Sends the selected output, and what follows until the container ends or the returned function is called. */
  follow(selection: LogSelection, send: (text: string) => void, ended: () => void): () => void {
    const first = this.#from(selection);
    if (first.length > 0) send(shown(first, selection));
    let next = this.#dropped + this.#lines.length;
    const listener = (): void => {
      const fresh = this.#lines.slice(Math.max(next - this.#dropped, 0));
      next = this.#dropped + this.#lines.length;
      if (fresh.length > 0) send(shown(fresh, selection));
      if (!this.#isEnded) return;
      this.#listeners.delete(listener);
      ended();
    };
    this.#listeners.add(listener);
    if (this.#isEnded) listener();
    return () => this.#listeners.delete(listener);
  }

  #from({ tailLines, since }: LogSelection): readonly Line[] {
    const lines = since === undefined ? this.#lines : this.#lines.filter(({ time }) => time >= since);
    return tailLines === undefined ? lines : lines.slice(Math.max(lines.length - tailLines, 0));
  }

  #add(text: string): void {
    this.#lines.push({ time: this.#now(), text });
    this.#size += text.length;
    let count = 0;
    while (this.#size > kept && count < this.#lines.length - 1)
      this.#size -= this.#lines[count++]?.text.length ?? 0;
    if (count === 0) return;
    this.#lines = this.#lines.slice(count);
    this.#dropped += count;
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function shown(lines: readonly Line[], { timestamps }: LogSelection): string {
  return lines
    .map(({ time, text }) => `${timestamps === true ? `${time.toISOString()} ` : ''}${text}\n`)
    .join('');
}

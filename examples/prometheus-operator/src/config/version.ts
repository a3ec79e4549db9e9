import type { Problems } from './problems.ts';

/** Programs whose configurations are written. */
export type Program = 'Prometheus' | 'Alertmanager';

/** Version of a program that a configuration is written for. */
export class ProgramVersion {
  readonly #numbers: readonly number[];
  readonly #program: Program;
  readonly #text: string;

  /** @param text such as `v3.5.0`; what follows the third number is not compared */
  constructor(program: Program, text: string) {
    this.#program = program;
    this.#text = text;
    this.#numbers = (/\d+(?:\.\d+)*/.exec(text)?.[0] ?? '0').split('.').map(Number);
  }

  isAtLeast(other: string): boolean {
    const wanted = other.split('.').map(Number);
    for (const [index, number] of wanted.entries()) {
      const own = this.#numbers[index] ?? 0;
      if (own !== number) return own > number;
    }
    return true;
  }

  /**
   * Reports a field that this version of the program would refuse, and with it the whole configuration.
   *
   * @param since the first version that knows the field, of each program that has it
   */
  require(since: string | Readonly<Record<Program, string>>, path: string, problems: Problems): void {
    const first = typeof since === 'string' ? since : since[this.#program];
    if (!this.isAtLeast(first)) problems.add(path, `needs ${this.#program} ${first}, got ${this.#text}`);
  }
}

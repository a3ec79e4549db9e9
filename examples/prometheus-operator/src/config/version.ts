import type { Problems } from './problems.ts';

/** Version of a program that a configuration is written for. */
export class ProgramVersion {
  readonly #numbers: readonly number[];
  readonly #program: string;
  readonly #text: string;

  /** @param text such as `v3.5.0`; what follows the third number is not compared */
  constructor(program: string, text: string) {
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

  /** Reports a field that this version of the program would refuse, and with it the whole configuration. */
  require(since: string, path: string, problems: Problems): boolean {
    if (this.isAtLeast(since)) return true;
    problems.add(path, `needs ${this.#program} ${since}, got ${this.#text}`);
    return false;
  }
}

import { OpSdkError, type Finding } from './op-sdk-error.ts';

/** Gathers findings so that a check can report all of them, not the first. */
export class FindingList {
  readonly #findings: Finding[] = [];

  add(...findings: readonly Finding[]): void {
    this.#findings.push(...findings);
  }

  get all(): readonly Finding[] {
    return this.#findings;
  }

  get isEmpty(): boolean {
    return this.#findings.length === 0;
  }

  /** @throws OpSdkError with every finding gathered so far, if there is one. */
  throwIfAny(): void {
    if (!this.isEmpty) throw new OpSdkError(this.#findings);
  }
}

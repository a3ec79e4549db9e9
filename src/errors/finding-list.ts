import { isOpSdkError, OpSdkError, type Finding } from './op-sdk-error.ts';

/** Gathers findings so that a check can report all of them, not the first. */
export class FindingList {
  readonly #findings: Finding[] = [];

  add(...findings: readonly Finding[]): void {
    // One by one: the arguments of a call are kept on the stack, which has room for some 100,000.
    for (const finding of findings) this.#findings.push(finding);
  }

  /** The result of a part of a check; undefined if it throws findings, which join those of the other parts. */
  async gather<T>(part: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await part();
    } catch (error) {
      if (!isOpSdkError(error)) throw error;
      for (const finding of error.findings) this.add(finding);
      return undefined;
    }
  }

  /** `gather` for a part that does not wait. */
  gatherSync<T>(part: () => T): T | undefined {
    try {
      return part();
    } catch (error) {
      if (!isOpSdkError(error)) throw error;
      for (const finding of error.findings) this.add(finding);
      return undefined;
    }
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

import { isOpSdkError, OpSdkError, type Finding } from './op-sdk-error.ts';

/** Gathers findings so that a check can report all of them, not the first. */
export class FindingList {
  readonly #findings: Finding[] = [];

  add(...findings: readonly Finding[]): void {
    this.#addAll(findings);
  }

  /** One by one: as arguments, very many would not fit on the stack. */
  #addAll(findings: readonly Finding[]): void {
    for (const finding of findings) this.#findings.push(finding);
  }

  /** The result of a part of a check; undefined if it throws findings, which join those of the other parts. */
  async gather<T>(part: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await part();
    } catch (error) {
      if (!isOpSdkError(error)) throw error;
      this.#addAll(error.findings);
      return undefined;
    }
  }

  /** `gather` for a part that does not wait. */
  gatherSync<T>(part: () => T): T | undefined {
    try {
      return part();
    } catch (error) {
      if (!isOpSdkError(error)) throw error;
      this.#addAll(error.findings);
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

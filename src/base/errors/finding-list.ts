import { isOpSdkError, OpSdkError, type Finding } from './op-sdk-error.ts';

/** Gathers findings so that a check can report all of them, not the first. */
export class FindingList {
  readonly #findings: Finding[] = [];

  add(...findings: readonly Finding[]): void {
    this.#addAll(findings);
  }

  /** Adds findings one by one, because spreading a very long list as arguments would overflow the stack. */
  #addAll(findings: readonly Finding[]): void {
    for (const finding of findings) this.#findings.push(finding);
  }

  /** Runs a part of a check and returns the result of the part. If the part throws findings, collects them and returns undefined. */
  async gather<T>(part: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await part();
    } catch (error) {
      if (!isOpSdkError(error)) throw error;
      this.#addAll(error.findings);
      return undefined;
    }
  }

  /** Synchronous variant of `gather`. */
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

  /** @throws OpSdkError with all findings gathered so far, if at least one was gathered */
  throwIfAny(): void {
    if (!this.isEmpty) throw new OpSdkError(this.#findings);
  }
}

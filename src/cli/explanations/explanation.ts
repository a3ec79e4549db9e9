/** The explanation of a code in docs/errors.md and `op-sdk explain`. */
export interface Explanation {
  /** A short heading: what is wrong. */
  readonly title: string;
  /** One or two sentences: why it is an error and what to do about it. */
  readonly explain: string;
}

/** What docs/errors.md and `op-sdk explain` say of a code. */
export interface Explanation {
  /** A short heading: what is wrong. */
  readonly title: string;
  /** One or two sentences: why it is an error and what to do about it. */
  readonly explain: string;
}

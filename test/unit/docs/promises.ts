/** A sentence of a document that a user relies on, word for word, and the tests that fail if it is untrue. */
export interface Promised {
  readonly promise: string;
  /** Pairs of a file and a title in it. */
  readonly tests: readonly (readonly [file: string, title: string])[];
}

export const promises: readonly Promised[] = [];

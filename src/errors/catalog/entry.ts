/** One documented kind of error. docs/errors.md is made from these entries. */
export interface CatalogEntry {
  /** A short heading: what is wrong. */
  readonly title: string;
  /** One or two sentences: why it is an error and what to do about it. */
  readonly explain: string;
  /** The exit code of a command that ends with it: 2 for a flag or argument value, 70 for a defect, 130 for an interrupt, 1 for everything else. */
  readonly exit: 1 | 2 | 70 | 130;
}

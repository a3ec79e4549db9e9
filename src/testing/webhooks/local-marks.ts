/** On what makes the API server ask an operator outside of the cluster: the name of the project. A label. */
export const localLabel = 'op-sdk.dev/local-webhooks';

/** Which process has written it, and when. An annotation. JSON. */
export const localOwner = 'op-sdk.dev/local-webhooks-owner';

/** Keeps `spec.conversion` as it was on the object itself, for the case that whoever has taken it is killed. An annotation. JSON. */
export const conversionBefore = 'op-sdk.dev/conversion-before';

/** The URL that took its place: whoever has changed that since is not overwritten. An annotation. */
export const conversionTakenBy = 'op-sdk.dev/conversion-taken-by';

/** By which what a killed process has left is found again. */
export interface LocalMarks {
  /** The value of {@link localLabel}. */
  readonly project: string;
  /** The value of {@link localOwner}. */
  readonly owner: string;
}

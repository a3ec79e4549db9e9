/** A piece of an operator's code, and what generating says of it. */
export interface Shape {
  readonly name: string;
  readonly code: string;
  /** `resource[/subresource]:verbs`, sorted. */
  readonly rules?: string;
  /** The code of an error. */
  readonly error?: string;
}

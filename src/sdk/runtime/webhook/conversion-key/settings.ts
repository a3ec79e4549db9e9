/** Where the key of conversion data is kept, and how long it signs. */
export interface ConversionKeySettings {
  readonly namespace: string;
  /** Name of the Secret. */
  readonly name: string;
  /** Milliseconds. */
  readonly rotateAfter: number;
}

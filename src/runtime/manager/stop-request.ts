/** The reason with which `operatorMain` aborts its signal: a stop that can still be hurried. */
export class StopRequest extends Error {
  /** Aborted when the stop must not wait any longer: after a second signal. */
  readonly hurry: AbortSignal;

  constructor(message: string, hurry: AbortSignal) {
    super(message);
    this.name = 'StopRequest';
    this.hurry = hurry;
  }
}

/** The reason with which `operatorMain` aborts its signal: a stop that can still be forced. */
export class StopRequest extends Error {
  /** Aborted when the stop must not wait any longer: after a second signal. */
  readonly force: AbortSignal;

  constructor(message: string, force: AbortSignal) {
    super(message);
    this.name = 'StopRequest';
    this.force = force;
  }
}

/** True if the stop came from outside: the caller's signal, not the failure of a part. */
export function isRequest(stop: AbortSignal, outside: AbortSignal | undefined): boolean {
  return outside !== undefined && outside.aborted && stop.reason === outside.reason;
}

import { StopRequest } from '../manager/index.ts';

/** The part of `process` that signals come from. */
export interface SignalSource {
  on(event: 'SIGTERM' | 'SIGINT', listener: (signal: NodeJS.Signals) => void): unknown;
  off(event: 'SIGTERM' | 'SIGINT', listener: (signal: NodeJS.Signals) => void): unknown;
}

export interface StopSignals {
  /** Aborted by the first SIGTERM or SIGINT, or `request`: end in order. */
  readonly signal: AbortSignal;
  /** True after a second one, or `force`: do not wait. */
  readonly forced: boolean;
  /** Aborts the signal as a process signal does, unless it is aborted already. */
  request(message: string): void;
  /** Ends the wait of an orderly stop. */
  force(message: string): void;
  /** Stops listening; a signal then ends the process as usual. */
  release(): void;
}

/** Listens to SIGTERM and SIGINT. After the second one the process is left to Node's own behaviour: a third kills it. */
export function listenForStop(source: SignalSource): StopSignals {
  const stop = new AbortController();
  const force = new AbortController();
  const release = (): void => {
    source.off('SIGTERM', listener);
    source.off('SIGINT', listener);
  };
  const request = (message: string): void => {
    if (!stop.signal.aborted) stop.abort(new StopRequest(message, force.signal));
  };
  const listener = (signal: NodeJS.Signals): void => {
    if (!stop.signal.aborted) {
      request(`received ${signal}`);
      return;
    }
    release();
    force.abort(new Error(`received a second signal, ${signal}`));
  };
  source.on('SIGTERM', listener);
  source.on('SIGINT', listener);
  return {
    signal: stop.signal,
    get forced() {
      return force.signal.aborted;
    },
    request,
    force: (message) => force.abort(new Error(message)),
    release,
  };
}

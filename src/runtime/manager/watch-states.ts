import type { Resource } from '../../api/index.ts';
import type { ReflectorState } from '../../kube/index.ts';
import { resourceName, type RunReflector } from '../cache/index.ts';
import type { Logger } from '../create-logger.ts';
import { messageOf } from '../message-of.ts';

/** A list and watch, and how it fares. */
export interface WatchState {
  readonly resource: Resource;
  /** Undefined: all. */
  readonly namespace: string | undefined;
  state: ReflectorState;
}

/**
 * How the lists and watches of a manager fare: one warning when one fails, however often it is tried again, and one line when
 * it is back.
 */
export class WatchStates {
  readonly #log: Logger;
  readonly #states: WatchState[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  get all(): readonly Readonly<WatchState>[] {
    return this.#states;
  }

  /** Lists and watches as `reflect` does, and keeps the state. */
  observe(reflect: RunReflector): RunReflector {
    return async (resource, namespace, handler, onState, signal) => {
      const watch: WatchState = { resource, namespace, state: { synced: false } };
      this.#states.push(watch);
      const changed = (state: ReflectorState): void => {
        this.#report(watch, state);
        watch.state = state;
        onState(state);
      };
      await reflect(resource, namespace, handler, changed, signal);
    };
  }

  /** True if what the cache knows of the kind is as the API server has it, but for moments. */
  isUpToDate(resource: Resource): boolean {
    const name = resourceName(resource);
    return this.#states.every(
      ({ resource: each, state }) =>
        resourceName(each) !== name || (state.synced && state.error === undefined),
    );
  }

  #report(
    { resource, namespace, state: { error: before } }: Readonly<WatchState>,
    { error }: ReflectorState,
  ): void {
    const fields = { resource: resourceName(resource), namespace };
    if (error !== undefined && before === undefined)
      this.#log.warn({ ...fields, reason: messageOf(error) }, 'Failed to list and watch');
    if (error === undefined && before !== undefined) this.#log.info(fields, 'Listing and watching again');
  }
}

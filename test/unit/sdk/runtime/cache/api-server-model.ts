import type { CachedObject } from '../../../../../src/sdk/runtime/cache/index.ts';
import { configMap } from '../kinds.ts';

/** What a watch of a selection is sent. */
export interface ModelEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: CachedObject;
}

/** What the server answers to a write. */
export interface Answer {
  readonly key: string;
  /** Of the write. */
  readonly version: number;
  /** Undefined for an object that was deleted at once: the answer has its uid alone. */
  readonly object: CachedObject | undefined;
  readonly uid: string;
}

interface State {
  readonly version: number;
  readonly object: CachedObject | undefined;
}

/** An API server that holds ConfigMaps, said as simply as possible: all states of each name, and what a watch of some of them is sent. */
export class ApiServerModel {
  /** Of the last write. */
  version = 10;
  readonly events: { readonly version: number; readonly event: ModelEvent }[] = [];
  readonly #histories = new Map<string, State[]>();
  readonly #isSelected: (object: CachedObject) => boolean;
  #uids = 0;

  constructor(isSelected: (object: CachedObject) => boolean) {
    this.#isSelected = isSelected;
  }

  /** Creates the object, or updates it. Each number of `labels` is a label. */
  write(key: string, labels: { readonly used: string; readonly by: string }): Answer {
    const present = this.#now(key);
    return this.#store(key, {
      labels,
      uid: present?.metadata.uid ?? `uid-${(this.#uids += 1)}`,
      ...(present?.metadata.finalizers === undefined ? {} : { finalizers: present.metadata.finalizers }),
      ...(present?.metadata.deletionTimestamp === undefined ? {} : { deletionTimestamp: 'now' }),
    });
  }

  addFinalizer(key: string): Answer | undefined {
    const metadata = this.#now(key)?.metadata;
    if (metadata === undefined || metadata.deletionTimestamp !== undefined) return undefined;
    return this.#store(key, { ...metadata, finalizers: ['example.com/last'] });
  }

  delete(key: string): Answer | undefined {
    const present = this.#now(key);
    if (present === undefined) return undefined;
    const { metadata } = present;
    if (metadata.finalizers !== undefined) return this.#store(key, { ...metadata, deletionTimestamp: 'now' });
    this.#put(key, undefined);
    return { key, version: this.version, object: undefined, uid: metadata.uid };
  }

  /** Removes the finalizer; an object under deletion goes with it, and the answer has the version before that. */
  removeFinalizer(key: string): Answer | undefined {
    const present = this.#now(key);
    if (present?.metadata.finalizers === undefined) return undefined;
    const { finalizers: _, ...metadata } = present.metadata;
    if (metadata.deletionTimestamp === undefined) return this.#store(key, metadata);
    this.#put(key, undefined);
    return { key, version: this.version, object: { ...present, metadata }, uid: metadata.uid };
  }

  /** The selected objects as they were after a write. */
  at(version: number): Map<string, CachedObject> {
    const found = new Map<string, CachedObject>();
    for (const [key, states] of this.#histories) {
      const object = this.#selected(states.findLast((state) => state.version <= version)?.object);
      if (object !== undefined) found.set(key, object);
    }
    return found;
  }

  /** Whether a reader may see this of a name who has seen the state after a write. */
  isAsNewAs(key: string, object: CachedObject | undefined, version: number): boolean {
    const states: State[] = [{ version: 0, object: undefined }, ...(this.#histories.get(key) ?? [])];
    return states.some((state, i) => {
      const until = states[i + 1]?.version ?? Infinity;
      const shown = this.#selected(state.object);
      return until > version && versionOf(shown) === versionOf(object);
    });
  }

  /** Whether the object was out of the selection in between. */
  hasLeft(key: string, after: number, before: number): boolean {
    return this.events.some(
      ({ version, event: { type, object } }) =>
        type === 'DELETED' &&
        version > after &&
        version < before &&
        `${object.metadata.namespace}/${object.metadata.name}` === key,
    );
  }

  #now(key: string): CachedObject | undefined {
    return this.#histories.get(key)?.at(-1)?.object;
  }

  #selected(object: CachedObject | undefined): CachedObject | undefined {
    return object !== undefined && this.#isSelected(object) ? object : undefined;
  }

  #store(key: string, metadata: Partial<CachedObject['metadata']>): Answer {
    const [namespace = '', name = ''] = key.split('/');
    const object = configMap(name, { ...metadata, namespace, resourceVersion: String(this.version + 1) });
    this.#put(key, object);
    return {
      key,
      version: this.version,
      object: object,
      uid: (object as CachedObject).metadata.uid,
    };
  }

  #put(key: string, object: CachedObject | undefined): void {
    const before = this.#selected(this.#now(key));
    const version = (this.version += 1);
    const states = this.#histories.get(key) ?? [];
    this.#histories.set(key, [...states, { version, object }]);
    const now = this.#selected(object);
    if (now !== undefined)
      this.events.push({
        version,
        event: { type: before === undefined ? 'ADDED' : 'MODIFIED', object: now },
      });
    else if (before !== undefined) {
      const last = { ...before, metadata: { ...before.metadata, resourceVersion: String(version) } };
      this.events.push({ version, event: { type: 'DELETED', object: last } });
    }
  }
}

/** Versions are unique among all objects. */
export function versionOf(object: CachedObject | undefined): string | undefined {
  return object?.metadata.resourceVersion;
}

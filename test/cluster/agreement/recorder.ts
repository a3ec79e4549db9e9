import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../../src/sdk/api/index.ts';
import type { KubeClient, ObjectWatchEvent } from '../../../src/sdk/kube/index.ts';
import { fieldsOf, type Fields } from './fields.ts';
import type { Watched } from './scenario.ts';

/** Sequences of states by kind, each state as the fields that have changed. */
export type Recording = Readonly<Record<string, readonly (readonly string[])[]>>;

/** State of an object; undefined once it is gone. */
interface State {
  readonly uid: string;
  readonly name: string;
  readonly fields: Fields | undefined;
}

interface RecorderOptions {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly signal: AbortSignal;
  /** Called with each state of an object that is there. */
  readonly onChange?: ((object: KubeObject) => void) | undefined;
}

/** Records the states of the objects of one kind in a namespace. */
export class Recorder {
  readonly #states: State[] = [];
  readonly #objects = new Map<string, KubeObject>();
  readonly #wakers = new Set<() => void>();
  #lastEvent = performance.now();
  #failure: unknown;

  /** Resolves when everything that happens from now on is recorded. */
  static async start(client: KubeClient, options: RecorderOptions): Promise<Recorder> {
    const recorder = new Recorder();
    const { apiVersion, kind, namespace, signal } = options;
    const resource = await client.resourceOf({ apiVersion, kind });
    const { metadata } = await client.list(resource, { namespace });
    const place = { namespace, signal, resourceVersion: metadata.resourceVersion };
    recorder.#read(client.watch(resource, place), options).catch((error: unknown) => {
      if (signal.aborted) return;
      recorder.#failure = error;
      recorder.#wake();
    });
    return recorder;
  }

  async #read(
    events: AsyncIterable<ObjectWatchEvent>,
    { apiVersion, kind, onChange }: RecorderOptions,
  ): Promise<void> {
    for await (const event of events) {
      if (event.type === 'BOOKMARK') continue;
      const object: KubeObject = { ...event.object, apiVersion, kind };
      const { uid = '', name = '' } = object.metadata;
      const isGone = event.type === 'DELETED';
      if (isGone) this.#objects.delete(uid);
      else this.#objects.set(uid, object);
      this.#states.push({ uid, name, fields: isGone ? undefined : fieldsOf(object) });
      this.#lastEvent = performance.now();
      if (!isGone) onChange?.(object);
      this.#wake();
    }
  }

  #wake(): void {
    for (const wake of [...this.#wakers]) wake();
  }

  /** Objects that are there now. */
  get objects(): readonly KubeObject[] {
    return [...this.#objects.values()];
  }

  /** Resolves when a demand on the objects holds. @throws Error with their fields when it does not in time */
  async until(
    title: string,
    holds: (objects: readonly KubeObject[]) => boolean,
    timeout: number,
  ): Promise<void> {
    const end = performance.now() + timeout;
    while (!holds(this.objects)) {
      if (this.#failure !== undefined) throw this.#failure as Error;
      const left = end - performance.now();
      if (left <= 0)
        throw new Error(
          `not seen within ${timeout / 1000} s: ${title}; seen: ${JSON.stringify(this.#states.slice(-8), undefined, 1)}`,
        );
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          this.#wakers.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, left);
        this.#wakers.add(wake);
      });
    }
  }

  /** Resolves when nothing has changed for a time. */
  async untilQuiet(milliseconds: number): Promise<void> {
    for (;;) {
      const left = this.#lastEvent + milliseconds - performance.now();
      if (left <= 0) return;
      await sleep(left);
    }
  }

  /** Returns what was recorded: a sequence for each object, in the order of their names or, where these are generated, of their texts. */
  sequences({ without = [], compare = 'sequence' }: Watched): readonly (readonly string[])[] {
    const states = this.#states.map(({ fields, ...state }) => ({
      ...state,
      fields:
        fields && Object.fromEntries(Object.entries(fields).filter(([name]) => !without.includes(name))),
    }));
    const before = new Map<string, Fields>();
    const lines = states.flatMap(({ uid, name, fields }, index) => {
      const former = before.get(uid) ?? {};
      const next = states.find((later, at) => at > index && later.uid === uid)?.fields;
      if (fields !== undefined && next !== undefined && isPassing(fields, next)) return [];
      const line = fields === undefined ? 'gone' : changes(former, fields);
      before.set(uid, fields ?? {});
      return line === '' ? [] : [{ uid, name, line, fields, text: changes({}, fields ?? {}) }];
    });
    if (compare === 'order') return [lines.map(({ name, line }) => `${name}: ${line}`)];
    const uids = [...new Set(lines.map(({ uid }) => uid))];
    const sequences = uids.map((uid) => {
      const own = lines.filter((line) => line.uid === uid);
      if (compare === 'sequence') return withoutRepeats(own).map(({ line }) => line);
      const last = own.findLast(({ fields }) => fields !== undefined)?.fields ?? {};
      return [changes({}, last), ...(own.at(-1)?.fields === undefined ? ['gone'] : [])];
    });
    return sequences.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
}

/** Leaves out pairs of states that repeat the pair before, such as those of an image that still cannot be pulled. */
function withoutRepeats<T extends { readonly text: string }>(states: readonly T[]): readonly T[] {
  return states.reduce<readonly T[]>((kept, state) => {
    const [first, second, third] = kept.slice(-3).map(({ text }) => text);
    const isRepeated = third !== undefined && first === third && second === state.text;
    return isRepeated ? kept.slice(0, -1) : [...kept, state];
  }, []);
}

/**
 * Returns true for a state of a Pod between the removal of its sandbox and its last phase: a kubelet writes both at once, or the phase a
 * moment later.
 */
function isPassing(fields: Fields, next: Fields): boolean {
  const hasEnded = fields['PodReadyToStartContainers']?.startsWith('False') === true;
  return (
    hasEnded &&
    fields['phase'] !== next['phase'] &&
    changes({ ...fields, phase: '' }, { ...next, phase: '' }) === ''
  );
}

function changes(before: Fields, after: Fields): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name}: ${after[name] ?? '-'}`)
    .join('; ');
}

import type { KubeObject, Resource } from '../../api/index.ts';
import type { RunReflector } from '../cache/index.ts';

/** Last observed state of a watched object: `absent` if the object does not exist, undefined before the first list request is answered. */
export type Seen<T> = T | 'absent' | undefined;

/** Selects one object by its kind and name. */
interface WatchedObject<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Returns the part of the object to keep. Default: the complete object. */
  readonly transform?: (object: KubeObject) => KubeObject;
}

interface ObjectWatcher<T extends KubeObject> {
  readonly see: (seen: T | 'absent') => void;
  /** Called with an error when the watch fails, and with undefined when the watch works again. */
  readonly onState: (error: Error | undefined) => void;
}

/** Watches one object; resolves when the signal aborts. */
export async function watchObject<T extends KubeObject>(
  reflect: RunReflector,
  { name, ...scope }: WatchedObject<T>,
  { see, onState }: ObjectWatcher<T>,
  signal: AbortSignal,
): Promise<void> {
  const isMine = (object: KubeObject): boolean => object.metadata.name === name;
  return reflect(
    { ...scope, fieldSelector: `metadata.name=${name}` },
    {
      replace: (objects) => see((objects.find(isMine) as T | undefined) ?? 'absent'),
      apply: (type, object) => {
        if (isMine(object)) see(type === 'DELETED' ? 'absent' : (object as T));
      },
    },
    ({ error }) => onState(error),
    signal,
  );
}

/** A step that runs on request. Two runs never overlap; all requests that arrive during a run together cause one more run. */
export class RepeatedStep {
  readonly #step: () => Promise<void>;
  readonly #stop: AbortSignal;
  #working: Promise<void> | undefined;
  #again = false;

  constructor(step: () => Promise<void>, stop: AbortSignal) {
    this.#step = step;
    this.#stop = stop;
  }

  /** Requests a run of the step. */
  request(): void {
    if (this.#stop.aborted) return;
    this.#again = true;
    this.#working ??= this.#work().finally(() => (this.#working = undefined));
  }

  /** Resolves when the running step has ended. */
  async ended(): Promise<void> {
    await this.#working;
  }

  async #work(): Promise<void> {
    while (this.#again && !this.#stop.aborted) {
      this.#again = false;
      await this.#step();
    }
  }
}

import type { KubeObject } from '../../api/index.ts';
import type { WatchEvent } from './run-watch.ts';

/** On the bookmark that ends the initial events. Source: apimachinery `metav1.InitialEventsAnnotationKey`. */
const endAnnotation = 'k8s.io/initial-events-end';

/** The objects of a streaming list until it is complete; kept apart, so that nobody sees half of it. */
export class InitialEvents<T extends KubeObject> {
  readonly #objects = new Map<string, T>();

  /** True when this event ends the list. */
  take(event: WatchEvent<T>): boolean {
    const { type, object } = event;
    const { namespace = '', name = '', annotations } = object.metadata;
    if (type === 'BOOKMARK') return annotations?.[endAnnotation] === 'true';
    const key = `${namespace}/${name}`;
    if (type === 'DELETED') this.#objects.delete(key);
    else this.#objects.set(key, object);
    return false;
  }

  objects(): T[] {
    return [...this.#objects.values()];
  }
}

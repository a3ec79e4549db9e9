import { objectOf, jsonTextOf } from '../json.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { notFound, StatusError } from '../status-error.ts';
import type { ObjectStore } from '../store.ts';

const namespaceCollection = '/namespaces';

/** Which namespaces there are, for objects that are to be created in them. Source: apiserver admission plugin NamespaceLifecycle. */
export class Namespaces {
  readonly #store: ObjectStore;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** @throws StatusError 404 if it does not exist, 403 if it is under deletion */
  checkCreate(kind: ServedKind, namespace: string, name: string): void {
    const found = this.#store.get(namespaceCollection, namespace);
    if (found === undefined) throw notFound({ group: '', plural: 'namespaces' }, namespace);
    if (objectOf(found['metadata'])['deletionTimestamp'] === undefined) return;
    const resource = kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
    const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
    throw new StatusError(403, 'Forbidden', `${resource} ${JSON.stringify(name)} is forbidden: ${why}`, {
      name,
      group: kind.group,
      kind: kind.plural,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    });
  }

  /** Returns true if an object without finalizers in its metadata may be removed: a namespace has others in its spec. */
  mayGo({ group, plural }: ServedKind, name: string): boolean {
    if (group !== '' || plural !== 'namespaces') return true;
    const { spec } = this.#store.get(namespaceCollection, name) ?? {};
    const finalizers = objectOf(spec)['finalizers'];
    return !Array.isArray(finalizers) || finalizers.length === 0;
  }

  /** The names of those that are under deletion. */
  get terminating(): readonly string[] {
    return this.#store
      .list(namespaceCollection)
      .filter(([, object]) => objectOf(object['metadata'])['deletionTimestamp'] !== undefined)
      .map(([, object]) => jsonTextOf(objectOf(object['metadata'])['name']));
  }
}

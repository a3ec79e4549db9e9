import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import {
  isConflict,
  isInvalid,
  isNotFound,
  keyOf,
  keyText,
  Reflector,
  type Connection,
} from '../../sdk/kube/index.ts';

/** A change of one object; `after` is undefined if it was deleted. */
export interface MirrorChange<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** The objects of one kind in all namespaces, kept current until the signal aborts. */
export interface Mirror<T extends KubeObject> {
  /** Returns all objects. */
  all(): readonly T[];
  /** Returns the object of a namespace and a name. */
  find(namespace: string | undefined, name: string): T | undefined;
}

interface MirrorOptions<T extends KubeObject> {
  readonly connection: Connection;
  readonly resource: Resource<T>;
  readonly signal: AbortSignal;
  readonly onChange: (change: MirrorChange<T>) => void;
  /** Called if a listener has thrown, which ends the mirror. */
  readonly onDefect: (error: unknown) => void;
}

/** Starts a mirror. Resolves when the mirror has all objects. After an interruption, the mirror reconnects by itself. */
export async function startMirror<T extends KubeObject>(options: MirrorOptions<T>): Promise<Mirror<T>> {
  const { connection, resource, signal, onChange, onDefect } = options;
  const objects = new Map<string, T>();
  const put = (object: T): void => {
    const before = objects.get(keyOf(object));
    objects.set(keyOf(object), object);
    // An object that was replaced by another one with its name is reported as deleted first.
    if (before !== undefined && before.metadata.uid !== object.metadata.uid) {
      onChange({ before, after: undefined });
      onChange({ before: undefined, after: object });
    } else onChange({ before, after: object });
  };
  const remove = (object: T): void => {
    objects.delete(keyOf(object));
    onChange({ before: object, after: undefined });
  };
  await new Promise<void>((resolve) => {
    const reflector = new Reflector<T>({
      connection,
      resource,
      handler: {
        replace(listed) {
          const names = new Set(listed.map(keyOf));
          for (const object of objects.values()) if (!names.has(keyOf(object))) remove(object);
          for (const object of listed) put(object);
        },
        apply: (type, object) => (type === 'DELETED' ? remove(object) : put(object)),
      },
      onState: ({ synced }) => synced && resolve(),
    });
    reflector.run(signal).catch(onDefect).finally(resolve);
  });
  return {
    all: () => [...objects.values()],
    find: (namespace, name) => objects.get(keyText({ namespace, name })),
  };
}

/** Returns true for an error that says that an object is gone or has been replaced, which its mirror shows soon. */
export function isOutdated(error: unknown): boolean {
  return isNotFound(error) || isConflict(error) || isAboutUid(error);
}

/** Returns true for the refusal of a patch that names the uid of a former object. */
function isAboutUid(error: unknown): boolean {
  return isInvalid(error) && error.details?.causes?.some(({ field }) => field === 'metadata.uid') === true;
}

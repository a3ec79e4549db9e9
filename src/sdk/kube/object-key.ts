import type { KubeObject } from '../api/index.ts';
import type { ObjectKey } from './types.ts';

/**
 * Returns `namespace/name`, or only the name for cluster-scoped objects. The text is unambiguous, because neither part can contain a slash.
 */
export function keyText(key: ObjectKey): string {
  return key.namespace === undefined || key.namespace === '' ? key.name : `${key.namespace}/${key.name}`;
}

export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf('/');
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

export function keyOf(object: KubeObject): string {
  return keyText({ name: object.metadata.name, namespace: object.metadata.namespace });
}

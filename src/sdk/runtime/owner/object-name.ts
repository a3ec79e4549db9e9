import type { ObjectMeta } from '../../api/index.ts';

/** An object as people call it: `Deployment default/web`. */
export function objectName(object: {
  readonly kind?: string | undefined;
  readonly metadata: Pick<ObjectMeta, 'name' | 'generateName' | 'namespace'>;
}): string {
  const { namespace, name, generateName } = object.metadata;
  const key = [namespace, name ?? (generateName === undefined ? '(no name)' : `${generateName}*`)];
  return `${object.kind ?? 'object'} ${key.filter((part) => part !== undefined).join('/')}`;
}

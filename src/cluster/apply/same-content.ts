import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../api/index.ts';

interface ManagedField {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
}

/**
 * Whether an apply of `manager` changed nothing. The resource version does not tell: controllers write the status of an
 * object all the time, and a dry run does not raise it.
 */
export function sameContent(before: KubeObject, after: KubeObject, manager: string): boolean {
  return isDeepStrictEqual(contentOf(before, manager), contentOf(after, manager));
}

function contentOf(object: KubeObject, manager: string): unknown {
  const { status: _status, metadata, ...content } = object as KubeObject & { readonly status?: unknown };
  const { resourceVersion: _resourceVersion, managedFields, ...meta } = metadata;
  const own = ((managedFields ?? []) as readonly ManagedField[]).filter(
    (entry) => entry.manager === manager && entry.operation === 'Apply' && (entry.subresource ?? '') === '',
  );
  return { ...content, metadata: meta, own };
}

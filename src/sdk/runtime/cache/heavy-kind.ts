import type { Resource } from '../../api/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import { resourceName } from './cached-reader.ts';

interface HeavyKind {
  readonly resource: Resource;
  /** True if the cache holds only the metadata of the objects. */
  readonly isMetadata: boolean;
  /** Estimated size of the objects on the heap, in bytes. */
  readonly heap: number;
  /** Bytes that objects of this process can take. */
  readonly limit: number;
}

/** Returns the warning that the cache of a kind takes half of the memory. Loaded on demand, because most operators never log it. */
export function heavyKind({ resource, isMetadata, heap, limit }: HeavyKind): OpSdkError {
  const { kind } = resource;
  const fewerParts = [
    `or drop the fields that no controller reads: cached(${kind}, { transform })`,
    `or cache only the metadata: declare metadataOnly(${kind}) in the controllers`,
  ];
  return new OpSdkError({
    code: 'runtime/cache-memory',
    message: `the cache of ${resourceName(resource)}: expected less than half of the ${mebibytes(limit)} that the process can use, got about ${mebibytes(heap)}`,
    where: { object: `kind ${kind}` },
    fix: [
      `cache fewer objects: createManager({ cache: [cached(${kind}, { labelSelector })] }), or with fieldSelector or namespaces`,
      ...(isMetadata ? [] : fewerParts),
      'or raise the memory limit of the container and --max-old-space-size',
    ],
  });
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}

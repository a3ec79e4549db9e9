import { OpSdkError } from '../../../base/errors/index.ts';
import type { Logger } from '../create-logger.ts';
import { resourceName } from './cached-reader.ts';
import type { KindCache } from './kind-cache.ts';

/**
 * Bytes that an object takes on the heap for each byte of its JSON: 1.0 for long texts, 1.4 for Pods, 1.7 for small objects, 2 for texts
 * with other characters than those of Western Europe.
 */
const HEAP_FACTOR = 1.5;

/**
 * Logs that the cache of a kind takes half of the memory. Loaded on demand, because most operators never log it.
 *
 * @param bytes estimated size of the objects, in bytes of JSON
 * @param limit bytes that objects of this process can take
 */
export function warnOf({ resource, selection }: KindCache, bytes: number, limit: number, log: Logger): void {
  const { kind } = resource;
  const name = resourceName(resource);
  const fewerParts = [
    `or drop the fields that no controller reads: cached(${kind}, { transform })`,
    `or cache only the metadata: declare metadataOnly(${kind}) in the controllers`,
  ];
  const error = new OpSdkError({
    code: 'runtime/cache-memory',
    message: `the cache of ${name}: expected less than half of the ${mebibytes(limit)} that the process can use, got about ${mebibytes(bytes * HEAP_FACTOR)}`,
    where: { object: `kind ${kind}` },
    fix: [
      `cache fewer objects: createManager({ cache: [cached(${kind}, { labelSelector })] }), or with fieldSelector or namespaces`,
      ...(selection.metadataOnly === true ? [] : fewerParts),
      'or raise the memory limit of the container and --max-old-space-size',
    ],
  });
  log.warn({ kind: name, bytes, limit, error }, 'The cache of a kind takes half of the memory');
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}

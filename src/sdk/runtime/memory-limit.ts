import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/**
 * Returns the memory limit of this process (its cgroup) in bytes; undefined if there is none. A limit that is not below the memory of the
 * machine does not limit anything.
 */
export function memoryLimit(): number | undefined {
  // Returns 0, undefined or 2^64-1 without a limit, depending on the version of Node; cgroups of version 1 have a limit of almost 2^63.
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : undefined;
}

/**
 * Returns the bytes that objects of this process can take: its memory limit, or the limit of V8's heap (`--max-old-space-size`) if that is
 * lower. Either one ends the process.
 */
export function heapLimit(): number {
  return Math.min(memoryLimit() ?? Infinity, getHeapStatistics().heap_size_limit);
}

import { getHeapStatistics } from 'node:v8';

/**
 * Returns the bytes that objects of this process can take: the memory limit of its cgroup, or the limit of V8's heap
 * (`--max-old-space-size`) if that is lower. Either one ends the process.
 */
export function heapLimit(): number {
  // Without a memory limit, Node returns 0 or undefined, or a number that no heap reaches.
  return Math.min(process.constrainedMemory() || Infinity, getHeapStatistics().heap_size_limit);
}

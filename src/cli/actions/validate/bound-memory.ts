import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of heap above which garbage is collected. */
const bound = 80 * 1024 * 1024;

let collect: (() => void) | undefined;

/**
 * Keeps the memory of a run over many bundles, or of several steps over a large one, as small as that of one. Left alone, the heap grows
 * with each, as the engine collects garbage late where there is much memory.
 */
export function boundMemory(): void {
  if (getHeapStatistics().total_heap_size < bound) return;
  collect ??= collector();
  collect();
}

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

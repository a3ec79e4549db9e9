import type { OwnWrites } from '../../../src/runtime/cache/index.ts';

/** The writes of a client without a cache. */
export const noWrites = {
  kindOf: () => undefined,
  wrote: () => undefined,
  removed: () => undefined,
} as unknown as OwnWrites;

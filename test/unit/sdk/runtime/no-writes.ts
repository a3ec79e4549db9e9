import type { OwnWrites } from '../../../../src/sdk/runtime/cache/index.ts';

/** The writes of a client without a cache. */
export const noWrites = {
  kindOf: () => undefined,
  wrote: () => undefined,
  removed: () => undefined,
} as unknown as OwnWrites;

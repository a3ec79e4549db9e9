import type { ProjectResource } from '../../../project/project/index.ts';

/** Request to `delete api`. */
export interface WantedRemoval {
  readonly group: string;
  readonly kind: string;
  /** Version to remove. Undefined: all versions of the kind are removed. */
  readonly version: string | undefined;
}

/** The entries of PROJECT to remove, and those of the same kind to keep. */
export interface ChosenRemoval {
  readonly removed: readonly ProjectResource[];
  readonly rest: readonly ProjectResource[];
}

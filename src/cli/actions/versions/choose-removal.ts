import type { ProjectResource } from '../../../project/project/index.ts';

/** Request to `delete api`. */
export interface WantedRemoval {
  readonly group: string;
  readonly kind: string;
  /** Version to remove. Undefined: remove all versions of the kind. */
  readonly version: string | undefined;
}

/** Entries of PROJECT to remove, and entries of the same kind to keep. */
export interface ChosenRemoval {
  readonly removed: readonly ProjectResource[];
  readonly rest: readonly ProjectResource[];
}

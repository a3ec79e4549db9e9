/** A change of one file that a command wants to make. Paths are relative to the plan's root, with forward slashes. */
export type FileChange =
  | {
      readonly action: 'create';
      readonly path: string;
      /** Bytes only for files that are no text. */
      readonly content: string | Uint8Array;
      readonly executable?: boolean;
    }
  | {
      readonly action: 'update';
      readonly path: string;
      readonly content: string;
      /** The content that the plan was made from; the writer refuses if the file has changed since. */
      readonly before: string;
    }
  | { readonly action: 'delete'; readonly path: string; readonly before: string }
  | { readonly action: 'unchanged'; readonly path: string };

/** A pure description of a command's effects; `applyPlan` carries it out, `--dry-run` prints it. */
export interface FilePlan {
  /** Absolute. */
  readonly root: string;
  readonly changes: readonly FileChange[];
  /** Remove folders that are empty once the files are deleted. Default: they stay. */
  readonly removesEmptyFolders?: boolean;
}

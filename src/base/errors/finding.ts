import type { ErrorCode } from './codes/index.ts';

/** A stable code, `<room>/<kebab-name>`. */
export type FindingCode = ErrorCode;

/** The nearest place that the user owns. `file` is relative to the folder in which the command runs; lines and columns count from 1. */
export type Where =
  | { readonly file: string; readonly line?: number; readonly column?: number }
  | { readonly flag: string }
  | { readonly object: string; readonly path?: string }
  | { readonly command: string; readonly exitCode?: number; readonly stderr?: string };

/** One thing that is wrong: what, where, and how to put it right. */
export interface Finding {
  /** A stable code, `<room>/<kebab-name>`; `op-sdk explain` explains it. */
  readonly code: FindingCode;
  /** Describes the fault in the user's words; lower case, no full stop at the end. */
  readonly message: string;
  /** The nearest place that the user owns, if there is one. */
  readonly where?: Where;
  /** Imperative sentences or exact commands. */
  readonly fix?: readonly string[];
}

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
  /** What happened, in the user's words; lower case, no full stop at the end. */
  readonly message: string;
  /** The nearest place that the user owns, if there is one. */
  readonly where?: Where;
  /** Imperative sentences or exact commands. */
  readonly fix?: readonly string[];
}

const brand = Symbol.for('opsdk.OpSdkError');

/** Everything that a user can cause or fix. Carries at least one finding; a check gathers all of its findings before it throws. */
export class OpSdkError extends Error {
  /** Everything that is wrong, at least one finding. */
  readonly findings: readonly [Finding, ...Finding[]];
  readonly [brand] = true;

  constructor(findings: Finding | readonly Finding[], options?: { readonly cause?: unknown }) {
    const list = Array.isArray(findings) ? (findings as readonly Finding[]) : [findings as Finding];
    const [first, ...rest] = list;
    if (first === undefined) throw new TypeError('an OpSdkError needs a finding');
    const more = rest.length === 0 ? '' : ` (and ${rest.length} more)`;
    super(`[${first.code}] ${first.message}${more}`, options);
    this.name = 'OpSdkError';
    this.findings = [first, ...rest];
  }

  /** The code of the first finding, such as `runtime/invalid-controller`. */
  get code(): FindingCode {
    return this.findings[0].code;
  }
}

/** True for an OpSdkError of any loaded copy of this package. */
export function isOpSdkError(error: unknown): error is OpSdkError {
  return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[brand] === true;
}

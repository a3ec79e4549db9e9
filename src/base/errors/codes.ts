import { usageErrors, warnings, type ErrorCode } from './generated/codes.ts';

export type { ErrorCode };

/** Exit code of a command: 2 for an invalid flag or argument value, 70 for a defect, 130 for an interrupt, 1 for all other errors. */
export type ExitCode = 1 | 2 | 70 | 130;

/** The error codes of some groups: `CodesOf<'crd'>` contains all codes that begin with `crd/`. */
export type CodesOf<Group extends string> = Extract<ErrorCode, `${Group}/${string}`>;

/**
 * Definition of an error code. The union type of all codes, the severities, the exit codes, `op-sdk explain` and docs/errors.md are derived
 * from these definitions.
 */
export interface ExplainedCode {
  /** Severity of the code. A warning fails a command only with `--strict`. Default: `error`. */
  readonly level?: 'warning';
  /** The exit code of a command that ends with this code. Default: 1. */
  readonly exitCode?: ExitCode;
  /** A short heading that names the fault. */
  readonly title: string;
  /** One or two sentences that explain why the fault is an error and what to do about it. */
  readonly explain: string;
}

/** Definitions of error codes, by code. A code has the form `<group>/<kebab-name>`. */
export type ExplainedCodes = Readonly<Record<`${string}/${string}`, ExplainedCode>>;

/** Returns the exit code of a command that ends with these codes: 2 if one of them is for an invalid flag or argument value, else 1. */
export function exitCodeOf(codes: readonly ErrorCode[]): 1 | 2 {
  return codes.some((code) => usageErrors.has(code)) ? 2 : 1;
}

export function severityOf(code: ErrorCode): 'error' | 'warning' {
  return warnings.has(code) ? 'warning' : 'error';
}

/** Every code that is a warning, sorted. */
export const warningCodes: readonly ErrorCode[] = [...warnings];

import { usageErrors, warnings, type ErrorCode } from './generated/codes.ts';

export type { ErrorCode };

/** 2 for a flag or argument value, 70 for a defect, 130 for an interrupt, 1 for everything else. */
export type ExitCode = 1 | 2 | 70 | 130;

/** The codes of some groups, such as `CodesOf<'crd'>`. */
export type CodesOf<Group extends string> = Extract<ErrorCode, `${Group}/${string}`>;

/** Definition of a code: the union of codes, severities, exit codes, `op-sdk explain` and docs/errors.md are derived from it. */
export interface ExplainedCode {
  /** A warning fails a command only with `--strict`. Default: `error`. */
  readonly level?: 'warning';
  /** The exit code of a command that ends with this code. Default: 1. */
  readonly exitCode?: ExitCode;
  /** A short heading: what is wrong. */
  readonly title: string;
  /** One or two sentences: why it is an error and what to do about it. */
  readonly explain: string;
}

/** The codes of a room, `<group>/<kebab-name>`. */
export type ExplainedCodes = Readonly<Record<`${string}/${string}`, ExplainedCode>>;

/** The exit code of a command that ends with these codes: 2 if a flag or argument value is among them, else 1. */
export function exitCodeOf(codes: readonly ErrorCode[]): 1 | 2 {
  return codes.some((code) => usageErrors.has(code)) ? 2 : 1;
}

export function severityOf(code: ErrorCode): 'error' | 'warning' {
  return warnings.has(code) ? 'warning' : 'error';
}

/** Every code that is a warning, sorted. */
export const warningCodes: readonly ErrorCode[] = [...warnings];

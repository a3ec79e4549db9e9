import type { ErrorCode } from './codes.ts';

const brand = Symbol.for('opsdk.OpSdkError');

/** Maximum number of findings that an error message shows in full; `findings` has all of them. */
const MOST_FINDINGS = 5;
/** Maximum number of characters that follow the summary in an error message. */
const MOST_CHARACTERS = 4000;

/**
 * Error for everything that a user can cause or fix. Contains at least one finding; a check gathers all of its findings before it throws.
 *
 * People read errors in test runners, logs and `catch` blocks, so the message also contains the places and fixes:
 *
 *     [schema/plain-number] MemcachedSpec.size is a plain `number`
 *       at src/api/cache/v1alpha1/memcached.ts:14:3
 *       fix: use Int32 or Int64 from 'opsdk'
 */
export class OpSdkError extends Error {
  /** All problems that the error reports, at least one. */
  readonly findings: readonly [Finding, ...Finding[]];
  /** The message without places, fixes and further findings. Use it to quote the error in another message. */
  readonly summary: string;
  readonly [brand] = true;

  /** @param options.summary first line of the message. Default: `[code] message (and N more)` */
  constructor(
    findings: Finding | readonly Finding[],
    options?: { readonly cause?: unknown; readonly summary?: string },
  ) {
    const list = Array.isArray(findings) ? (findings as readonly Finding[]) : [findings as Finding];
    const [first, ...rest] = list;
    if (first === undefined) throw new TypeError('an OpSdkError needs a finding');
    const more = rest.length === 0 ? '' : ` (and ${rest.length} more)`;
    const summary = options?.summary ?? `[${first.code}] ${first.message}${more}`;
    super(`${summary}${details(first, rest)}`, options);
    this.name = 'OpSdkError';
    this.findings = [first, ...rest];
    this.summary = summary;
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

/** Returns the place and the fixes of the first finding, followed by the other findings. */
function details(first: Finding, rest: readonly Finding[]): string {
  const remedy = [...placeLine(first, {}), ...fixLines(first, {})].map((line) => `\n${line}`);
  const shown = rest.slice(0, MOST_FINDINGS - 1).map((finding) => formatFinding(finding));
  const text = [...remedy, ...shown.map((each) => `\n\n${each}`)].join('');
  const left = rest.length - shown.length;
  const end = left === 0 ? '' : `\n\n… and ${left} more`;
  return `${text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text}${end}`;
}

export interface FormatOptions {
  readonly severity?: 'error' | 'warning';
  /** Colours a part of the text. Default: returns the text unchanged. */
  readonly paint?: (style: 'severity' | 'code' | 'place' | 'fix', text: string) => string;
}

/** Formats a place as one line: `src/api/x.ts:3:7`, `--domain`, `Deployment default/web .spec.replicas`. */
export function formatWhere(where: Where): string {
  if ('file' in where) {
    const line =
      where.line === undefined ? '' : `:${where.line}${where.column === undefined ? '' : `:${where.column}`}`;
    return `${where.file}${line}`;
  }
  if ('flag' in where) return where.flag;
  if ('object' in where) return where.path === undefined ? where.object : `${where.object} ${where.path}`;
  return where.exitCode === undefined ? where.command : `${where.command} (exit code ${where.exitCode})`;
}

/**
 * Formats a finding as text for people. The place always is on the second line, also if the message has several lines, so that editors find
 * it:
 *
 *     error[schema/plain-number]: MemcachedSpec.size is a plain `number`
 *       at src/api/cache/v1alpha1/memcached.ts:14:3
 *       fix: use Int32 or Int64 from 'opsdk'
 */
export function formatFinding(finding: Finding, options: FormatOptions = {}): string {
  const severity = options.severity ?? 'error';
  const { paint = plain } = options;
  const [firstLine = '', ...moreLines] = finding.message.split('\n');
  return [
    `${paint('severity', `${severity}[${finding.code}]`)}: ${firstLine}`,
    ...placeLine(finding, options),
    ...moreLines.map((line) => `  ${line}`),
    ...fixLines(finding, options),
  ].join('\n');
}

function placeLine({ where }: Finding, { paint = plain }: FormatOptions): readonly string[] {
  return where === undefined ? [] : [`  at ${paint('place', formatWhere(where))}`];
}

function fixLines({ fix = [] }: Finding, { paint = plain }: FormatOptions): readonly string[] {
  return fix.map((text) => `  ${paint('fix', 'fix')}: ${text}`);
}

function plain(_style: string, text: string): string {
  return text;
}

/** Formats several findings, separated by blank lines. */
export function formatFindings(findings: readonly Finding[], options: FormatOptions = {}): string {
  return findings.map((finding) => formatFinding(finding, options)).join('\n\n');
}

/** A stable error code, `<group>/<kebab-name>`. */
export type FindingCode = ErrorCode;

/**
 * Place of a fault: the nearest place that belongs to the user, such as a source line or a flag. `file` is relative to the folder in which
 * the command runs; lines and columns count from 1.
 */
export type Where =
  | { readonly file: string; readonly line?: number; readonly column?: number }
  | { readonly flag: string }
  | { readonly object: string; readonly path?: string }
  | { readonly command: string; readonly exitCode?: number; readonly stderr?: string };

/** One problem: its description, its place, and its fixes. */
export interface Finding {
  /** A stable error code, `<group>/<kebab-name>`; `op-sdk explain` explains it. */
  readonly code: FindingCode;
  /** Describes the fault in the user's words; lower case, no full stop at the end. */
  readonly message: string;
  /** Place of the fault: the nearest place that belongs to the user. Absent if the fault has none. */
  readonly where?: Where;
  /** Fixes for the fault: imperative sentences or exact commands. */
  readonly fix?: readonly string[];
}

import { formatFinding, formatRemedy } from './format.ts';
import type { Finding, FindingCode } from './finding.ts';

const brand = Symbol.for('opsdk.OpSdkError');

/** Findings that a message shows in full; `findings` has all. */
const MOST_FINDINGS = 5;
/** Characters of a message beside its summary. */
const MOST_CHARACTERS = 4000;

/**
 * Everything that a user can cause or fix. Carries at least one finding; a check gathers all of its findings before it throws.
 *
 * People meet errors in test runners, logs and `catch` blocks, so the message has the places and fixes too:
 *
 *     [schema/plain-number] MemcachedSpec.size is a plain `number`
 *       at src/api/cache/v1alpha1/memcached.ts:14:3
 *       fix: use Int32 or Int64 from 'opsdk'
 */
export class OpSdkError extends Error {
  /** Everything that is wrong, at least one finding. */
  readonly findings: readonly [Finding, ...Finding[]];
  /** The message without places, fixes and further findings, for quoting it in another message. */
  readonly summary: string;
  readonly [brand] = true;

  /** @param options.summary what replaces `[code] message (and N more)` as the first line of the message */
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

/** The first finding's place and fixes, and the further findings. */
function details(first: Finding, rest: readonly Finding[]): string {
  const remedy = formatRemedy(first);
  const shown = rest.slice(0, MOST_FINDINGS - 1).map((finding) => formatFinding(finding));
  const text = [remedy === '' ? '' : `\n${remedy}`, ...shown.map((each) => `\n\n${each}`)].join('');
  const left = rest.length - shown.length;
  const end = left === 0 ? '' : `\n\n… and ${left} more`;
  return `${text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text}${end}`;
}

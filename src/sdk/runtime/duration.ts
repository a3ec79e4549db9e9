import { OpSdkError } from '../../base/errors/index.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * A duration: milliseconds, or text such as `500ms`, `30s`, `1.5h`, `1h30m`. Convert text with more parts, or from other sources such as a
 * field of a spec, with {@link durationMs}. (`Duration` is the type of such a field.)
 */
export type DurationLike =
  | number
  // Unlike `${number}`, digits and a fraction are without blanks and exponents.
  | `${bigint | `${bigint}.${'' | '0'}${bigint}`}${'ms' | 's' | 'm' | 'h' | 'd'}`
  | `${bigint | `${bigint}.${'' | '0'}${bigint}`}${'s' | 'm' | 'h' | 'd'}${bigint | `${bigint}.${'' | '0'}${bigint}`}${'ms' | 's' | 'm' | 'h'}`;

/**
 * Converts a duration to milliseconds: a number is returned unchanged; text may be `500ms`, `30s`, `1h30m`, `1.5h`, `7d`.
 *
 * @throws OpSdkError `runtime/invalid-duration` for anything else
 *
 * @example
 * return requeueAfter(durationMs(backup.spec.interval));
 */
export function durationMs(duration: number | string): number {
  const milliseconds = typeof duration === 'number' ? duration : parse(duration);
  if (!Number.isFinite(milliseconds)) {
    throw new OpSdkError({
      code: 'runtime/invalid-duration',
      message: `duration: expected milliseconds or text such as '30s', got ${JSON.stringify(duration) ?? String(duration)}`,
      fix: ["use milliseconds, or text such as '500ms', '30s', '1h30m', '7d', without blanks"],
    });
  }
  return milliseconds;
}

function parse(text: string): number {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return NaN;
  let sum = 0;
  for (const [, amount, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)) {
    sum += Number(amount) * (UNITS[unit] ?? NaN);
  }
  return sum;
}

const units: Readonly<Record<string, number>> = {
  y: 31_536_000_000,
  w: 604_800_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
};

const form = /^(?:0|(?:\d+y)?(?:\d+w)?(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?(?:\d+ms)?)$/;

/**
 * Returns the milliseconds of a duration of Prometheus, such as `1h30m`, or undefined for a text that is none. Source: ParseDuration of
 * prometheus/common, which refuses the empty text and more than 292 years.
 */
export function parseDuration(text: string): number | undefined {
  if (text === '' || !form.test(text)) return undefined;
  let milliseconds = 0;
  for (const [, number = '', unit = ''] of text.matchAll(/(\d+)(ms|[ywdhms])/g))
    milliseconds += Number(number) * (units[unit] ?? 0);
  return milliseconds <= 9_223_372_036_854 ? milliseconds : undefined;
}

/**
 * Parses a Retry-After header, which contains seconds or a date.
 * @param now milliseconds since 1970
 * @returns milliseconds to wait, never negative; undefined if the header is absent or invalid
 * @see https://www.rfc-editor.org/rfc/rfc9110.html#section-10.2.3
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Accepts only the date format of HTTP: Date.parse accepts many texts that are not dates, such as `-1`.
  if (!/^[A-Za-z]+,? .*\d{2}:\d{2}:\d{2}/.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

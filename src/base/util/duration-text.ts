/** Formats milliseconds as a duration that Go and the flags of op-sdk accept, with about three digits: `5ms`, `1.28s`, `16m40s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)}ms`;
  if (milliseconds < 60_000) return `${Math.round(milliseconds / 10) / 100}s`;
  let seconds = Math.round(milliseconds / 1000);
  const parts: string[] = [];
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ] as const) {
    const amount = Math.floor(seconds / size);
    seconds -= amount * size;
    if (amount > 0) parts.push(`${amount}${unit}`);
  }
  return parts.join('');
}

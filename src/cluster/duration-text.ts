/** Milliseconds as people write them: `90s`, `2m`, `1m30s`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 1) return `${milliseconds}ms`;
  const minutes = Math.floor(seconds / 60);
  return `${minutes === 0 ? '' : `${minutes}m`}${seconds % 60 === 0 && minutes > 0 ? '' : `${seconds % 60}s`}`;
}

/**
 * Orders two resource versions of one kind: negative if `a` is older, 0 for the same, positive if it is newer. Undefined if they cannot be ordered.
 * Versions are decimal numbers that grow with each write. Source: KEP-5504 "Comparable Resource Version".
 */
export function compareResourceVersions(a: string, b: string): number | undefined {
  if (!isNumeric(a) || !isNumeric(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Decimal digits without leading zeros. They can be more than a JavaScript number holds. */
function isNumeric(version: string): boolean {
  return /^[1-9]\d*$/.test(version);
}

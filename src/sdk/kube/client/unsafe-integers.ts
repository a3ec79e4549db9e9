/** An integer that JavaScript may have rounded, and where. */
export interface UnsafeInteger {
  /** `.spec.size`, `.items[3].value`. */
  readonly path: string;
  readonly value: number;
}

const twoTo63 = 2 ** 63;

/** Returns true if an integer may have been rounded: beyond 2^53-1, up to the range of int64. Greater numbers are floats to the server. */
export function isUnsafeInteger(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) <= twoTo63;
}

/**
 * Integers that may not be what the server stores: beyond 2^53-1, up to the range of int64.
 * Parsing maps several of them to one number, and nothing in that number tells which it was. Greater ones are floats to the server.
 */
export function unsafeIntegers(value: unknown): readonly UnsafeInteger[] {
  const found: UnsafeInteger[] = [];
  visit(value, '', found);
  return found;
}

function visit(value: unknown, path: string, found: UnsafeInteger[]): void {
  if (typeof value === 'number') {
    if (isUnsafeInteger(value)) found.push({ path, value });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(item, `${path}[${index}]`, found);
    return;
  }
  for (const [key, item] of Object.entries(value)) visit(item, `${path}.${key}`, found);
}

/** Fewer digits make no number beyond 2^53-1: without such a run nothing of a text needs to be visited. */
const longRun = 16;

/** Every run of sixteen digits covers a place that sixteen divides: only those are looked at, and what is around digits there. */
export function hasLongDigits(text: string): boolean {
  for (let at = longRun - 1; at < text.length; at += longRun) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let start = at;
    while (start > 0 && at - start < longRun && isDigit(text.charCodeAt(start - 1))) start -= 1;
    let end = at + 1;
    while (end - start < longRun && isDigit(text.charCodeAt(end))) end += 1;
    if (end - start >= longRun) return true;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/**
 * Parses JSON and reports integers that were rounded on the way.
 *
 * @throws SyntaxError
 */
export function parseExactly(text: string, onRounded: (rounded: readonly UnsafeInteger[]) => void): unknown {
  const value: unknown = JSON.parse(text);
  if (hasLongDigits(text)) {
    const rounded = unsafeIntegers(value);
    if (rounded.length > 0) onRounded(rounded);
  }
  return value;
}

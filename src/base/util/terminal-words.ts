/**
 * Returns the candidate that was probably meant: the one with the fewest single-letter edits. The number of edits is at most a third of the
 * length of the word. Ignores letter case.
 */
export function closestName(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.floor(Math.max(word.length, 3) / 3) + 1;
  const meant = word.toLowerCase();
  for (const candidate of candidates) {
    // The edit distance is at least the difference in length, so skip candidates of very different length. This also limits the time for
    // long words.
    if (Math.abs(word.length - candidate.length) >= bestDistance) continue;
    const distance = editDistance(meant, candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Returns the Levenshtein distance of two texts: the minimum number of insertions, deletions and substitutions. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/**
 * Matches characters that a terminal interprets instead of displaying. Control characters in foreign text could overwrite the screen, and
 * direction marks could make it look like other text. Line breaks and tabs are not included.
 */
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns true if a text contains characters that a terminal interprets. A carriage return before a line break counts as part of the line
 * ending.
 */
export function hasHidden(text: string): boolean {
  return text.replaceAll('\r\n', '\n').search(obeyed) >= 0;
}

/** Escapes text as {@link printable} does, and also escapes line breaks and tabs. */
export function printableLine(text: string): string {
  return printable(text.replaceAll('\n', '\\n').replaceAll('\t', '\\t'));
}

/** Escapes characters that a terminal would interpret: the escape character becomes the text `\x1b`, as in `\x1b[31m`. */
export function printable(text: string): string {
  return text.replace(obeyed, (each) => {
    const digits = each.charCodeAt(0).toString(16);
    return digits.length > 2 ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`;
  });
}

/**
 * Returns true if colours may be written to a stream. `NO_COLOR` decides first, then `FORCE_COLOR`; without both, colours are allowed on a
 * terminal. Source: https://no-color.org
 */
export function colorsAllowed(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  if (env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '') return env['FORCE_COLOR'] !== '0';
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

/**
 * The candidate that was probably meant: the one with the fewest single-letter edits, at most a third of the word.
 * Letter case does not count.
 */
export function closestName(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.floor(Math.max(word.length, 3) / 3) + 1;
  const meant = word.toLowerCase();
  for (const candidate of candidates) {
    // Each character too many or too few is an edit: no word takes long because it is long.
    if (Math.abs(word.length - candidate.length) >= bestDistance) continue;
    const distance = editDistance(meant, candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Levenshtein's distance: insertions, deletions and substitutions. */
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

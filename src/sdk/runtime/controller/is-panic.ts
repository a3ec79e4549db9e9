const MISTAKES = [TypeError, ReferenceError, RangeError, SyntaxError, URIError];

/**
 * Returns true for an error for which Go would panic: a mistake in the program, such as reading a property of undefined, rather
 * than something that went wrong in the world. `fetch` throws a TypeError with a cause for the latter.
 */
export function isPanic(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  return error.cause === undefined && MISTAKES.some((mistake) => error instanceof mistake);
}

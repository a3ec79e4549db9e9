const brand = Symbol.for('opsdk.terminal');

/**
 * Marks an error as one that trying again cannot mend: it is logged and counted, and the object is not retried until it
 * changes.
 *
 * @example
 * if (image === '') throw terminal(new Error('spec.image is empty'));
 */
export function terminal(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return Object.assign(new Error(message, { cause: error }), { name: 'TerminalError', [brand]: true });
}

/** True for what `terminal` gave, also as the cause of another error. */
export function isTerminal(error: unknown): boolean {
  const seen = new Set<unknown>();
  // A chain of causes may lead back to itself.
  for (let each = error; each instanceof Error && !seen.has(each); each = each.cause) {
    seen.add(each);
    if (isMarked(each)) return true;
  }
  return false;
}

/** The error that `terminal` was given, for the log: the mark adds nothing to its message and stack. */
export function unmarked(error: unknown): unknown {
  return error instanceof Error && isMarked(error) && error.cause instanceof Error ? error.cause : error;
}

function isMarked(error: Error): boolean {
  return (error as Error & Record<symbol, unknown>)[brand] === true;
}

/**
 * The reader of a block text (`|`, `>`) on a last line that has no line end: `completed`, as Kubernetes' tools, which read files line by line
 * and put an end to each, or `as-written`, as go-yaml and so kustomize, to which the text has no line break at its end either.
 */
export type LastLine = 'completed' | 'as-written';

/** True if the last line of a text has no line end. */
export function hasOpenLine(text: string): boolean {
  return text !== '' && !/[\n\r]$/.test(text);
}

/**
 * A block text that reaches to the end of a file, as it is written: both parsers complete the last line.
 *
 * @param text of the file, whose last line is open
 * @param value of the block text
 * @param countsBlanks whether the parser takes an open line that holds nothing but its indentation for an empty line
 */
export function withoutAddedBreak(text: string, value: string, countsBlanks: boolean): string {
  if (!value.endsWith('\n')) return value;
  const isBlank = /^ *$/.test(text.slice(text.lastIndexOf('\n') + 1));
  // Spaces beyond the indentation are content; only where all breaks are kept a text ends in two of them, or is one.
  const isAdded =
    !isBlank || /(?:^|\n) +\n$/.test(value) || value === '\n' || (countsBlanks && value.endsWith('\n\n'));
  return isAdded ? value.slice(0, -1) : value;
}

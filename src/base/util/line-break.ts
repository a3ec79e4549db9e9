/** Returns the line break to use for lines that are inserted into a text: that of Windows if the text has one. */
export function lineBreakOf(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

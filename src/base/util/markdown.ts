/** A code span; a bar would end the cell of a table even there. */
export function codeSpan(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  const space = text.includes('`') ? ' ' : '';
  return `${fence}${space}${text.replaceAll('|', '\\|').replaceAll('\n', ' ')}${space}${fence}`;
}

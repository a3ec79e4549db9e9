/**
 * The most levels of values inside of values that are read. No manifest needs as many; the parser gives up at some thousands,
 * and far beyond may take the whole process with it.
 */
export const mostYamlLevels = 400;

/**
 * The line, from 1, on which values are nested more deeply than that: by brackets and by indentation, estimated without
 * parsing. Undefined if there is none.
 */
export function tooDeepLine(text: string): number | undefined {
  let brackets = 0;
  const indents: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const [lead = '', dashes = ''] = /^ *((?:[-?:] +)*)/.exec(line) ?? [];
    if (lead.length < line.length) {
      while ((indents.at(-1) ?? -1) >= lead.length) indents.pop();
      indents.push(lead.length);
    }
    let most = indents.length + dashes.length / 2;
    for (const character of line) {
      if (character === '[' || character === '{') most = Math.max(most, ++brackets);
      else if (character === ']' || character === '}') brackets = Math.max(0, brackets - 1);
    }
    if (most > mostYamlLevels) return index + 1;
  }
  return undefined;
}

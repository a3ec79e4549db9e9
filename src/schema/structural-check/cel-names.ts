/** A name in an expression of CEL, outside of its strings and comments. */
export interface CelName {
  readonly name: string;
  /** Behind a dot: a field or a function of what stands before it. */
  readonly isMember: boolean;
}

// Strings with three quotes before those with one, raw ones (no escapes) before others. Source: the grammar of CEL, `STRING_LIT`.
const token =
  /\/\/[^\n\r]*|[rR]?[bB]?[rR]?(?:"""[\s\S]*?"""|'''[\s\S]*?''')|(?:[rR][bB]?|[bB][rR])(?:"[^"\n\r]*"|'[^'\n\r]*')|[bB]?(?:"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')|[A-Za-z_]\w*|\d[\w.]*|[^\s]/g;

/** The names in an expression of CEL, in their order. An expression that is no CEL gives the names that can be found. */
export function celNames(expression: string): readonly CelName[] {
  const names: CelName[] = [];
  let before = '';
  for (const [text] of expression.matchAll(token)) {
    if (text.startsWith('//')) continue;
    if (/^[A-Za-z_]\w*$/.test(text)) names.push({ name: text, isMember: before === '.' || before === '.?' });
    before = before === '.' && text === '?' ? '.?' : text;
  }
  return names;
}

/** Whether a rule compares with the state before. */
export function usesOldSelf(expression: string): boolean {
  return celNames(expression).some(({ name, isMember }) => name === 'oldSelf' && !isMember);
}

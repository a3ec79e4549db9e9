/** A literal of CEL: its type, followed by its value as text. */
export type CelLiteral = readonly ['int' | 'uint' | 'double' | 'string' | 'bytes', string];

/** A token of a CEL expression: a string, a name, a number, or one sign. */
export interface CelToken {
  readonly kind: 'string' | 'name' | 'number' | 'sign';
  readonly text: string;
}

// Triple-quoted strings must be tried before single-quoted strings, and raw strings (without escapes) before other strings. A quote that
// does not begin a string is matched as a sign. Source: the grammar of CEL, `STRING_LIT`, and its operators.
const token =
  /(?<comment>\/\/[^\n]*)|(?<string>(?:[rR][bB]?|[bB][rR])(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n\r]*"|'[^'\n\r]*')|[bB]?(?:"""(?:[^\\]|\\[\s\S])*?"""|'''(?:[^\\]|\\[\s\S])*?''')|[bB]?(?:"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')|`[^`\n\r]*`)|(?<name>[A-Za-z_]\w*)|(?<number>0x[\da-fA-F]+[uU]?(?!\w)|(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?[uU]?(?![\w.])|\d[\w.]*)|(?<sign>==|!=|<=|>=|&&|\|\||[^\s])/g;

/** Returns true if an expression has a comment, which reaches to the end of its line. */
export function hasCelComment(expression: string): boolean {
  return [...expression.matchAll(token)].some(({ groups = {} }) => groups['comment'] !== undefined);
}

/** Splits an expression into tokens, without whitespace and comments. */
export function celTokens(expression: string): readonly CelToken[] {
  return [...expression.matchAll(token)].flatMap(({ groups = {} }): readonly CelToken[] => {
    for (const kind of ['string', 'name', 'number', 'sign'] as const) {
      const text = groups[kind];
      if (text !== undefined) return [{ kind, text }];
    }
    return [];
  });
}

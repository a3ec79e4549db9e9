/** One form of text that a template literal type matches. */
export interface TemplateText {
  /** Regular expression without anchors that matches the text. */
  readonly pattern: string;
  /** The text itself, if the form matches only one text. */
  readonly literal?: string;
  readonly parts: readonly TemplatePart[];
}

/** A part of a template literal type: text, or a type that matches many texts. */
export type TemplatePart = { readonly text: string } | { readonly any: keyof typeof placeholders };

/**
 * Patterns for the types in a template. TypeScript accepts as a number any text that JavaScript converts to a finite number, including
 * white space and hexadecimals. These patterns accept only decimal notation, which `${n}` writes and which authors mean.
 */
const placeholders = {
  string: '[\\s\\S]*',
  number: '[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?',
  bigint: '-?[0-9]+',
} as const;

/** Creates the form of text that one sequence of parts describes. */
export function templateText(parts: readonly TemplatePart[]): TemplateText {
  const pattern = parts
    .map((part) => ('text' in part ? escaped(part.text) : placeholders[part.any]))
    .join('');
  const literal = parts.map((part) => ('text' in part ? part.text : undefined));
  return literal.includes(undefined) ? { pattern, parts } : { pattern, literal: literal.join(''), parts };
}

/**
 * Returns the RE2 pattern of a union of template literals and literals, anchored at both ends. The order of the texts does not affect the
 * pattern.
 */
export function templatePattern(texts: readonly TemplateText[]): string {
  const open = texts.filter(({ literal }) => literal === undefined).map(({ pattern }) => pattern);
  const closed = texts.filter(
    ({ literal }) => literal !== undefined && !open.some((item) => covers(item, literal)),
  );
  const patterns = [...new Set([...open, ...closed.map(({ pattern }) => pattern)])].sort();
  return patterns.length === 1 ? `^${patterns[0] ?? ''}$` : `^(${patterns.join('|')})$`;
}

// Returns true if a template covers a literal. The compiler leaves such a literal out beside the template.
function covers(pattern: string, literal: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(literal);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

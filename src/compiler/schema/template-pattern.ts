/** One form of text that a template literal type matches. A union of such types matches several forms. */
export interface TemplateText {
  /** Regular expression, without anchors, for texts of this form. */
  readonly pattern: string;
  /** The text itself, if only one text has this form. */
  readonly literal?: string;
  readonly parts: readonly TemplatePart[];
}

/** A part of a template literal type: a fixed text, or a placeholder such as `${string}`, which matches many texts. */
export type TemplatePart = { readonly text: string } | { readonly any: keyof typeof placeholders };

/**
 * Patterns for the placeholders of a template literal type. As a number, TypeScript accepts any text that JavaScript converts to a finite
 * number, including white space and hexadecimal notation. These patterns accept only decimal notation, because `${n}` writes it and authors
 * mean it.
 */
const placeholders = {
  string: '[\\s\\S]*',
  number: '[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?',
  bigint: '-?[0-9]+',
} as const;

/** Creates the form of text that a sequence of template parts describes. */
export function templateText(parts: readonly TemplatePart[]): TemplateText {
  const pattern = parts
    .map((part) => ('text' in part ? escaped(part.text) : placeholders[part.any]))
    .join('');
  const literal = parts.map((part) => ('text' in part ? part.text : undefined));
  return literal.includes(undefined) ? { pattern, parts } : { pattern, literal: literal.join(''), parts };
}

/**
 * Returns the RE2 pattern for a union of template literals and string literals. The pattern is anchored at both ends, and does not depend
 * on the order of the union's members.
 */
export function templatePattern(texts: readonly TemplateText[]): string {
  const open = texts.filter(({ literal }) => literal === undefined).map(({ pattern }) => pattern);
  const closed = texts.filter(
    ({ literal }) => literal !== undefined && !open.some((item) => covers(item, literal)),
  );
  const patterns = [...new Set([...open, ...closed.map(({ pattern }) => pattern)])].sort();
  return patterns.length === 1 ? `^${patterns[0] ?? ''}$` : `^(${patterns.join('|')})$`;
}

// Returns true if the pattern of a template literal matches a string literal. TypeScript omits such a literal from a union with the
// template.
function covers(pattern: string, literal: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(literal);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

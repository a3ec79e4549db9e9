/** One form of text that a template literal type matches. */
export interface TemplateText {
  /** As a regular expression without anchors. */
  readonly pattern: string;
  /** The text itself, if there is only one. */
  readonly literal?: string;
  readonly parts: readonly TemplatePart[];
}

/** A part of a template literal type: text, or a type that matches many texts. */
export type TemplatePart = { readonly text: string } | { readonly any: keyof typeof placeholders };

/**
 * Patterns for the types of a template. TypeScript accepts as a number any text that JavaScript converts to a finite one, including white
 * space and hexadecimals; these patterns accept only decimal notation, which is meant, and which `${n}` writes.
 */
const placeholders = {
  string: '[\\s\\S]*',
  number: '[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?',
  bigint: '-?[0-9]+',
} as const;

/** The texts of one sequence of parts. */
export function templateText(parts: readonly TemplatePart[]): TemplateText {
  const pattern = parts
    .map((part) => ('text' in part ? escaped(part.text) : placeholders[part.any]))
    .join('');
  const literal = parts.map((part) => ('text' in part ? part.text : undefined));
  return literal.includes(undefined) ? { pattern, parts } : { pattern, literal: literal.join(''), parts };
}

/**
 * The pattern of a union of template literals and literals, anchored at both ends; RE2, as the API server reads it. The same for the same
 * texts in any order.
 */
export function templatePattern(texts: readonly TemplateText[]): string {
  const open = texts.filter(({ literal }) => literal === undefined).map(({ pattern }) => pattern);
  const closed = texts.filter(
    ({ literal }) => literal !== undefined && !open.some((item) => covers(item, literal)),
  );
  const patterns = [...new Set([...open, ...closed.map(({ pattern }) => pattern)])].sort();
  return patterns.length === 1 ? `^${patterns[0] ?? ''}$` : `^(${patterns.join('|')})$`;
}

// The compiler leaves a literal out beside a template that covers it.
function covers(pattern: string, literal: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(literal);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

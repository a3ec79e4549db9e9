import { parseCelExpression } from './parse-cel.ts';

/**
 * An expression of CEL as text that is the same for expressions with the same syntax tree: whitespace, comments, the kind of quotes,
 * escapes, and parentheses without effect do not count. Text that is not CEL stands for itself.
 */
export function canonicalCel(expression: string): string {
  const parsed = parseCelExpression(expression);
  if ('problem' in parsed) return expression.trim();
  try {
    return JSON.stringify(parsed.tree, (key, value: unknown) => (key === 'isQuoted' ? undefined : value));
  } catch (error) {
    if (error instanceof RangeError) return expression.trim();
    throw error;
  }
}

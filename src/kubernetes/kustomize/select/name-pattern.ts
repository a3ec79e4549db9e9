import { RE2JS } from 're2js';

/** Returns true for a name, or another part of an id, that matches a pattern of a selector. */
export type NameTest = (text: string) => boolean;

/**
 * Reads a pattern: a regular expression of Go.
 *
 * @param pattern undefined or empty for one that everything matches
 * @param where `whole` if it must match all of the text, as in selectors
 * @throws RE2JSException, which extends Error
 */
export function parseNamePattern(
  pattern: string | undefined,
  where: 'whole' | 'anywhere' = 'whole',
): NameTest {
  if (pattern === undefined || pattern === '') return () => true;
  // Almost every pattern is a plain name.
  if (/^[\w-]+$/.test(pattern))
    return (text) => (where === 'whole' ? text === pattern : text.includes(pattern));
  const compiled = RE2JS.compile(where === 'whole' ? `^(?:${pattern})$` : pattern);
  return (text) => compiled.matcher(text).find();
}

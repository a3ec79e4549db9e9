/**
 * The plural that Kubernetes tools give a kind by default; a project's file names it only if it differs.
 * The same rule as `defaultPlural` of the api room, which ships inside operators and knows no tools; a test compares them.
 */
export function defaultPlural(kind: string): string {
  const word = kind.toLowerCase();
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return `${word}s`;
}

/** The plural that Kubernetes tools give a kind by default: lower case, English regular forms (kubebuilder's `resource.RegularPlural`). */
export function defaultPlural(kind: string): string {
  const word = kind.toLowerCase();
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return `${word}s`;
}

/**
 * Returns the plural that Kubernetes tools use for a kind by default: lower case, with regular English endings (kubebuilder's
 * `resource.RegularPlural`).
 */
export function defaultPlural(kind: string): string {
  const word = kind.toLowerCase();
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return `${word}s`;
}

/** Returns the default path of a kind's webhook, as controller-runtime's `generateMutatePath` and `generateValidatePath` do. */
export function defaultWebhookPath(
  role: 'defaulting' | 'validation',
  { group, version, kind }: { readonly group: string; readonly version: string; readonly kind: string },
): string {
  const verb = role === 'defaulting' ? 'mutate' : 'validate';
  return `/${verb}-${group.replaceAll('.', '-')}-${version}-${kind.toLowerCase()}`;
}

/** Returns the group of an apiVersion: `apps` for `apps/v1`, `''` (the core group) for `v1`. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

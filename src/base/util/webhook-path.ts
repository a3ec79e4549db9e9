/** Where the webhook of a kind is served unless it says otherwise. As controller-runtime's `generateMutatePath` and `generateValidatePath`. */
export function defaultWebhookPath(
  role: 'defaulting' | 'validation',
  { group, version, kind }: { readonly group: string; readonly version: string; readonly kind: string },
): string {
  const verb = role === 'defaulting' ? 'mutate' : 'validate';
  return `/${verb}-${group.replaceAll('.', '-')}-${version}-${kind.toLowerCase()}`;
}

const protocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/**
 * Returns the address if a link may lead to it: `http`, `https` or `mailto`. Scripts, files, data and addresses without a host are refused.
 * @returns undefined for any other text
 */
export function webAddress(text: string): string | undefined {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return undefined;
  }
  return protocols.has(url.protocol) ? url.href : undefined;
}

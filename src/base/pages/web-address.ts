const protocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/**
 * The address that a link may lead to: of the web, or of mail. Scripts, files, data and addresses without a host are none.
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

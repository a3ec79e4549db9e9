const references: Readonly<Record<string, string>> = {
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

/** Escapes a text as Go's encoding/xml does. Characters that XML cannot contain become U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(/["'&<>\t\n\r]/g, (character) => references[character] ?? character)
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd');
}

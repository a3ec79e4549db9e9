/** The formats that catalogues show, by how such a file begins. Source: operator-framework/api `validateIcon`. */
const formats: readonly (readonly [string, (content: Buffer) => boolean])[] = [
  ['image/png', (content) => content.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]))],
  ['image/jpeg', (content) => content.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['image/gif', (content) => content.subarray(0, 4).toString('latin1') === 'GIF8'],
  // Declarations and comments may come before the element.
  ['image/svg+xml', (content) => /^\uFEFF?\s*<(?:[?!][\s\S]*<)?svg[\s/>]/i.test(content.toString('utf8'))],
];

/** The media type of an image, by its first bytes; undefined if catalogues do not show it. */
export function iconMediaType(content: Buffer): string | undefined {
  return formats.find(([, matches]) => matches(content))?.[0];
}

/**
 * Finds what would run where a text is shown as HTML or SVG: an element `script`, a handler of events, an address of JavaScript.
 * @returns the beginning of it, as it is written; undefined if nothing would run
 */
export function scriptIn(markup: string): string | undefined {
  return /<script\b|<[^<>]*\son[a-z]+\s*=|\bjavascript:/i.exec(markup)?.[0].slice(0, 60);
}

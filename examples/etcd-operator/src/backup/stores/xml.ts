const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Returns the content of each element of a name, in the order of the text. Made for the flat answers of S3, whose elements are not nested in
 * elements of the same name and have no CDATA: keys are asked for in the encoding of URLs.
 */
export function elementsOf(xml: string, name: string): readonly string[] {
  const pattern = new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g');
  return [...xml.matchAll(pattern)].map(([, content = '']) => content);
}

/** Returns the text of the first element of a name, or undefined if there is none. */
export function elementOf(xml: string, name: string): string | undefined {
  const [content] = elementsOf(xml, name);
  return content?.replace(
    /&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi,
    (whole, decimal?: string, hex?: string, named = '') => {
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      return entities[String(named)] ?? whole;
    },
  );
}

import { sourceMapOfSplices } from './source-map.ts';

/** Replacement of a part of a source text, on one line. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * A source text with splices, such as manifests in place of their paths, and an inline source map back to the text as the user wrote it.
 * @param fileName what the map calls the original: the name of the file without folders
 */
export function inlineManifests(text: string, fileName: string, splices: readonly Splice[]): string {
  const replacements = [...splices].sort((a, b) => a.start - b.start);
  let inlined = '';
  let position = 0;
  for (const { start, end, text: literal } of replacements) {
    inlined += text.slice(position, start) + literal;
    position = end;
  }
  const map = sourceMapOfSplices(text, fileName, replacements);
  const encoded = Buffer.from(JSON.stringify(map)).toString('base64');
  return `${inlined}${text.slice(position)}\n//# sourceMappingURL=data:application/json;base64,${encoded}\n`;
}

/** JSON as a JavaScript expression of one line. */
export function jsonLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonLiteral).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, part]) => {
    // As a plain key it would set the prototype.
    const key = name === '__proto__' ? '["__proto__"]' : JSON.stringify(name);
    return `${key}:${jsonLiteral(part)}`;
  });
  return `{${entries.join(',')}}`;
}

/** Replacement of a part of a source text, on one line. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Returns a source text with splices, such as manifests in place of their paths, and an inline source map back to the original text.
 * @param fileName name of the original in the map: the name of the file without folders
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
    // A plain `__proto__` key would set the prototype.
    const key = name === '__proto__' ? '["__proto__"]' : JSON.stringify(name);
    return `${key}:${jsonLiteral(part)}`;
  });
  return `{${entries.join(',')}}`;
}

/** A source map. Source: https://tc39.es/ecma426/, version 3. */
interface SourceMap {
  readonly version: 3;
  readonly sources: readonly [string];
  readonly sourcesContent: readonly [string];
  readonly names: readonly [];
  readonly mappings: string;
}

/** A range of the original that was replaced. Ranges are in order and do not overlap; the new text has no line breaks. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the source map of a text with replacements, with a segment for each word and each punctuation character. */
function sourceMapOfSplices(
  original: string,
  fileName: string,
  replacements: readonly Replacement[],
): SourceMap {
  const segments: string[][] = [[]];
  let column = 0;
  // Fields of a segment are relative to the previous segment; the generated column restarts at 0 on each line.
  let last = { column: 0, line: 0, originalColumn: 0 };
  let line = 0;
  let lineStart = 0;
  const mark = (offset: number): void => {
    const originalColumn = offset - lineStart;
    const fields = [column - last.column, 0, line - last.line, originalColumn - last.originalColumn];
    segments.at(-1)?.push(fields.map(base64Vlq).join(''));
    last = { column, line, originalColumn };
  };
  const pending = [...replacements];
  const tokens = /\n|[^\S\n]+|\w+|[^\s\w]/g;
  for (let token = tokens.exec(original); token !== null; token = tokens.exec(original)) {
    const replacement = pending[0];
    if (replacement !== undefined && token.index === replacement.start) {
      pending.shift();
      mark(replacement.start);
      column += replacement.text.length;
      // Line breaks inside the replaced range are missing in the result but count in the original.
      for (
        let at = original.indexOf('\n', replacement.start);
        at !== -1 && at < replacement.end;
        at = original.indexOf('\n', at + 1)
      ) {
        line += 1;
        lineStart = at + 1;
      }
      tokens.lastIndex = replacement.end;
    } else if (token[0] === '\n') {
      segments.push([]);
      last = { ...last, column: 0 };
      column = 0;
      line += 1;
      lineStart = token.index + 1;
    } else {
      if (/\S/.test(token[0])) mark(token.index);
      column += token[0].length;
    }
  }
  const mappings = segments.map((parts) => parts.join(',')).join(';');
  return { version: 3, sources: [fileName], sourcesContent: [original], names: [], mappings };
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Encodes a number as Base64 VLQ: the sign in the lowest bit, then five bits per digit, lowest digits first; the sixth bit marks that more
 * digits follow.
 */
function base64Vlq(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += digits.charAt(rest > 0 ? digit | 32 : digit);
  } while (rest > 0);
  return text;
}

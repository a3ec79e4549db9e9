/** Replacement for a range of a source text. The new text has only one line. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Returns a source text in which splices are applied, such as manifests in place of their paths. Appends an inline source map that leads
 * back to the original text.
 * @param fileName name of the original file in the source map, without folders
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

/** Formats a JSON value as a JavaScript expression on one line. */
export function jsonLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonLiteral).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, part]) => {
    // A plain key `__proto__` in an object literal would set the prototype instead of a property.
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

/**
 * A range of the original text that was replaced. All ranges are in ascending order and do not overlap. The new text does not contain line
 * breaks.
 */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the source map of a text with replacements. The map has a segment for each word and each punctuation character. */
function sourceMapOfSplices(
  original: string,
  fileName: string,
  replacements: readonly Replacement[],
): SourceMap {
  const segments: string[][] = [[]];
  let column = 0;
  // Each field of a segment is relative to the same field of the previous segment. The generated column restarts at 0 on each line.
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
      // Count the line breaks inside the replaced range, because the original has them, although the result does not.
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
 * Encodes a number as Base64 VLQ. The sign is in the lowest bit. Each digit has five bits, and the lowest digits come first. The sixth bit
 * of a digit is set if more digits follow.
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

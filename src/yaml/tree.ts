import { LineCounter, parseDocument, type Document } from 'yaml';

export { isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from 'yaml';

/** A document with all its nodes and their places, for readers that judge every key of a file, such as PROJECT. */
export interface YamlTree {
  /** The root; null for an empty document. */
  readonly contents: Document.Parsed['contents'];
  readonly errors: readonly { readonly message: string; readonly offset: number }[];
  /** Line and column, from 1, of an offset in the text. */
  placeAt(offset: number): { readonly line: number; readonly column: number };
}

/** Parses the text of one document. */
export function parseYamlTree(text: string): YamlTree {
  const lines = new LineCounter();
  const { contents, errors } = parseDocument(text, { lineCounter: lines });
  return {
    contents,
    errors: errors.map(({ code, message, pos }) => {
      const [first = code] = message.split('\n');
      return { message: first.replace(/ at line.*$/, ''), offset: pos[0] };
    }),
    placeAt: (offset) => {
      const { line, col } = lines.linePos(offset);
      return { line, column: col };
    },
  };
}

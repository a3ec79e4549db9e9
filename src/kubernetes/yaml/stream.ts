/**
 * Matches a line at which Kubernetes' Go tools end a document: `---`, then nothing or a comment. Source: apimachinery
 * `pkg/util/yaml/decoder.go`, `YAMLReader.Read`.
 */
const markerLine = /^---\s*(?:#.*)?$/;

/** Returns true if a line, with or without its line break, ends a document. */
export function isMarkerLine(line: string): boolean {
  return markerLine.test(line.trimEnd());
}

/** Matches an empty line or a comment. */
const emptyLine = /^\s*(?:#.*)?$/;

/** A document of a stream: its text, and the line of the stream on which it begins; the first line is 1. */
export interface StreamPart {
  readonly text: string;
  readonly line: number;
}

/**
 * Splits a file into documents like apimachinery's `YAMLOrJSONDecoder`. Returns one text for each document. A comment or an empty line
 * before the first `---` is a separate document. Therefore tools that read only the first document, like all tools of operator-framework,
 * read only this comment.
 *
 * @returns at least one text, unless the file is empty
 */
export function cutYamlStream(text: string): readonly StreamPart[] {
  return [...yamlStreamParts(text)];
}

/** Splits a file like {@link cutYamlStream}, but yields one document at a time, because all documents together may not fit into memory. */
export function* yamlStreamParts(text: string): Generator<StreamPart, void> {
  let start = 0;
  let startLine = 1;
  let line = 1;
  let counted = 0;
  for (let at = text.startsWith('---') ? 0 : after(text, 0); at !== -1; at = after(text, at + 1)) {
    const end = text.indexOf('\n', at);
    // A `---` line at the start of a document, or without a line break after it, belongs to the document and does not end it.
    if (at === start || !isMarkerLine(text.slice(at, end === -1 ? undefined : end))) continue;
    line += linesIn(text, counted, at);
    yield { text: text.slice(start, at), line: startLine };
    start = counted = end === -1 ? text.length : end + 1;
    startLine = line += 1;
  }
  if (start < text.length) yield { text: text.slice(start), line: startLine };
}

/** Returns the offset of the next line that begins with `---`; -1 if no such line follows. */
function after(text: string, from: number): number {
  const found = text.indexOf('\n---', from);
  return found === -1 ? -1 : found + 1;
}

function linesIn(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** Returns true if the text of a document, as returned by `cutYamlStream`, has only comments, empty lines and a `---` line. */
export function isEmptyDocument(document: string): boolean {
  for (let start = 0; start < document.length;) {
    const end = document.indexOf('\n', start);
    const line = document.slice(start, end === -1 ? undefined : end);
    if (!emptyLine.test(line) && !markerLine.test(line.trimEnd())) return false;
    start += line.length + 1;
  }
  return true;
}

/**
 * Removes the first `---` line if only comments and empty lines precede it. The values do not change, but tools that read only the first
 * document would otherwise read only the comment.
 *
 * @returns the same text if nothing must be removed
 */
export function withoutMarkerAfterComment(text: string): string {
  const lines = text.split(/(?<=\n)/);
  const index = lines.findIndex((line) => !emptyLine.test(line.trimEnd()));
  const marker = lines[index];
  if (index < 1 || marker === undefined || !markerLine.test(marker.trimEnd())) return text;
  return [...lines.slice(0, index), ...lines.slice(index + 1)].join('');
}

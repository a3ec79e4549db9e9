/**
 * A line that ends a document for Kubernetes' Go tools: `---`, then nothing or a comment.
 * Source: apimachinery `pkg/util/yaml/decoder.go`, `YAMLReader.Read`.
 */
const markerLine = /^---\s*(?:#.*)?$/;
/** A line that says nothing. */
const emptyLine = /^\s*(?:#.*)?$/;

/**
 * The documents of a file as apimachinery's `YAMLOrJSONDecoder` hands them out, one text each. A comment or an empty line before
 * the first `---` is a document of its own for it: readers of one document, which all of operator-framework's are, get nothing else.
 *
 * @returns at least one text, unless the file is empty
 */
export function cutYamlStream(text: string): readonly string[] {
  const documents: string[] = [];
  let lines: string[] = [];
  for (const line of text.split(/(?<=\n)/)) {
    // At the beginning of a document the marker belongs to it.
    if (lines.length > 0 && markerLine.test(line.trimEnd())) {
      documents.push(lines.join(''));
      lines = [];
    } else lines.push(line);
  }
  if (lines.length > 0 && lines.join('') !== '') documents.push(lines.join(''));
  return documents;
}

/** Whether a document of `cutYamlStream` holds comments, empty lines and a marker only. */
export function isEmptyDocument(document: string): boolean {
  return document.split('\n').every((line) => emptyLine.test(line) || markerLine.test(line.trimEnd()));
}

/**
 * The text without the first `---` line, if only comments and empty lines come before it. Every YAML reader reads the same values
 * from both texts; readers of one document read the comment only from the first one.
 *
 * @returns the same text if there is nothing to remove
 */
export function withoutMarkerAfterComment(text: string): string {
  const lines = text.split(/(?<=\n)/);
  const index = lines.findIndex((line) => !emptyLine.test(line.trimEnd()));
  const marker = lines[index];
  if (index < 1 || marker === undefined || !markerLine.test(marker.trimEnd())) return text;
  return [...lines.slice(0, index), ...lines.slice(index + 1)].join('');
}

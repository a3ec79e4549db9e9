import {
  isCollection,
  isPair,
  isScalar,
  LineCounter,
  parseAllDocuments,
  Scalar,
  type Document,
  type ParsedNode,
  isAlias,
  isNode,
  isSeq,
  isMap,
} from 'yaml';
import { type Finding, OpSdkError, FindingList } from '../../base/errors/index.ts';
import { yamlToJson, type JsonPathSegment } from './document-to-json.ts';

/** A position in a file, as shown in findings. The first line and the first column are 1. */
export interface YamlPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One document of a YAML file. */
export interface YamlDocument {
  /** The value of the document as plain JSON; null for an empty document. */
  readonly value: unknown;
  /**
   * Returns the position of the value at a path: of its key in a mapping, or of its item in a list. If the path does not exist, returns the
   * position of the nearest value that contains it, so that missing values can be reported, too.
   *
   * @example document.locate(['spec', 'template', 'spec', 'containers', 0, 'image'])
   */
  locate(path: readonly JsonPathSegment[]): YamlPlace;
}

/**
 * Reads a file that contains one YAML document, such as PROJECT or a kustomization. The file may also be JSON, because JSON is YAML.
 *
 * @param file the name shown in findings, relative to the folder in which the command runs
 * @param lastLine treatment of a block scalar on a last line without line end
 * @throws OpSdkError like `parseYamlDocuments`; also `io/yaml-syntax` if the file contains several documents
 */
export function parseYaml(text: string, file: string, lastLine: LastLine = 'completed'): YamlDocument {
  const [first, second] = parse(text, file, 'keep-empty', () => true, lastLine);
  if (first === undefined) return emptyDocument(file);
  if (second !== undefined) {
    throw new OpSdkError({
      code: 'io/yaml-syntax',
      message: 'the file holds several YAML documents, where one is expected',
      where: second.locate([]),
      fix: ['remove the `---` line and what follows, or put each document into a file of its own'],
    });
  }
  return first;
}

/**
 * Parses a file of YAML documents separated by `---`, such as a manifest. Like in kubectl, empty documents are skipped.
 *
 * Values are read as YAML 1.2 (core schema, with `<<` merges). Kubernetes' own tools read YAML 1.1. If they would read another value (`on`,
 * `0644`, `1_000`), the file is refused because it is ambiguous.
 *
 * @param file the name shown in findings, relative to the folder in which the command runs
 * @param concerns returns true for documents to check. In other documents, ambiguous values and values that JSON cannot represent are
 * accepted. Default: all documents are checked.
 * @throws OpSdkError with all findings of the file: `io/yaml-syntax`, `io/yaml-ambiguous`, `io/yaml-not-json`
 */
export function parseYamlDocuments(
  text: string,
  file: string,
  concerns: (value: unknown) => boolean = () => true,
): readonly YamlDocument[] {
  return parse(text, file, 'skip-empty', concerns);
}

function parse(
  text: string,
  file: string,
  empty: 'keep-empty' | 'skip-empty',
  concerns: (value: unknown) => boolean = () => true,
  lastLine: LastLine = 'completed',
): YamlDocument[] {
  const lines = new LineCounter();
  const findings = new FindingList();
  const place = (offset: number): YamlPlace => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const tooDeep = tooDeepLine(text);
  if (tooDeep !== undefined) {
    throw new OpSdkError({
      code: 'io/yaml-syntax',
      message: `values are nested more than ${mostYamlLevels} levels deep`,
      where: { file, line: tooDeep, column: 1 },
      fix: ['flatten the document'],
    });
  }
  // The library's own merging and its check for duplicate keys are not used, because it treats `1` and `"1"` as different keys. yamlToJson
  // merges mappings and checks for duplicate keys instead.
  const parsed = parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
  });
  for (const { index, 0: character } of text.matchAll(/[\u0085\u2028\u2029]/g)) {
    const name = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    findings.add({
      code: 'io/yaml-ambiguous',
      message: `the character ${name} ends the line in YAML 1.1, but not in YAML 1.2`,
      where: place(index),
      fix: [`write the text in double quotes, with \\u${name.slice(2)} for the character`],
    });
  }
  const documents: YamlDocument[] = [];
  // For an empty stream, the library returns an object instead of a list of documents.
  for (const document of Array.isArray(parsed) ? (parsed as Document.Parsed[]) : []) {
    for (const problem of [...document.errors, ...document.warnings]) {
      findings.add({
        code: problem.code === 'TAG_RESOLVE_FAILED' ? 'io/yaml-not-json' : 'io/yaml-syntax',
        message: lowerFirst(problem.message),
        where: place(problem.pos[0]),
        fix: [problem.code === 'TAG_RESOLVE_FAILED' ? 'remove the tag' : correctYaml],
      });
    }
    if (document.errors.length > 0) continue;
    if (lastLine === 'as-written' && hasOpenLine(text)) openLastText(document.contents, text);
    const complaints: Finding[] = [];
    const value = yamlToJson(document, (code, offset, message, fix = correctYaml) =>
      complaints.push({ code, message, where: place(offset), fix: [fix] }),
    );
    if (concerns(value)) findings.add(...complaints);
    else findings.add(...complaints.filter(({ code }) => code === 'io/yaml-syntax'));
    if (empty === 'skip-empty' && isEmpty(document.contents)) continue;
    documents.push({ value, locate: (path) => place(nodeAt(document, path)) });
  }
  findings.throwIfAny();
  return documents;
}

/** Removes the line break that the parser has added to a block scalar at the end of a file. */
function openLastText(contents: ParsedNode | null, text: string): void {
  let last: unknown = contents;
  for (let item = last; item !== undefined && item !== null;) {
    last = item;
    item = isPair(item) ? (item.value ?? item.key) : isCollection(item) ? item.items.at(-1) : undefined;
  }
  if (!isScalar(last) || (last.type !== Scalar.BLOCK_LITERAL && last.type !== Scalar.BLOCK_FOLDED)) return;
  if (typeof last.value === 'string' && (last.range?.[1] ?? 0) >= text.length)
    last.value = withoutAddedBreak(text, last.value, false);
}

function isEmpty(contents: ParsedNode | null): boolean {
  return contents === null || (isScalar(contents) && contents.value === null && contents.source === '');
}

function emptyDocument(file: string): YamlDocument {
  return { value: null, locate: () => ({ file, line: 1, column: 1 }) };
}

/** The fix for findings that have no specific fix. */
const correctYaml = 'correct the YAML at this place';

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/**
 * Treatment of a block scalar (`|`, `>`) on a last line without line end. `completed` adds a line break to the value, like Kubernetes'
 * tools, which read files by lines and terminate each line. `as-written` adds no line break, like go-yaml and kustomize, so the value does
 * not end in a line break.
 */
export type LastLine = 'completed' | 'as-written';

/** Returns true if the last line of a text has no line end. */
export function hasOpenLine(text: string): boolean {
  return text !== '' && !/[\n\r]$/.test(text);
}

/**
 * Returns the value of a block scalar at the end of a file as written. This is needed because both YAML parsers add a line break to the
 * last line.
 *
 * @param text the text of the file, whose last line has no line end
 * @param value the value of the block scalar, as parsed
 * @param countsBlanks true if the parser treats a last line of nothing but indentation as an empty line
 */
export function withoutAddedBreak(text: string, value: string, countsBlanks: boolean): string {
  if (!value.endsWith('\n')) return value;
  const isBlank = /^ *$/.test(text.slice(text.lastIndexOf('\n') + 1));
  // Spaces beyond the indentation are content of the block scalar. A value ends in two line breaks, or is a single line break, only if the
  // block scalar keeps all line breaks (`+`).
  const isAdded =
    !isBlank || /(?:^|\n) +\n$/.test(value) || value === '\n' || (countsBlanks && value.endsWith('\n\n'));
  return isAdded ? value.slice(0, -1) : value;
}

/**
 * Maximum nesting depth of values, which is more than any manifest needs. The limit is needed because the parser fails at some thousand
 * levels, and far deeper nesting may crash the entire process.
 */
export const mostYamlLevels = 400;

/**
 * Returns the line on which values exceed the maximum depth; the first line is 1. The depth is estimated from brackets and indentation,
 * without parsing. Returns undefined if no line exceeds it.
 */
function tooDeepLine(text: string): number | undefined {
  let brackets = 0;
  const indents: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const [lead = '', dashes = ''] = /^ *((?:[-?:] +)*)/.exec(line) ?? [];
    if (lead.length < line.length) {
      while ((indents.at(-1) ?? -1) >= lead.length) indents.pop();
      indents.push(lead.length);
    }
    let most = indents.length + dashes.length / 2;
    for (const character of line) {
      if (character === '[' || character === '{') most = Math.max(most, ++brackets);
      else if (character === ']' || character === '}') brackets = Math.max(0, brackets - 1);
    }
    if (most > mostYamlLevels) return index + 1;
  }
  return undefined;
}

/**
 * Returns the offset in the text of the value at the path. If the path does not exist, returns the offset of the nearest value that
 * contains it.
 */
function nodeAt(document: Document.Parsed, path: readonly JsonPathSegment[]): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? document.range[0];
  for (const segment of path) {
    if (isAlias(node)) node = node.resolve(document);
    const next = child(node, segment);
    if (next === undefined) break;
    offset = startOf(next.at) ?? offset;
    node = next.value;
  }
  return offset;
}

function child(node: unknown, segment: JsonPathSegment): { at: unknown; value: unknown } | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(segment)];
    return item === undefined ? undefined : { at: item, value: item };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(segment));
  return pair === undefined ? undefined : { at: pair.key, value: pair.value };
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

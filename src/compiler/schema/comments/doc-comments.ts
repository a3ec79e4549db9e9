import type ts from 'typescript';
import { isProjectFile, type SourceProgram } from '../../source/index.ts';
import type { Doc, Problem, Tag } from '../shape.ts';
import { isForPeople, readTagName, writtenName, parseDescription } from '../tags/tag-names.ts';
import { placementProblems, commentBlock, inlineBlocks, type CommentBlock } from './doc-placement.ts';

/** Reads doc comments as they are written. Each declaration has one `Doc`, even if it has no comment. */
export interface DocReader {
  of(node: ts.Node): Doc;
  byId(id: number): Doc;
}

/**
 * Creates a reader for doc comments. The schema generator has its own reader, but that reader keeps only the last of repeated tags, parses
 * values before their type is known, and joins lines. This reader uses the compiler's positions of comments and tags, and the source text
 * between these positions.
 */
export function createDocReader(source: SourceProgram): DocReader {
  const byNode = new Map<ts.Node, Doc>();
  const docs: Doc[] = [];
  return {
    of(node) {
      const known = byNode.get(node);
      if (known !== undefined) return known;
      const doc = readDoc(source, node, docs.length);
      byNode.set(node, doc);
      docs.push(doc);
      return doc;
    },
    byId(id) {
      const doc = docs[id];
      if (doc === undefined) throw new RangeError(`no doc comment has the id ${id}`);
      return doc;
    },
  };
}

function readDoc(source: SourceProgram, node: ts.Node, id: number): Doc {
  const { ts } = source;
  const file = node.getSourceFile();
  const attached = (node as { jsDoc?: ts.JSDoc[] }).jsDoc ?? [];
  const blocks = attached.length > 0 ? attached.map(blockOf) : inlineBlocks(ts, node);
  const block = blocks.at(-1);
  const { text, tags } = block === undefined ? { text: '', tags: [] } : readBlock(file, block);
  const described = tags.find((tag) => tag.name === 'description');
  const description = described === undefined ? (text === '' ? undefined : text) : exactText(described);
  return {
    id,
    label: labelOf(ts, node),
    kind: isMember(ts, node) ? 'member' : 'declaration',
    node,
    ...(description === undefined ? {} : { description }),
    tags: tags.filter((tag) => !isForPeople(tag.name, tag.text)),
    advice: isProjectFile(source.program, file) ? defaultsForPeople(tags) : [],
    problems: [
      ...detachedBlocks(file, blocks.slice(0, -1)),
      ...(block === undefined ? [] : goMarkers(file, block, text)),
      ...tags.flatMap(descriptionProblems),
      ...cutValues(tags),
      ...(described !== undefined && text !== '' ? [twoTexts(described)] : []),
      ...placementProblems(ts, node),
    ],
  };
}

function exactText(tag: Tag): string | undefined {
  const parsed = parseDescription(tag.text);
  return 'value' in parsed ? parsed.value : undefined;
}

/** Errors in `@description` and `@items.description`, which are read before the other tags. */
function descriptionProblems(tag: Tag): Problem[] {
  if (readTagName(tag.name).base !== 'description') return [];
  const parsed = parseDescription(tag.text);
  if ('value' in parsed) return [];
  return [
    {
      code: 'schema/tag-value',
      message: `@${writtenName(tag)} ${parsed.problem}`,
      fix: ['write the text in double quotes, with \\n for a line break'],
      at: tag,
    },
  ];
}

/** Tags whose values are texts. A word with an `@` inside of such a value begins the next tag. */
const textTags: ReadonlySet<string> = new Set([
  'allow',
  'cel',
  'default',
  'displayName',
  'example',
  'externalDocs',
  'pattern',
  'title',
]);

/** Reports a documentation tag that follows a value on the same line, because the author probably meant it as a part of the value. */
function cutValues(tags: readonly Tag[]): Problem[] {
  return tags.flatMap((tag, index): readonly Problem[] => {
    const before = tags[index - 1];
    if (
      before === undefined ||
      !isForPeople(tag.name, tag.text) ||
      !textTags.has(readTagName(before.name).base)
    )
      return [];
    if (tag.file.text.slice(before.position, tag.position).includes('\n')) return [];
    return [
      {
        code: 'schema/ignored-comment',
        message: `the value of @${before.name} is cut off before @${tag.name}, which TypeScript reads as another tag`,
        fix: [
          `put @${tag.name} on a line of its own`,
          'or, if it belongs to the value, write the value with `@k8s {json}` and \\u0040 for the @',
        ],
        at: tag,
      },
    ];
  });
}

const twoTexts = (tag: Tag): Problem => ({
  code: 'schema/tag-value',
  message: 'the comment has two descriptions: text above the tags, and @description, which would replace it',
  fix: ['keep one of the two'],
  at: tag,
});

function blockOf({ pos, end, tags }: ts.JSDoc): CommentBlock {
  return { pos, end, tags: (tags ?? []).map((tag) => tag.pos) };
}

function readBlock(
  file: ts.SourceFile,
  block: CommentBlock,
): { readonly text: string; readonly tags: Tag[] } {
  const start = block.pos + '/**'.length;
  const [description, ...rest] = commentParts(file.text, start, block.tags, block.end - '*/'.length);
  const tags = rest.map(({ position, raw }) => {
    const name = /^@([^\s{*]*)/.exec(raw)?.[1] ?? '';
    return { name, text: withoutMargin(raw.slice(1 + name.length)), file, position };
  });
  return { text: withoutMargin(description?.raw ?? ''), tags };
}

/** Returns the tags of the doc comment at a given position of a file. */
export function commentTags(source: SourceProgram, file: ts.SourceFile, range: ts.TextRange): readonly Tag[] {
  return readBlock(file, commentBlock(source.ts, file, range)).tags;
}

/** Reports TSDoc's `@defaultValue`, which documents a default for people but has no effect in the API server. */
function defaultsForPeople(tags: readonly Tag[]): Problem[] {
  if (tags.some((tag) => tag.name === 'default')) return [];
  return tags
    .filter((tag) => tag.name === 'defaultValue')
    .map((tag) => ({
      code: 'schema/default-for-people',
      message: '@defaultValue only documents a value: the API server will not fill it in as a default',
      fix: [`write \`@default ${tag.text.replace(/^`(.*)`$/s, '$1')}\` for a default in the schema`],
      at: tag,
    }));
}

/**
 * Returns the text of a comment without the stars in front of its lines and without blank edges. Also resolves the escape for the end of a
 * comment: `*\/` means a star and a slash, and each further backslash between them is a backslash.
 */
export function withoutMargin(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line, index) => (index === 0 ? line.trim() : line.replace(/^[ \t]*(?:\* ?)?/, '').trimEnd()))
    .join('\n')
    .trim()
    .replace(/\*\\(\\*)\//g, '*$1/');
}

function detachedBlocks(file: ts.SourceFile, blocks: readonly CommentBlock[]): Problem[] {
  return blocks
    .filter((block) => block.tags.length > 0)
    .map((block) => ({
      code: 'schema/ignored-comment',
      message:
        'the tags of this doc comment are ignored: another doc comment follows it, and only the last one in front of a declaration counts',
      fix: ['join the comments into one'],
      at: { file, position: block.pos },
    }));
}

const goMarker =
  /^\+(?:kubebuilder:|k8s:|operator-sdk:|optional\b|required\b|nullable\b|default=|enum\b|listType=|listMapKey=|mapType=|structType=)/m;

function goMarkers(file: ts.SourceFile, block: CommentBlock, description: string): Problem[] {
  const marker = goMarker.exec(description);
  if (marker === null) return [];
  return [
    {
      code: 'schema/go-marker',
      message: `\`${marker[0]}…\` is a marker of the Go tools, which op-sdk does not read: it would only become part of the description`,
      fix: ["write it as a tag of op-sdk, such as `@minimum 1`; op-sdk's tags are listed in docs/crd.md"],
      at: { file, position: block.pos },
    },
  ];
}

/** Returns a label for messages: `MemcachedSpec.ports.name` for a member, or the declared name for any other declaration. */
function labelOf(ts: SourceProgram['ts'], node: ts.Node): string {
  if (isMember(ts, node)) return `${ownerLabel(ts, node.parent)}.${memberName(ts, node.name)}`;
  const name = (node as { name?: ts.Node }).name;
  return name === undefined ? ownerLabel(ts, node) : name.getText();
}

/** True for a field of a type, or for a field of a value from which a type is derived. */
function isMember(
  ts: SourceProgram['ts'],
  node: ts.Node,
): node is ts.PropertySignature | ts.PropertyAssignment | ts.ShorthandPropertyAssignment {
  return (
    ts.isPropertySignature(node) || ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)
  );
}

function ownerLabel(ts: SourceProgram['ts'], node: ts.Node): string {
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return node.name.text;
  if (isMember(ts, node)) return labelOf(ts, node);
  if (ts.isVariableDeclaration(node)) return node.name.getText();
  if (ts.isFunctionDeclaration(node) && node.name !== undefined) return node.name.text;
  if (ts.isSourceFile(node)) return 'a type';
  return ownerLabel(ts, node.parent);
}

/** Returns the name of a member as it appears in JSON, or the source text of a computed name. */
export function memberName(ts: SourceProgram['ts'], name: ts.PropertyName): string {
  if (ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name)) return name.text;
  if (ts.isComputedPropertyName(name) && ts.isStringLiteral(name.expression)) return name.expression.text;
  return name.getText();
}

/** A part of a doc comment: the description, or a tag with its text. */
interface CommentPart {
  readonly position: number;
  /** Text of the part, with the stars in front of the lines. */
  readonly raw: string;
}

/**
 * Returns the description and the tags of a doc comment. An `@` at the beginning of a line of a code block, such as a decorator, is not a
 * tag, although TypeScript reads it as one.
 *
 * @param start position after `/**`
 * @param tags positions at which TypeScript finds tags
 * @param end position before the end of the comment
 */
function commentParts(
  text: string,
  start: number,
  tags: readonly number[],
  end: number,
): readonly CommentPart[] {
  const inCode = codeBlocks(text.slice(start, end));
  const starts = [start, ...tags.filter((position) => !inCode(position - start))];
  return starts.map((position, index) => ({ position, raw: text.slice(position, starts[index + 1] ?? end) }));
}

/** Matches the fence of a code block. The fence is on a line of its own or follows a tag. */
const fence = /(?:^|\n)[ \t]*(?:\*[ \t]?)?[ \t]*(?:@\w+[ \t]+)?(`{3,}|~{3,})/g;

/** Returns a function that returns true for positions inside of a code block. A code block without an end is ignored. */
function codeBlocks(comment: string): (position: number) => boolean {
  const blocks: { readonly from: number; readonly to: number }[] = [];
  let open: { readonly from: number; readonly mark: string } | undefined;
  for (const { index, 0: line, 1: mark = '' } of comment.matchAll(fence)) {
    const at = index + line.length;
    if (open === undefined) open = { from: at, mark };
    else if (mark.startsWith(open.mark)) {
      blocks.push({ from: open.from, to: at });
      open = undefined;
    }
  }
  return (position) => blocks.some(({ from, to }) => position >= from && position < to);
}

import type { Field, TagLine, Use } from './model.ts';
import { inside, type NamedDeclaration } from './name-declarations.ts';
import { descriptionTag, printComment } from './print-comment.ts';
import { printLiteral, printUse, tsKey, type PrintContext } from './print-types.ts';

/** A line that is longer is broken. */
const WIDEST = 110;

export interface PrintedInterface {
  readonly name: string;
  readonly description?: string | undefined;
  readonly tags: readonly TagLine[];
  readonly fields: readonly Field[];
  /** The interface that it extends. */
  readonly base?: string;
  /** Other fields may be there, too. */
  readonly open?: boolean;
}

/** @param exact whether the file is read back by the generator; see {@link printComment} */
export function printInterface(context: PrintContext, printed: PrintedInterface, exact: boolean): string {
  const { name, description, tags, fields, base, open } = printed;
  const head = `export interface ${name}${base === undefined ? '' : ` extends ${base}`} {`;
  const doc = printComment({ description, tags }, exact);
  const blocks = fields.map((field) => printField(context, field, exact));
  if (open === true) blocks.push(['[key: string]: unknown;']);
  const body = blocks.flatMap((block, index) => {
    // A comment of several lines is separated from the field before it by an empty line.
    const apart = index > 0 && (block[0] === '/**' || blocks[index - 1]?.[0] === '/**');
    return [...(apart ? [''] : []), ...block.map((line) => (line === '' ? '' : `  ${line}`))];
  });
  return [...doc, ...(body.length === 0 ? [`${head}}`] : [head, ...body, '}'])].join('\n');
}

export function printDeclared(context: PrintContext, named: NamedDeclaration, exact: boolean): string {
  const { name, description, declaration } = named;
  return printInterface(context, { name, description, ...declaration }, exact);
}

function printField(
  context: PrintContext,
  { name, required, use }: Field,
  exact: boolean,
): readonly string[] {
  const tags = exact ? [...use.tags, ...tagsInside(context, use, '')] : [];
  const comment = printComment({ description: use.description, tags }, exact);
  const start = `${tsKey(name)}${required ? '' : '?'}:`;
  const type = printUse(context, use);
  const line = `${start} ${type};`;
  const { type: expression } = use;
  if (line.length + 2 <= WIDEST || expression.kind !== 'literals') return [...comment, line];
  const parts = [...expression.values.map(printLiteral), ...(use.nullable ? ['null'] : [])];
  return [
    ...comment,
    start,
    ...parts.map((part, index) => `  | ${part}${index === parts.length - 1 ? ';' : ''}`),
  ];
}

/** The tags of items and values, to any depth, with their prefixes. */
function tagsInside(context: PrintContext, use: Use, prefix: string): readonly TagLine[] {
  const inner = inside(use.type);
  if (inner === undefined) return [];
  const own = `${prefix}${use.type.kind === 'list' ? 'items' : 'values'}.`;
  const described =
    inner.type.kind === 'declared' ? context.named.get(inner.type.declaration)?.description : undefined;
  const description = inner.description === described ? undefined : inner.description;
  return [
    ...(description === undefined ? [] : [descriptionTag(own, description)]),
    ...inner.tags.map(({ name, text }) => ({ name: `${own}${name}`, text })),
    ...tagsInside(context, inner, own),
  ];
}

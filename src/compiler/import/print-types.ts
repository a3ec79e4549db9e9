import type { Declaration, TypeExpression, Use, Field, TagLine } from './model.ts';
import { type NamedDeclaration, inside } from './name-declarations.ts';
import { aliasOf, type NameRegistry } from './names.ts';
import { descriptionTag, printComment } from './plan-tags.ts';

/**
 * Context in which the types of a file are printed. It contains the names of declarations, and collects the imports of the printed types.
 */
export interface PrintContext {
  readonly named: ReadonlyMap<Declaration, NamedDeclaration>;
  readonly imports: Imports;
  /** Names of the types that the file itself declares. */
  readonly names: NameRegistry;
}

/** Name that a file imports from a module, with the local name in the file. */
export interface ImportedName {
  readonly from: string;
  readonly name: string;
  readonly local: string;
}

/** Names that a file imports, grouped by module. */
interface Imports {
  /** Adds the import of a type, and returns the local name of the type in the file. */
  type(from: string, name: string): string;
  value(from: string, name: string): string;
  names(): readonly ImportedName[];
  /** Returns the sorted import clauses, one for each module, such as `{ defineResource, type Int32 }`. */
  clauses(): readonly { readonly from: string; readonly clause: string }[];
}

/** @param names names that the file declares. If an import has the same name, it gets an alias */
export function createImports(names: NameRegistry): Imports {
  const modules = new Map<string, Map<string, { readonly local: string; readonly isType: boolean }>>();
  const note = (from: string, name: string, isType: boolean): string => {
    const isFile = from.startsWith('.');
    const local = !isFile && names.has(name) ? aliasOf(name) : name;
    const items = modules.get(from) ?? new Map<string, { local: string; isType: boolean }>();
    modules.set(from, items.set(name, { local, isType }));
    return local;
  };
  return {
    type: (from, name) => note(from, name, true),
    value: (from, name) => note(from, name, false),
    names: () =>
      [...modules].flatMap(([from, items]) => [...items].map(([name, { local }]) => ({ from, name, local }))),
    clauses: () =>
      [...modules]
        .sort(byModule)
        .map(([from, items]) => ({ from, clause: clauseOf([...items].sort(byKindAndName)) })),
  };
}

type Item = readonly [string, { readonly local: string; readonly isType: boolean }];

function clauseOf(items: readonly Item[]): string {
  const onlyTypes = items.every(([, { isType }]) => isType);
  const parts = items.map(([name, { local, isType }]) => {
    const renamed = local === name ? name : `${name} as ${local}`;
    return isType && !onlyTypes ? `type ${renamed}` : renamed;
  });
  const line = `${onlyTypes ? 'type ' : ''}{ ${parts.join(', ')} }`;
  return line.length <= 80
    ? line
    : `${onlyTypes ? 'type ' : ''}{\n${parts.map((part) => `  ${part},\n`).join('')}}`;
}

/** Sorts imports of packages before imports of files. */
function byModule(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return Number(a[0].startsWith('.')) - Number(b[0].startsWith('.')) || byName(a, b);
}

/** Sorts imported values before imported types. */
function byKindAndName(a: Item, b: Item): number {
  return Number(a[1].isType) - Number(b[1].isType) || byName(a, b);
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** Prints a type and its nullability as TypeScript. */
function printUse(context: PrintContext, use: Use): string {
  const type = printType(context, use.type);
  return use.nullable ? `${type} | null` : type;
}

function printType(context: PrintContext, type: TypeExpression): string {
  switch (type.kind) {
    case 'name':
      return type.from === undefined ? type.name : context.imports.type(type.from, type.name);
    case 'literals':
      return type.values.map(printLiteral).join(' | ');
    case 'list':
      return printList(context, type);
    case 'record':
      return printRecord(context, type);
    case 'declared':
      return printReference(context, type.declaration);
  }
}

function printReference(context: PrintContext, declaration: Declaration): string {
  const { name = '', from } = context.named.get(declaration) ?? {};
  return from === undefined ? name : context.imports.type(from, name);
}

/** Prints a value as a literal type. */
function printLiteral(value: string | number | boolean): string {
  return typeof value === 'string' ? tsString(value) : String(value);
}

function printList(context: PrintContext, { items, list }: TypeExpression & { kind: 'list' }): string {
  const item = printUse(context, items);
  if (list === undefined) {
    const isUnion = items.nullable || (items.type.kind === 'literals' && items.type.values.length > 1);
    return isUnion ? `(${item})[]` : `${item}[]`;
  }
  const name = context.imports.type('opsdk', list.utility);
  return list.utility === 'ListMap'
    ? `${name}<${item}, ${list.keys.map(tsString).join(' | ')}>`
    : `${name}<${item}>`;
}

function printRecord(context: PrintContext, { values, atomic }: TypeExpression & { kind: 'record' }): string {
  const value = printUse(context, values);
  if (atomic) return `${context.imports.type('opsdk', 'AtomicMap')}<${value}>`;
  // A kind named `Record` hides the built-in type.
  return context.names.has('Record') ? `{ [key: string]: ${value} }` : `Record<string, ${value}>`;
}

/** Prints a string literal. It has single quotes, unless double quotes need fewer escapes. */
export function tsString(text: string): string {
  const quoted = JSON.stringify(text).replace(
    /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const count = (quote: string): number => text.split(quote).length;
  if (count("'") > count('"')) return quoted;
  return `'${quoted.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Prints the name of a field or property. It gets quotes only if it is not a valid identifier. */
export function tsKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : tsString(name);
}

/** Maximum width of a line, in characters. Longer lines are broken. */
const WIDEST = 110;

interface PrintedInterface {
  readonly name: string;
  readonly description?: string | undefined;
  readonly tags: readonly TagLine[];
  readonly fields: readonly Field[];
  /** Name of the interface that this interface extends. */
  readonly base?: string;
  /** True if objects may have fields other than the declared ones. */
  readonly open?: boolean;
}

/** @param exact true if the generator reads the file back; see {@link printComment} */
export function printInterface(context: PrintContext, printed: PrintedInterface, exact: boolean): string {
  const { name, description, tags, fields, base, open } = printed;
  const head = `export interface ${name}${base === undefined ? '' : ` extends ${base}`} {`;
  const doc = printComment({ description, tags }, exact);
  const blocks = fields.map((field) => printField(context, field, exact));
  if (open === true) blocks.push(['[key: string]: unknown;']);
  const body = blocks.flatMap((block, index) => {
    // Print an empty line before and after a field whose comment has several lines.
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

/** Returns the tags of items and values of nested lists and records, each with its prefix, such as `items.`. */
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

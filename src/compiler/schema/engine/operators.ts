import type ts from 'typescript';
import type * as engine from 'ts-json-schema-generator';
import { templateText, type TemplatePart, type TemplateText } from '../template-pattern.ts';
import {
  type EngineContext,
  type EngineParser,
  type EngineType,
  type ParserContext,
  fieldTypes,
  sharedType,
} from './types.ts';
import { keysOf } from './mapped-whole.ts';
import { mappedParser } from './mapped-types.ts';
import {
  anyType,
  unsupported,
  type Refusal,
  emptyObject,
  notJson,
  functionType,
  recursive,
} from './refusals.ts';

const tooManyMembers = (members: number, most: number): Refusal => ({
  code: 'schema/too-large',
  message: `expected an intersection of unions with at most ${most} combinations of their members, got ${members}`,
  fix: ['make each union a field of its own', 'or write out the members that you need'],
});

/** Creates parsers for type expressions that the engine reads incorrectly or too permissively. */
export function operatorParsers(context: ParserContext): EngineParser[] {
  return [
    keywordParser(context),
    mappedParser(context),
    readonlyParser(context),
    intersectionParser(context),
    indexedAccessParser(context),
    templateParser(context),
  ];
}

function keywordParser(context: ParserContext): EngineParser {
  const refusals = keywordRefusals(context.source.ts);
  return {
    supportsNode: (node) => refusals.has(node.kind),
    createType: (node) => {
      const refusal = refusals.get(node.kind) ?? anyType;
      const text = node.getText();
      return context.refused(node, refusal(text.length > 60 ? `${text.slice(0, 57)}...` : text));
    },
  };
}

// Needed because the engine loses the name of the type after `readonly`.
function readonlyParser(context: ParserContext): EngineParser {
  const { ts } = context.source;
  const isReadonly = (node: ts.Node): node is ts.TypeOperatorNode =>
    ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword;
  return {
    supportsNode: (node) => isReadonly(node),
    createType: (node, engineContext) =>
      context.chain.createType((node as ts.TypeOperatorNode).type, engineContext),
  };
}

/**
 * Maximum number of members in the result of an intersection of unions. The result has one member for every combination of the unions'
 * members, and the engine creates all of them.
 */
const mostMembers = 4096;

function memberCount(engine: ParserContext['engine'], type: EngineType): number {
  const inner = engine.derefType(type);
  if (!(inner instanceof engine.UnionType)) return 1;
  return inner.getTypes().reduce((sum, member) => sum + memberCount(engine, member), 0);
}

// The type `T & {}`, which is the definition of NonNullable<T>, removes null and undefined. The engine keeps them, so this parser is
// needed.
function intersectionParser(context: ParserContext): EngineParser {
  const { engine, source } = context;
  const { ts } = source;
  const parser = new engine.IntersectionNodeParser(source.checker, context.chain);
  const isEmpty = (node: ts.TypeNode): boolean => ts.isTypeLiteralNode(node) && node.members.length === 0;
  return {
    supportsNode: (node) => ts.isIntersectionTypeNode(node),
    createType: (node, engineContext) => {
      const intersection = node as ts.IntersectionTypeNode;
      const parts = intersection.types.filter((type) => !isEmpty(type));
      if (parts.length === intersection.types.length) {
        const literals = literalsBesideString(context, intersection, engineContext);
        if (literals !== undefined) return literals;
        const members = intersection.types.reduce(
          (product, type) => product * memberCount(engine, context.chain.createType(type, engineContext)),
          1,
        );
        if (members > mostMembers) return context.refused(node, tooManyMembers(members, mostMembers));
        return parser.createType(intersection, engineContext);
      }
      const types = parts.map((type) => withoutNull(engine, context.chain.createType(type, engineContext)));
      return types.length === 0 ? context.refused(node, anyType('{}')) : engine.translate(types);
    },
  };
}

/**
 * Returns the literals of `string & K`. If `K` consists of literals, as in `as \`get${string & K}\``, the intersection equals `K`, but the
 * engine would turn it into a string.
 */
function literalsBesideString(
  { engine, chain, source }: ParserContext,
  node: ts.IntersectionTypeNode,
  engineContext: EngineContext,
): EngineType | undefined {
  // Types are read here only if `string` is one of the parts, because reading all types twice at every level would be slow.
  if (!node.types.some((type) => type.kind === source.ts.SyntaxKind.StringKeyword)) return undefined;
  const types = node.types.map((type) => chain.createType(type, engineContext));
  const rest = types.filter((type) => !(engine.derefType(type) instanceof engine.StringType));
  const [only] = rest;
  if (only === undefined || rest.length > 1 || rest.length === types.length) return undefined;
  const inner = engine.derefType(only);
  const members = inner instanceof engine.UnionType ? inner.getTypes() : [inner];
  const isLiteral = (type: EngineType): boolean => {
    const member = engine.derefType(type);
    return member instanceof engine.LiteralType && typeof member.getValue() === 'string';
  };
  return members.every(isLiteral) ? only : undefined;
}

function withoutNull(engine: ParserContext['engine'], type: EngineType): EngineType {
  const same = (inner: EngineType, rebuild: (inner: EngineType) => EngineType): EngineType => {
    const stripped = withoutNull(engine, inner);
    return stripped === inner ? type : rebuild(stripped);
  };
  if (type instanceof engine.AnnotatedType) {
    return same(
      type.getType(),
      (inner) => new engine.AnnotatedType(inner, type.getAnnotations(), type.isNullable()),
    );
  }
  if (type instanceof engine.DefinitionType) {
    return same(type.getType(), (inner) => new engine.DefinitionType(type.getName(), inner));
  }
  if (type instanceof engine.AliasType) {
    return same(type.getType(), (inner) => new engine.AliasType(`${type.getId()}-not-null`, inner));
  }
  if (!(type instanceof engine.UnionType)) return type;
  const kept = type.getTypes().filter((item) => !isNullish(engine, item));
  const stripped = kept.map((item) => withoutNull(engine, item));
  return stripped.every((item, index) => item === type.getTypes()[index]) &&
    kept.length === type.getTypes().length
    ? type
    : new engine.UnionType(stripped).normalize();
}

function isNullish(engine: ParserContext['engine'], type: EngineType): boolean {
  const inner = engine.derefType(type);
  return inner instanceof engine.NullType || inner instanceof engine.UndefinedType;
}

// Needed because the engine has a short cut for aliases of object literals that loses the tags and the `?` of the field.
function indexedAccessParser(context: ParserContext): EngineParser {
  const { engine, source } = context;
  const parser = new engine.IndexedAccessTypeNodeParser(source.checker, context.chain);
  const createIndexedType = (
    node: ts.TypeNode,
    engineContext: EngineContext,
    index: EngineType,
  ): EngineType | undefined => {
    const { names, any, problem } = keysOf(context, index);
    if (any !== undefined || problem !== undefined || names.length === 0) return undefined;
    const object = engine.derefType(context.chain.createType(node, engineContext));
    const hasParts = object instanceof engine.IntersectionType || object instanceof engine.ObjectType;
    if (!hasParts) return undefined;
    const types = names.map((name) => fieldType(context, object, name));
    // If a field is missing, the engine reads the type and reports the missing field.
    if (!types.every((type) => type !== undefined)) return undefined;
    return types.length === 1 ? types[0] : new engine.UnionType(types);
  };
  Object.assign(parser, { createIndexedType });
  return {
    supportsNode: (node) => source.ts.isIndexedAccessTypeNode(node),
    createType: (node, engineContext) => parser.createType(node as ts.IndexedAccessTypeNode, engineContext),
  };
}

/**
 * Maximum number of combinations that a template literal type may have. More combinations are a mistake, and their pattern would be
 * unreadable.
 */
const most = 200;

/**
 * Parser for template literal types. If all parts of a template are literals, the result is an enumeration. Otherwise it is a string with a
 * pattern.
 */
function templateParser(context: ParserContext): EngineParser {
  const { ts } = context.source;
  return {
    supportsNode: (node) => ts.isTemplateLiteralTypeNode(node),
    createType: (node, engineContext) => {
      const template = node as ts.TemplateLiteralTypeNode;
      const lists = template.templateSpans.map((span) => spanParts(context, span, engineContext));
      if (lists.some((parts) => parts === undefined)) return context.refused(node, notAText(node.getText()));
      const known = lists.flatMap((parts) => (parts === undefined ? [] : [parts]));
      if (known.reduce((count, parts) => count * parts.length, 1) > most)
        return context.refused(node, tooMany(node.getText()));
      const texts = sequences([[[{ text: template.head.text }]], ...known]).map(templateText);
      return typeOf(context, texts);
    },
  };
}

function typeOf(context: ParserContext, texts: readonly TemplateText[]): EngineType {
  const { engine } = context;
  const literals = texts.flatMap(({ literal }) => (literal === undefined ? [] : [literal]));
  if (literals.length < texts.length) {
    const id = `template-${texts.map(({ pattern }) => pattern).join('|')}`;
    return context.opaque(id, { kind: 'string', texts }, new engine.StringType());
  }
  const types = literals.map((literal) => new engine.LiteralType(literal));
  const [only] = types;
  return only !== undefined && types.length === 1 ? only : new engine.UnionType(types);
}

/** Returns the parts for one `${…}` of a template and for the text after it. Undefined if they cannot be determined. */
function spanParts(
  context: ParserContext,
  span: ts.TemplateLiteralTypeSpan,
  engineContext: EngineContext,
): TemplatePart[][] | undefined {
  const { ts } = context.source;
  const isBigInt = span.type.kind === ts.SyntaxKind.BigIntKeyword;
  const choices: TemplatePart[][] | undefined = isBigInt
    ? [[{ any: 'bigint' }]]
    : partsOf(context, context.chain.createType(span.type, engineContext));
  return choices?.map((parts) => [...parts, { text: span.literal.text }]);
}

function partsOf(context: ParserContext, type: EngineType): TemplatePart[][] | undefined {
  const { engine } = context;
  const form = context.formOf(type);
  // For a template inside of another template, the pattern of the outer template includes the parts of the inner one.
  if (form?.kind === 'string' && form.texts !== undefined) return form.texts.map(({ parts }) => [...parts]);
  if (form?.kind === 'refused') return undefined;
  if (
    type instanceof engine.AnnotatedType ||
    type instanceof engine.DefinitionType ||
    type instanceof engine.AliasType
  )
    return partsOf(context, type.getType());
  if (type instanceof engine.UnionType) {
    const members = type.getTypes().map((member) => partsOf(context, member));
    return members.includes(undefined) ? undefined : members.flatMap((parts) => parts ?? []);
  }
  const text = (value: unknown): TemplatePart[] => [{ text: String(value) }];
  if (type instanceof engine.LiteralType) return [text(type.getValue())];
  if (type instanceof engine.EnumType) return type.getValues().map(text);
  if (type instanceof engine.BooleanType) return [text(true), text(false)];
  if (type instanceof engine.NullType) return [text(null)];
  if (type instanceof engine.UndefinedType) return [text(undefined)];
  if (type instanceof engine.StringType) return [[{ any: 'string' }]];
  return type instanceof engine.NumberType ? [[{ any: 'number' }]] : undefined;
}

const notAText = (template: string) =>
  unsupported(
    `the template literal ${template} contains something other than plain text or numbers`,
    'use string with a `@pattern`',
  );

const tooMany = (template: string) =>
  unsupported(
    `the template literal ${template} has more than ${most} combinations`,
    'use string with a `@pattern`',
  );

/**
 * Returns a table of the TypeScript keyword types that have no JSON form. Each kind of syntax node maps to a function that creates the
 * refusal.
 */
function keywordRefusals(typescript: typeof ts): ReadonlyMap<ts.SyntaxKind, (text: string) => Refusal> {
  const { SyntaxKind } = typescript;
  return new Map([
    [SyntaxKind.AnyKeyword, anyType],
    [SyntaxKind.UnknownKeyword, anyType],
    [SyntaxKind.ObjectKeyword, emptyObject],
    [SyntaxKind.SymbolKeyword, (text) => notJson(text, 'use string')],
    [
      SyntaxKind.BigIntKeyword,
      (text) => notJson(text, "use Int64 from 'opsdk', with a `@maximum` of at most 9007199254740991"),
    ],
    [SyntaxKind.VoidKeyword, (text) => notJson(text, 'make the field optional: `name?: …`')],
    [SyntaxKind.ConstructorType, functionType],
    [SyntaxKind.TypePredicate, functionType],
    [SyntaxKind.ThisType, () => recursive('this')],
    [
      SyntaxKind.ClassDeclaration,
      () =>
        unsupported(
          'a class describes behaviour as well as data',
          'declare an interface with the same fields',
        ),
    ],
  ]);
}

/** Returns the type of a field; undefined if the owner does not have the field. */
function fieldType(
  context: ParserContext,
  owner: EngineType,
  name: engine.LiteralType,
): EngineType | undefined {
  const types = fieldTypes(context, owner, name);
  return types.length > 1 ? sharedType(context, String(name.getValue()), types) : types[0];
}

/** Returns all sequences that take one member from each list. */
function sequences(lists: readonly TemplatePart[][][]): TemplatePart[][] {
  return lists.reduce<TemplatePart[][]>(
    (found, choices) => found.flatMap((start) => choices.map((choice) => [...start, ...choice])),
    [[]],
  );
}

import type ts from 'typescript';
import { fieldType } from './field-types.ts';
import { keysOf } from './key-types.ts';
import { mappedParser } from './mapped-types.ts';
import { anyType, keywordRefusals, tooManyMembers } from './refusals.ts';
import { templateParser } from './template-literals.ts';
import type { EngineContext, EngineParser, EngineType, ParserContext } from './types.ts';

/** Type expressions that the engine gets wrong or reads too widely. */
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

// The engine loses the name of the type after `readonly`.
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

/** An intersection of unions has a member for every combination of theirs; the engine makes them all. */
const mostMembers = 4096;

function memberCount(engine: ParserContext['engine'], type: EngineType): number {
  const inner = engine.derefType(type);
  if (!(inner instanceof engine.UnionType)) return 1;
  return inner.getTypes().reduce((sum, member) => sum + memberCount(engine, member), 0);
}

// `T & {}` (which is also NonNullable<T>) removes null and undefined; the engine keeps them.
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

/** `string & K` for literals `K` is `K`, as in `as \`get${string & K}\``; the engine makes a string of it. */
function literalsBesideString(
  { engine, chain, source }: ParserContext,
  node: ts.IntersectionTypeNode,
  engineContext: EngineContext,
): EngineType | undefined {
  // Types are looked into for this form only: reading them twice at every level would take long.
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

// For aliases of object literals the engine has a short cut that loses the field's tags and its `?`.
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
    // A field that is missing is an error of the engine's.
    if (!types.every((type) => type !== undefined)) return undefined;
    return types.length === 1 ? types[0] : new engine.UnionType(types);
  };
  Object.assign(parser, { createIndexedType });
  return {
    supportsNode: (node) => source.ts.isIndexedAccessTypeNode(node),
    createType: (node, engineContext) => parser.createType(node as ts.IndexedAccessTypeNode, engineContext),
  };
}

import type * as tsj from 'ts-json-schema-generator';
import type ts from 'typescript';
import { isKnownTag } from '../tags/tag-names.ts';
import { anyType, keywordRefusals, stringKeys, unsupported, type Refusal } from './refusals.ts';
import {
  docAnnotation,
  type EngineContext,
  type EngineParser,
  type EngineType,
  type ParserContext,
} from './types.ts';

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

// The engine reads every `?` token of a mapped type as "optional", also that of `-?`, which takes it away.
function mappedParser(context: ParserContext): EngineParser {
  const { engine, source } = context;
  const parser = new engine.MappedTypeNodeParser(context.chain, false);
  return {
    supportsNode: (node) => source.ts.isMappedTypeNode(node),
    createType: (node, engineContext) => {
      const mapped = node as ts.MappedTypeNode;
      const { constraint } = mapped.typeParameter;
      const keys = constraint && engine.derefType(context.chain.createType(constraint, engineContext));
      // `keyof` of a list is a number too, and gives a list.
      const isKeyof = constraint !== undefined && source.ts.isTypeOperatorNode(constraint);
      if (!isKeyof && (keys instanceof engine.NumberType || keys instanceof engine.SymbolType)) {
        return context.refused(undefined, stringKeys);
      }
      const fieldsOf = mappedSource(context, mapped, engineContext);
      const lost = fieldsOf === undefined ? undefined : typeTags(context, fieldsOf)[0];
      if (lost !== undefined) return context.refused(undefined, tagsLost(lost.name, lost.label));
      const type = parser.createType(mapped, engineContext);
      if (
        mapped.questionToken?.kind !== source.ts.SyntaxKind.MinusToken ||
        !(type instanceof engine.ObjectType)
      )
        return type;
      const properties = type
        .getProperties()
        .map((item) => new engine.ObjectProperty(item.getName(), item.getType(), true));
      return new engine.ObjectType(
        `${type.getId()}-required`,
        [],
        properties,
        type.getAdditionalProperties(),
      );
    },
  };
}

/** The type whose fields a mapped type takes: `T` of `[K in keyof T]`, and of `[K in X]: T[K]`, which is Pick and Omit. */
function mappedSource(
  { source: { ts }, chain }: ParserContext,
  node: ts.MappedTypeNode,
  engineContext: EngineContext,
): EngineType | undefined {
  const { name, constraint } = node.typeParameter;
  if (constraint !== undefined && ts.isTypeOperatorNode(constraint))
    return chain.createType(constraint.type, engineContext);
  const isPick =
    node.type !== undefined &&
    ts.isIndexedAccessTypeNode(node.type) &&
    node.type.indexType.getText() === name.text;
  return isPick ? chain.createType(node.type.objectType, engineContext) : undefined;
}

/** The tags that hold for a type as a whole, with those of its bases. A mapped type is made of the fields alone. */
function typeTags(
  context: ParserContext,
  type: EngineType,
): { readonly name: string; readonly label: string }[] {
  const { engine, docs } = context;
  if (type instanceof engine.AnnotatedType) {
    const id: unknown = type.getAnnotations()[docAnnotation];
    const doc = typeof id === 'number' ? docs.byId(id) : undefined;
    const own = doc?.kind === 'declaration' ? doc.tags.filter((tag) => isKnownTag(tag.name)) : [];
    const label = doc?.label ?? '';
    return [...own.map(({ name }) => ({ name, label })), ...typeTags(context, type.getType())];
  }
  if (type instanceof engine.DefinitionType || type instanceof engine.AliasType)
    return typeTags(context, type.getType());
  if (type instanceof engine.IntersectionType)
    return type.getTypes().flatMap((part) => typeTags(context, part));
  return type instanceof engine.ObjectType
    ? type.getBaseTypes().flatMap((base) => typeTags(context, base))
    : [];
}

const tagsLost = (tag: string, label: string): Refusal =>
  unsupported(
    `the @${tag} of ${label} would be lost: a mapped type (Partial, Readonly, Pick, Omit, …) takes over the fields only`,
    `put the tags of ${label} on its fields or on the field that uses it, or write the interface out`,
  );

// The engine looks through the names of what stands behind `readonly`.
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

// `T & {}` (which is also NonNullable<T>) takes null and undefined away; the engine keeps them.
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
      if (parts.length === intersection.types.length) return parser.createType(intersection, engineContext);
      const types = parts.map((type) => withoutNull(engine, context.chain.createType(type, engineContext)));
      return types.length === 0 ? context.refused(node, anyType('{}')) : engine.translate(types);
    },
  };
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
  Object.assign(parser, { createIndexedType: () => undefined });
  return {
    supportsNode: (node) => source.ts.isIndexedAccessTypeNode(node),
    createType: (node, engineContext) => parser.createType(node as ts.IndexedAccessTypeNode, engineContext),
  };
}

function templateParser(context: ParserContext): EngineParser {
  const { engine, source } = context;
  const parser: tsj.SubNodeParser = new engine.StringTemplateLiteralNodeParser(context.chain);
  return {
    supportsNode: (node) => source.ts.isTemplateLiteralTypeNode(node),
    createType: (node: ts.Node, engineContext: EngineContext) => {
      const type = parser.createType(node, engineContext);
      if (!(type instanceof engine.StringType)) return type;
      return context.refused(
        node,
        unsupported(
          `the template literal ${node.getText()} stands for endlessly many strings`,
          'use string with a `@pattern`',
        ),
      );
    },
  };
}

import type ts from 'typescript';
import { callable } from './functions.ts';
import { anyType, notJson, recursive, stringKeys, unsupported, type Refusal } from './refusals.ts';
import { type CheckedTypes, type EngineType, type ParserContext, sharedType } from './types.ts';

const inferredTemplate: Refusal = unsupported(
  'the texts of an inferred template literal are not known',
  'declare the type, or use string with a `@pattern`',
);

/**
 * Reads types of the checker as types of the engine. The checker knows what TypeScript infers, but of `Int32` and other names of numbers
 * it sees only `number`, and it sees no tags: so wherever a type is written out in a declaration, that is read instead.
 */
export function createCheckedTypes(context: ParserContext): CheckedTypes {
  const { engine, source, chain } = context;
  const { ts, checker, program } = source;
  const { TypeFlags, ObjectFlags } = ts;
  const open = new Set<ts.Type>();
  const ids = new Map<ts.Type, number>();

  function read(type: ts.Type, place: ts.Node): EngineType {
    const written = declarationOf(type);
    if (written !== undefined) return chain.createType(written, new engine.Context());
    return primitive(type, place) ?? structured(type, place);
  }

  /** The declaration that is this very type: an alias, an interface or an enum without arguments. */
  function declarationOf(type: ts.Type): ts.Node | undefined {
    for (const symbol of [type.aliasSymbol, type.symbol as ts.Symbol | undefined]) {
      const declaration = symbol?.declarations?.find(
        (item) =>
          ts.isTypeAliasDeclaration(item) || ts.isInterfaceDeclaration(item) || ts.isEnumDeclaration(item),
      );
      if (symbol === undefined || declaration === undefined) continue;
      // The library's own types are no JSON, or are read by their structure.
      const isLibrary = program.isSourceFileDefaultLibrary(declaration.getSourceFile());
      if (!isLibrary && checker.getDeclaredTypeOfSymbol(symbol) === type && !isGeneric(declaration))
        return declaration;
    }
    const literal = type.symbol?.declarations?.find((item) => ts.isTypeLiteralNode(item));
    return literal !== undefined && checker.getTypeAtLocation(literal) === type && isClosed(literal)
      ? literal
      : undefined;
  }

  function isGeneric(declaration: ts.Node): boolean {
    const parameters = (declaration as { typeParameters?: ts.NodeArray<ts.Node> }).typeParameters;
    return parameters !== undefined && parameters.length > 0;
  }

  /** True if no type parameter of a declaration around it is meant by anything in a node. */
  function isClosed(node: ts.Node): boolean {
    if (ts.isTypeReferenceNode(node) || ts.isTypeQueryNode(node) || node.kind === ts.SyntaxKind.ThisType) {
      const { flags } = checker.getTypeAtLocation(node);
      if (flags & TypeFlags.TypeParameter) return false;
    }
    return ts.forEachChild(node, (part) => (isClosed(part) ? undefined : true)) !== true;
  }

  function primitive(type: ts.Type, place: ts.Node): EngineType | undefined {
    const { flags } = type;
    if (flags & (TypeFlags.Any | TypeFlags.Unknown))
      return context.refused(place, anyType(checker.typeToString(type)));
    if (type.isStringLiteral() || type.isNumberLiteral()) return new engine.LiteralType(type.value);
    if (flags & TypeFlags.BooleanLiteral)
      return new engine.LiteralType(checker.typeToString(type) === 'true');
    if (flags & TypeFlags.String) return new engine.StringType();
    if (flags & TypeFlags.Number) return new engine.NumberType();
    if (flags & TypeFlags.Boolean) return new engine.BooleanType();
    if (flags & TypeFlags.Null) return new engine.NullType();
    if (flags & (TypeFlags.Undefined | TypeFlags.Void)) return new engine.UndefinedType();
    if (flags & TypeFlags.Never) return new engine.NeverType();
    if (flags & TypeFlags.ESSymbolLike)
      return context.refused(place, notJson(checker.typeToString(type), 'use string'));
    if (flags & TypeFlags.TemplateLiteral) return context.refused(place, inferredTemplate);
    return undefined;
  }

  function structured(type: ts.Type, place: ts.Node): EngineType {
    if (open.has(type)) return context.refused(place, recursive(type.symbol?.name ?? ''));
    open.add(type);
    try {
      if (type.isUnion()) return new engine.UnionType(inOrder(type.types).map((part) => read(part, place)));
      if (type.isIntersection()) return engine.translate(type.types.map((part) => read(part, place)));
      if (type.flags & TypeFlags.Object) return object(type as ts.ObjectType, place);
      return context.refused(place, notClosed(checker.typeToString(type)));
    } finally {
      open.delete(type);
    }
  }

  // The checker's own order is that in which it has met the types anywhere.
  function inOrder(types: readonly ts.Type[]): readonly ts.Type[] {
    const isLiteral = (type: ts.Type): type is ts.LiteralType =>
      type.isStringLiteral() || type.isNumberLiteral();
    const literals = types.filter(isLiteral);
    const sorted = literals.sort(({ value: a }, { value: b }) => (a < b ? -1 : a > b ? 1 : 0));
    return [...sorted, ...types.filter((type) => !isLiteral(type))];
  }

  function object(type: ts.ObjectType, place: ts.Node): EngineType {
    if (checker.isTupleType(type)) return tuple(type as ts.TupleTypeReference, place);
    if (checker.isArrayType(type)) {
      const [items] = checker.getTypeArguments(type as ts.TypeReference);
      if (items !== undefined) return new engine.ArrayType(read(items, place));
    }
    const text = checker.typeToString(type);
    const signature = type.getCallSignatures().at(-1);
    if (signature !== undefined)
      return callable(context, place, signature.getDeclaration(), new engine.Context());
    const [declaration] = type.symbol?.declarations ?? [];
    const isLibrary =
      declaration !== undefined && program.isSourceFileDefaultLibrary(declaration.getSourceFile());
    const isNominal = type.isClassOrInterface() || (type.objectFlags & ObjectFlags.Reference) !== 0;
    if ((isLibrary && isNominal) || type.isClass()) {
      const [argument] = isNominal ? checker.getTypeArguments(type as ts.TypeReference) : [];
      const isPromise = type.symbol?.name === 'Promise' && argument !== undefined;
      const inside = isPromise ? { promised: read(argument, place) } : {};
      return context.refused(place, notJson(text, 'use a type that has a JSON form'), true, inside);
    }
    const indexes = checker.getIndexInfosOfType(type);
    const index = indexes.find(({ keyType }) => keyType.flags & TypeFlags.String);
    if (indexes.length > 0 && (index === undefined || indexes.length > 1))
      return context.refused(place, stringKeys);
    const properties = checker.getPropertiesOfType(type).map((property) => field(type, property, place));
    const id = ids.get(type) ?? ids.size;
    ids.set(type, id);
    const additional = index === undefined ? false : read(index.type, place);
    return new engine.ObjectType(`checked-${id}`, [], properties, additional);
  }

  function tuple(type: ts.TupleTypeReference, place: ts.Node): EngineType {
    const items = checker.getTypeArguments(type);
    if (type.target.elementFlags.some((flag) => flag !== ts.ElementFlags.Required))
      return context.refused(place, notClosed(checker.typeToString(type)));
    return new engine.TupleType(items.map((item) => read(item, place)));
  }

  function field(owner: ts.ObjectType, symbol: ts.Symbol, place: ts.Node): EngineProperty {
    const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
    // A mapped type gives its fields types of its own.
    const isMapped = (owner.objectFlags & ObjectFlags.Mapped) !== 0;
    const declarations = fieldDeclarations(context, owner, symbol);
    const types = declarations.map((declaration) => valueOf(symbol, place, !isMapped, declaration));
    const value = types.length > 1 ? sharedType(context, symbol.name, types) : types[0];
    return new engine.ObjectProperty(symbol.name, value ?? valueOf(symbol, place, !isMapped), !isOptional);
  }

  /** @param isWritten whether the type that is written in the declaration is that of the symbol */
  function valueOf(
    symbol: ts.Symbol,
    place: ts.Node,
    isWritten: boolean,
    declaration = symbol.valueDeclaration ?? symbol.declarations?.[0],
  ): EngineType {
    const type = checker.getTypeOfSymbol(symbol);
    if (declaration === undefined) return read(type, place);
    const written = isWritten ? writtenType(declaration, type) : undefined;
    const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
    const value =
      written === undefined
        ? read(isOptional ? withoutUndefined(type) : type, declaration)
        : chain.createType(written, new engine.Context());
    const sources = [declaration, ...copiedFrom(declaration)].filter(hasDocs);
    return sources.reduceRight<EngineType>((inner, item) => context.annotated(item, inner), value);
  }

  /** `{ size: spec.size }` has the constraints of the field that it is a copy of. */
  function copiedFrom(declaration: ts.Node): readonly ts.Node[] {
    const expression = ts.isPropertyAssignment(declaration) ? declaration.initializer : undefined;
    if (expression === undefined || !ts.isPropertyAccessExpression(expression)) return [];
    const source = checker.getSymbolAtLocation(expression)?.valueDeclaration;
    return source === undefined ? [] : [source, ...copiedFrom(source)];
  }

  function withoutUndefined(type: ts.Type): ts.Type {
    if (!type.isUnion() || type.types.every((part) => (part.flags & TypeFlags.Undefined) === 0)) return type;
    const isNull = type.types.some((part) => (part.flags & TypeFlags.Null) !== 0);
    // The only way to take `undefined` alone out of a union takes `null` out as well.
    return isNull ? type : checker.getNonNullableType(type);
  }

  /** The type that is written in the declaration of a field, if it says the same as the checker. */
  function writtenType(declaration: ts.Node, type: ts.Type): ts.TypeNode | undefined {
    const node = annotationOf(declaration);
    if (node === undefined || !isClosed(node)) return undefined;
    const written = checker.getTypeFromTypeNode(node);
    const isSame =
      written === type || checker.getNonNullableType(type) === checker.getNonNullableType(written);
    return isSame ? node : undefined;
  }

  /** The type beside a name or an expression: `name: T`, `name = value as T`, `{ name }` of a constant with a type. */
  function annotationOf(declaration: ts.Node): ts.TypeNode | undefined {
    if (
      ts.isPropertySignature(declaration) ||
      ts.isPropertyDeclaration(declaration) ||
      ts.isParameter(declaration)
    )
      return declaration.type;
    if (ts.isVariableDeclaration(declaration))
      return declaration.type ?? (declaration.initializer && typeBeside(declaration.initializer));
    if (ts.isPropertyAssignment(declaration)) return typeBeside(declaration.initializer);
    if (!ts.isShorthandPropertyAssignment(declaration)) return undefined;
    const value = checker.getShorthandAssignmentValueSymbol(declaration)?.valueDeclaration;
    return value && annotationOf(value);
  }

  /** `value as T`, and what a name of something with a declared type means: `spec.size`. */
  function typeBeside(expression: ts.Expression): ts.TypeNode | undefined {
    if (ts.isParenthesizedExpression(expression) || ts.isSatisfiesExpression(expression))
      return typeBeside(expression.expression);
    if (ts.isAsExpression(expression))
      return ts.isConstTypeReference(expression.type) ? undefined : expression.type;
    if (!ts.isIdentifier(expression) && !ts.isPropertyAccessExpression(expression)) return undefined;
    const declaration = checker.getSymbolAtLocation(expression)?.valueDeclaration;
    return declaration && annotationOf(declaration);
  }

  function hasDocs(declaration: ts.Node): boolean {
    return (
      ts.isPropertySignature(declaration) ||
      ts.isPropertyAssignment(declaration) ||
      ts.isShorthandPropertyAssignment(declaration)
    );
  }

  return {
    read,
    ofSymbol(symbol, place) {
      const value = valueOf(symbol, place, true);
      const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
      return isOptional ? new engine.UnionType([value, new engine.UndefinedType()]) : value;
    },
  };
}

type EngineProperty = InstanceType<ParserContext['engine']['ObjectProperty']>;

const notClosed = (text: string) =>
  unsupported(`\`${text}\` is inferred, and not known before the program runs`, 'declare its type');

/**
 * All declarations of a field of an object type: the checker knows those of one base of an interface, though others may describe the field
 * differently, and an object that is spread has the fields of its type.
 */
function fieldDeclarations(
  context: ParserContext,
  owner: ts.Type,
  field: ts.Symbol,
): readonly ts.Declaration[] {
  const own = field.declarations ?? [];
  const [first] = own;
  if (own.length !== 1 || first === undefined) return own;
  const { checker } = context.source;
  const found = sourcesOf(context, owner, first).flatMap((type) => {
    const same = checker.getPropertyOfType(type, field.name);
    return same === undefined ? [] : fieldDeclarations(context, type, same);
  });
  return found.includes(first) ? [...new Set(found)] : own;
}

/** The types that a type has fields from which it does not declare: the bases of an interface, and what an object literal spreads. */
function sourcesOf(
  { source: { ts, checker } }: ParserContext,
  owner: ts.Type,
  declaration: ts.Declaration,
): readonly ts.Type[] {
  const declared = owner.symbol?.declarations ?? [];
  if (declared.some((part) => part === declaration.parent)) return [];
  const literal = declared.find((part) => ts.isObjectLiteralExpression(part));
  if (literal !== undefined)
    return literal.properties
      .filter((part) => ts.isSpreadAssignment(part))
      .map((part) => checker.getTypeAtLocation(part.expression));
  const target = (owner as Partial<ts.TypeReference>).target ?? owner;
  return target.isClassOrInterface() ? checker.getBaseTypes(target) : [];
}

import type ts from 'typescript';
import { callable } from './functions.ts';
import { anyType, notJson, recursive, stringKeys, unsupported, type Refusal } from './refusals.ts';
import { type CheckedTypes, type EngineType, type ParserContext, sharedType } from './types.ts';

const inferredTemplate: Refusal = unsupported(
  'the texts of an inferred template literal are not known',
  'declare the type, or use string with a `@pattern`',
);

/**
 * Converts types of the TypeScript checker to types of the schema generator (the engine). The checker infers types, but it ignores tags,
 * and it reduces `Int32` and other named numbers to `number`. Therefore, if a declaration contains a written type, that written type is
 * read instead.
 */
export class CheckedTypeReader implements CheckedTypes {
  readonly #context: ParserContext;
  readonly #engine: ParserContext['engine'];
  readonly #chain: ParserContext['chain'];
  readonly #ts: ParserContext['source']['ts'];
  readonly #checker: ParserContext['source']['checker'];
  readonly #program: ParserContext['source']['program'];
  readonly #open = new Set<ts.Type>();
  readonly #ids = new Map<ts.Type, number>();

  constructor(context: ParserContext) {
    this.#context = context;
    this.#engine = context.engine;
    this.#chain = context.chain;
    this.#ts = context.source.ts;
    this.#checker = context.source.checker;
    this.#program = context.source.program;
  }

  ofSymbol(symbol: ts.Symbol, place: ts.Node): EngineType {
    const value = this.#valueOf(symbol, place, true);
    const isOptional = (symbol.flags & this.#ts.SymbolFlags.Optional) !== 0;
    return isOptional ? new this.#engine.UnionType([value, new this.#engine.UndefinedType()]) : value;
  }

  read(type: ts.Type, place: ts.Node): EngineType {
    const written = this.#declarationOf(type);
    if (written !== undefined) return this.#chain.createType(written, new this.#engine.Context());
    return this.#primitive(type, place) ?? this.#structured(type, place);
  }

  /** Returns the declaration of exactly this type: a type alias, interface or enum without type arguments. */
  #declarationOf(type: ts.Type): ts.Node | undefined {
    for (const symbol of [type.aliasSymbol, type.symbol as ts.Symbol | undefined]) {
      const declaration = symbol?.declarations?.find(
        (item) =>
          this.#ts.isTypeAliasDeclaration(item) ||
          this.#ts.isInterfaceDeclaration(item) ||
          this.#ts.isEnumDeclaration(item),
      );
      if (symbol === undefined || declaration === undefined) continue;
      // Types of the standard library are not JSON types, or they are read by their structure.
      const isLibrary = this.#program.isSourceFileDefaultLibrary(declaration.getSourceFile());
      if (
        !isLibrary &&
        this.#checker.getDeclaredTypeOfSymbol(symbol) === type &&
        !this.#isGeneric(declaration)
      )
        return declaration;
    }
    const literal = type.symbol?.declarations?.find((item) => this.#ts.isTypeLiteralNode(item));
    return literal !== undefined &&
      this.#checker.getTypeAtLocation(literal) === type &&
      this.#isClosed(literal)
      ? literal
      : undefined;
  }

  #isGeneric(declaration: ts.Node): boolean {
    const parameters = (declaration as { typeParameters?: ts.NodeArray<ts.Node> }).typeParameters;
    return parameters !== undefined && parameters.length > 0;
  }

  /** True if no part of a node refers to a type parameter of an enclosing declaration. */
  #isClosed(node: ts.Node): boolean {
    if (
      this.#ts.isTypeReferenceNode(node) ||
      this.#ts.isTypeQueryNode(node) ||
      node.kind === this.#ts.SyntaxKind.ThisType
    ) {
      const { flags } = this.#checker.getTypeAtLocation(node);
      if (flags & this.#ts.TypeFlags.TypeParameter) return false;
    }
    return this.#ts.forEachChild(node, (part) => (this.#isClosed(part) ? undefined : true)) !== true;
  }

  #primitive(type: ts.Type, place: ts.Node): EngineType | undefined {
    const { flags } = type;
    if (flags & (this.#ts.TypeFlags.Any | this.#ts.TypeFlags.Unknown))
      return this.#context.refused(place, anyType(this.#checker.typeToString(type)));
    if (type.isStringLiteral() || type.isNumberLiteral()) return new this.#engine.LiteralType(type.value);
    if (flags & this.#ts.TypeFlags.BooleanLiteral)
      return new this.#engine.LiteralType(this.#checker.typeToString(type) === 'true');
    if (flags & this.#ts.TypeFlags.String) return new this.#engine.StringType();
    if (flags & this.#ts.TypeFlags.Number) return new this.#engine.NumberType();
    if (flags & this.#ts.TypeFlags.Boolean) return new this.#engine.BooleanType();
    if (flags & this.#ts.TypeFlags.Null) return new this.#engine.NullType();
    if (flags & (this.#ts.TypeFlags.Undefined | this.#ts.TypeFlags.Void))
      return new this.#engine.UndefinedType();
    if (flags & this.#ts.TypeFlags.Never) return new this.#engine.NeverType();
    if (flags & this.#ts.TypeFlags.ESSymbolLike)
      return this.#context.refused(place, notJson(this.#checker.typeToString(type), 'use string'));
    if (flags & this.#ts.TypeFlags.TemplateLiteral) return this.#context.refused(place, inferredTemplate);
    return undefined;
  }

  #structured(type: ts.Type, place: ts.Node): EngineType {
    if (this.#open.has(type)) return this.#context.refused(place, recursive(type.symbol?.name ?? ''));
    this.#open.add(type);
    try {
      if (type.isUnion())
        return new this.#engine.UnionType(this.#inOrder(type.types).map((part) => this.read(part, place)));
      if (type.isIntersection())
        return this.#engine.translate(type.types.map((part) => this.read(part, place)));
      if (type.flags & this.#ts.TypeFlags.Object) return this.#object(type as ts.ObjectType, place);
      return this.#context.refused(place, notClosed(this.#checker.typeToString(type)));
    } finally {
      this.#open.delete(type);
    }
  }

  // Sorts literal types, because the checker orders them by where it first found them.
  #inOrder(types: readonly ts.Type[]): readonly ts.Type[] {
    const isLiteral = (type: ts.Type): type is ts.LiteralType =>
      type.isStringLiteral() || type.isNumberLiteral();
    const literals = types.filter(isLiteral);
    const sorted = literals.sort(({ value: a }, { value: b }) => (a < b ? -1 : a > b ? 1 : 0));
    return [...sorted, ...types.filter((type) => !isLiteral(type))];
  }

  #object(type: ts.ObjectType, place: ts.Node): EngineType {
    if (this.#checker.isTupleType(type)) return this.#tuple(type as ts.TupleTypeReference, place);
    if (this.#checker.isArrayType(type)) {
      const [items] = this.#checker.getTypeArguments(type as ts.TypeReference);
      if (items !== undefined) return new this.#engine.ArrayType(this.read(items, place));
    }
    const text = this.#checker.typeToString(type);
    const signature = type.getCallSignatures().at(-1);
    if (signature !== undefined)
      return callable(this.#context, place, signature.getDeclaration(), new this.#engine.Context());
    const [declaration] = type.symbol?.declarations ?? [];
    const isLibrary =
      declaration !== undefined && this.#program.isSourceFileDefaultLibrary(declaration.getSourceFile());
    const isNominal = type.isClassOrInterface() || (type.objectFlags & this.#ts.ObjectFlags.Reference) !== 0;
    if ((isLibrary && isNominal) || type.isClass()) {
      const [argument] = isNominal ? this.#checker.getTypeArguments(type as ts.TypeReference) : [];
      const isPromise = type.symbol?.name === 'Promise' && argument !== undefined;
      const inside = isPromise ? { promised: this.read(argument, place) } : {};
      return this.#context.refused(place, notJson(text, 'use a type that has a JSON form'), true, inside);
    }
    const indexes = this.#checker.getIndexInfosOfType(type);
    const index = indexes.find(({ keyType }) => keyType.flags & this.#ts.TypeFlags.String);
    if (indexes.length > 0 && (index === undefined || indexes.length > 1))
      return this.#context.refused(place, stringKeys);
    const properties = this.#checker
      .getPropertiesOfType(type)
      .map((property) => this.#field(type, property, place));
    const id = this.#ids.get(type) ?? this.#ids.size;
    this.#ids.set(type, id);
    const additional = index === undefined ? false : this.read(index.type, place);
    return new this.#engine.ObjectType(`checked-${id}`, [], properties, additional);
  }

  #tuple(type: ts.TupleTypeReference, place: ts.Node): EngineType {
    const items = this.#checker.getTypeArguments(type);
    if (type.target.elementFlags.some((flag) => flag !== this.#ts.ElementFlags.Required))
      return this.#context.refused(place, notClosed(this.#checker.typeToString(type)));
    return new this.#engine.TupleType(items.map((item) => this.read(item, place)));
  }

  #field(owner: ts.ObjectType, symbol: ts.Symbol, place: ts.Node): EngineProperty {
    const isOptional = (symbol.flags & this.#ts.SymbolFlags.Optional) !== 0;
    // The fields of a mapped type may have other types than those in the declarations.
    const isMapped = (owner.objectFlags & this.#ts.ObjectFlags.Mapped) !== 0;
    const declarations = fieldDeclarations(this.#context, owner, symbol);
    const types = declarations.map((declaration) => this.#valueOf(symbol, place, !isMapped, declaration));
    const value = types.length > 1 ? sharedType(this.#context, symbol.name, types) : types[0];
    return new this.#engine.ObjectProperty(
      symbol.name,
      value ?? this.#valueOf(symbol, place, !isMapped),
      !isOptional,
    );
  }

  /** @param isWritten true if the type written in the declaration is the type of the symbol */
  #valueOf(
    symbol: ts.Symbol,
    place: ts.Node,
    isWritten: boolean,
    declaration = symbol.valueDeclaration ?? symbol.declarations?.[0],
  ): EngineType {
    const type = this.#checker.getTypeOfSymbol(symbol);
    if (declaration === undefined) return this.read(type, place);
    const written = isWritten ? this.#writtenType(declaration, type) : undefined;
    const isOptional = (symbol.flags & this.#ts.SymbolFlags.Optional) !== 0;
    const value =
      written === undefined
        ? this.read(isOptional ? this.#withoutUndefined(type) : type, declaration)
        : this.#chain.createType(written, new this.#engine.Context());
    const sources = [declaration, ...this.#copiedFrom(declaration)].filter((each) => this.#hasDocs(each));
    return sources.reduceRight<EngineType>((inner, item) => this.#context.annotated(item, inner), value);
  }

  /**
   * Returns the declarations of the field that a property copies. In `{ size: spec.size }`, the copy has the same constraints as
   * `spec.size`.
   */
  #copiedFrom(declaration: ts.Node): readonly ts.Node[] {
    const expression = this.#ts.isPropertyAssignment(declaration) ? declaration.initializer : undefined;
    if (expression === undefined || !this.#ts.isPropertyAccessExpression(expression)) return [];
    const source = this.#checker.getSymbolAtLocation(expression)?.valueDeclaration;
    return source === undefined ? [] : [source, ...this.#copiedFrom(source)];
  }

  #withoutUndefined(type: ts.Type): ts.Type {
    if (!type.isUnion() || type.types.every((part) => (part.flags & this.#ts.TypeFlags.Undefined) === 0))
      return type;
    const isNull = type.types.some((part) => (part.flags & this.#ts.TypeFlags.Null) !== 0);
    // `getNonNullableType` removes `null` together with `undefined`, so it is not used if the union contains `null`.
    return isNull ? type : this.#checker.getNonNullableType(type);
  }

  /** Returns the type that is written in the declaration of a field, if it equals the checker's type. */
  #writtenType(declaration: ts.Node, type: ts.Type): ts.TypeNode | undefined {
    const node = this.#annotationOf(declaration);
    if (node === undefined || !this.#isClosed(node)) return undefined;
    const written = this.#checker.getTypeFromTypeNode(node);
    const isSame =
      written === type ||
      this.#checker.getNonNullableType(type) === this.#checker.getNonNullableType(written);
    return isSame ? node : undefined;
  }

  /**
   * Returns the type that is written beside a name or an expression, as in `name: T`, `name = value as T`, or `{ name }` if `name` is a
   * constant with a written type.
   */
  #annotationOf(declaration: ts.Node): ts.TypeNode | undefined {
    if (
      this.#ts.isPropertySignature(declaration) ||
      this.#ts.isPropertyDeclaration(declaration) ||
      this.#ts.isParameter(declaration)
    )
      return declaration.type;
    if (this.#ts.isVariableDeclaration(declaration))
      return declaration.type ?? (declaration.initializer && this.#typeBeside(declaration.initializer));
    if (this.#ts.isPropertyAssignment(declaration)) return this.#typeBeside(declaration.initializer);
    if (!this.#ts.isShorthandPropertyAssignment(declaration)) return undefined;
    const value = this.#checker.getShorthandAssignmentValueSymbol(declaration)?.valueDeclaration;
    return value && this.#annotationOf(value);
  }

  /** Returns the type in `value as T`, or the declared type of the name in an expression such as `spec.size`. */
  #typeBeside(expression: ts.Expression): ts.TypeNode | undefined {
    if (this.#ts.isParenthesizedExpression(expression) || this.#ts.isSatisfiesExpression(expression))
      return this.#typeBeside(expression.expression);
    if (this.#ts.isAsExpression(expression))
      return this.#ts.isConstTypeReference(expression.type) ? undefined : expression.type;
    if (!this.#ts.isIdentifier(expression) && !this.#ts.isPropertyAccessExpression(expression))
      return undefined;
    const declaration = this.#checker.getSymbolAtLocation(expression)?.valueDeclaration;
    return declaration && this.#annotationOf(declaration);
  }

  #hasDocs(declaration: ts.Node): boolean {
    return (
      this.#ts.isPropertySignature(declaration) ||
      this.#ts.isPropertyAssignment(declaration) ||
      this.#ts.isShorthandPropertyAssignment(declaration)
    );
  }
}

type EngineProperty = InstanceType<ParserContext['engine']['ObjectProperty']>;

const notClosed = (text: string) =>
  unsupported(`\`${text}\` is inferred, and not known before the program runs`, 'declare its type');

/**
 * Returns all declarations of a field of an object type. For an interface with several bases, the checker returns the declarations in only
 * one base, although the other bases may describe the field differently. For a spread object, the fields of its type are included.
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

/**
 * Returns the types from which a type gets fields that it does not declare: the base types of an interface, and the objects that an object
 * literal spreads.
 */
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

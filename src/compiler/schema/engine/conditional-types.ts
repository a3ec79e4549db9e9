import type ts from 'typescript';
import {
  type EngineContext,
  type EngineParser,
  type EngineType,
  type ParserContext,
  boundContext,
  typeParameterName,
} from './types.ts';
import { tagsTakenApart, unsupported } from './refusals.ts';
import { coreOf, docsAround, membersOf, withTags, returnedBy } from './functions.ts';

/**
 * Parses conditional types, such as `T extends U ? X : Y`. The schema generator (the engine) compares types without their names and docs,
 * and loses the names and docs of types that `infer` binds. This parser decides the conditions that it supports, and leaves all other
 * conditions to the engine.
 */
export function conditionalParser(context: ParserContext): EngineParser {
  const { ts, checker } = context.source;
  const engineParser = new context.engine.ConditionalTypeNodeParser(checker, context.chain);
  const assignability = new Assignability(context);

  function createType(node: ts.ConditionalTypeNode, engineContext: EngineContext): EngineType {
    if (!assignability.isUnderstood(node.extendsType)) return engineParser.createType(node, engineContext);
    const checked = context.chain.createType(node.checkType, engineContext);
    const parameter = typeParameterName(context, node.checkType);
    const members = parameter === undefined ? [checked] : membersOf(context, checked);
    const results = members.map((member) => branchOf(node, engineContext, parameter, member));
    if (results.every((result, index) => result === members[index])) return checked;
    const known = results.filter((result) => !(result instanceof context.engine.NeverType));
    const [only] = known;
    if (members.length > 1 || known.some((result) => isRebuiltList(checked, result))) {
      const lost = docsAround(context, checked).find((doc) => doc.kind === 'declaration' && withTags(doc));
      if (lost !== undefined) return context.refused(undefined, tagsTakenApart(lost.label));
    }
    if (only === undefined) return new context.engine.NeverType();
    return known.length === 1 ? only : new context.engine.UnionType(known);
  }

  /** Returns true for a list type that was rebuilt with other items. A rebuilt list has lost the docs of the former list. */
  function isRebuiltList(former: EngineType, result: EngineType): boolean {
    const [one, other] = [former, result].map((type) => coreOf(context, type));
    return one !== other && [one, other].every((type) => type instanceof context.engine.ArrayType);
  }

  function branchOf(
    node: ts.ConditionalTypeNode,
    engineContext: EngineContext,
    parameter: string | undefined,
    member: EngineType,
  ): EngineType {
    const inferred: Inferred = new Map();
    const verdict = assignability.matches(member, node.extendsType, engineContext, inferred);
    if (verdict === undefined) return context.refused(undefined, undecided(node.extendsType.getText()));
    const bound = new Map(verdict ? inferred : []);
    if (parameter !== undefined && !bound.has(parameter)) bound.set(parameter, member);
    const inner = boundContext(context, node, engineContext, bound);
    return context.chain.createType(verdict ? node.trueType : node.falseType, inner);
  }

  return {
    supportsNode: (node) => ts.isConditionalTypeNode(node),
    createType: (node, engineContext) => createType(node as ts.ConditionalTypeNode, engineContext),
  };
}

const undecided = (text: string) =>
  unsupported(
    `whether the type extends \`${text}\` cannot be said without losing what names and tags say`,
    'write the type out as an interface',
  );

/** Types that `infer` binds, keyed by the names that they are bound to. */
type Inferred = Map<string, EngineType>;

/** Result of a comparison of two types: true if the first type extends the second; undefined if this cannot be decided. */
type Verdict = boolean | undefined;

/** Kinds of values that a condition with `extends` distinguishes. */
type ValueKind = 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'array' | 'object' | 'function';

/**
 * Decides if a type extends the type after `extends` in a conditional type. Follows the rules of the compiler, but reads the second type
 * from its syntax.
 */
class Assignability {
  readonly #context: ParserContext;
  readonly #engine: ParserContext['engine'];
  readonly #chain: ParserContext['chain'];
  readonly #ts: ParserContext['source']['ts'];
  readonly #checker: ParserContext['source']['checker'];
  readonly #program: ParserContext['source']['program'];
  readonly #keywords: ReadonlyMap<ts.SyntaxKind, ValueKind | 'none'>;

  constructor(context: ParserContext) {
    this.#context = context;
    this.#engine = context.engine;
    this.#chain = context.chain;
    this.#ts = context.source.ts;
    this.#checker = context.source.checker;
    this.#program = context.source.program;
    this.#keywords = new Map<ts.SyntaxKind, ValueKind | 'none'>([
      [this.#ts.SyntaxKind.StringKeyword, 'string'],
      [this.#ts.SyntaxKind.NumberKeyword, 'number'],
      [this.#ts.SyntaxKind.BooleanKeyword, 'boolean'],
      [this.#ts.SyntaxKind.UndefinedKeyword, 'undefined'],
      [this.#ts.SyntaxKind.BigIntKeyword, 'none'],
      [this.#ts.SyntaxKind.SymbolKeyword, 'none'],
      [this.#ts.SyntaxKind.NeverKeyword, 'none'],
    ]);
  }

  /** Returns true if `matches` supports the type after `extends`. Conditions with any other type are left to the engine. */
  isUnderstood(node: ts.TypeNode): boolean {
    if (this.#ts.isParenthesizedTypeNode(node)) return this.isUnderstood(node.type);
    if (this.#ts.isUnionTypeNode(node)) return node.types.every((each) => this.isUnderstood(each));
    const special = [
      this.#ts.SyntaxKind.AnyKeyword,
      this.#ts.SyntaxKind.UnknownKeyword,
      this.#ts.SyntaxKind.ObjectKeyword,
    ];
    if (special.includes(node.kind) || this.#keywords.has(node.kind) || this.#isNull(node)) return true;
    if (this.#ts.isInferTypeNode(node)) return node.typeParameter.constraint === undefined;
    if (this.#ts.isFunctionTypeNode(node)) return true;
    if (this.#itemsOf(node) !== undefined) return true;
    if (this.#ts.isTypeLiteralNode(node))
      return node.members.every(
        (member) =>
          this.#ts.isPropertySignature(member) && member.type !== undefined && this.isUnderstood(member.type),
      );
    return this.#ts.isTypeReferenceNode(node) && (this.#isForeign(node) || this.#aliasOf(node) !== undefined);
  }

  /** @param inferred receives the types that `infer` binds */
  matches(type: EngineType, node: ts.TypeNode, engineContext: EngineContext, inferred: Inferred): Verdict {
    if (this.#ts.isParenthesizedTypeNode(node)) return this.matches(type, node.type, engineContext, inferred);
    if (node.kind === this.#ts.SyntaxKind.AnyKeyword || node.kind === this.#ts.SyntaxKind.UnknownKeyword)
      return true;
    if (this.#ts.isInferTypeNode(node)) {
      const name = node.typeParameter.name.text;
      const known = inferred.get(name);
      inferred.set(name, known === undefined ? type : new this.#engine.UnionType([known, type]));
      return true;
    }
    const core = coreOf(this.#context, type);
    if (core instanceof this.#engine.UnionType)
      return all(core.getTypes().map((member) => this.matches(member, node, engineContext, inferred)));
    if (this.#ts.isUnionTypeNode(node))
      return some(node.types.map((member) => this.matches(type, member, engineContext, inferred)));
    const kinds = this.#kindsOf(core);
    if (kinds === undefined) return undefined;
    const isAmong = (...wanted: readonly (ValueKind | 'none')[]): Verdict =>
      [...kinds].every((kind) => wanted.includes(kind));
    if (node.kind === this.#ts.SyntaxKind.ObjectKeyword) return isAmong('array', 'object', 'function');
    if (this.#isNull(node)) return isAmong('null');
    const keyword = this.#keywords.get(node.kind);
    if (keyword !== undefined) return isAmong(keyword);
    const items = this.#itemsOf(node);
    if (items !== undefined) return this.#matchItems(core, items, engineContext, inferred);
    if (this.#ts.isFunctionTypeNode(node))
      return this.#matchFunction(type, kinds, node, engineContext, inferred);
    if (this.#ts.isTypeLiteralNode(node))
      return this.#matchFields(core, kinds, node, engineContext, inferred);
    if (!this.#ts.isTypeReferenceNode(node)) return undefined;
    const alias = this.#aliasOf(node);
    if (alias !== undefined) return this.matches(type, alias.type, new this.#engine.Context(), inferred);
    return this.#matchForeign(node, kinds);
  }

  #matchItems(
    core: EngineType,
    items: ts.TypeNode,
    engineContext: EngineContext,
    inferred: Inferred,
  ): Verdict {
    const form = this.#context.formOf(core);
    // Left undecided for lists, because properties of the list type itself, such as its keys, would be lost.
    if (form?.kind === 'list') return undefined;
    if (form !== undefined) return form.kind === 'fixed' && form.schema.type !== 'array' ? false : undefined;
    if (core instanceof this.#engine.ArrayType)
      return this.matches(core.getItem(), items, engineContext, inferred);
    return core instanceof this.#engine.TupleType ? undefined : false;
  }

  #matchFunction(
    type: EngineType,
    kinds: ReadonlySet<ValueKind>,
    node: ts.FunctionTypeNode,
    engineContext: EngineContext,
    inferred: Inferred,
  ): Verdict {
    if (!kinds.has('function')) return false;
    const [rest] = node.parameters;
    const takesAnything =
      node.parameters.length === 1 &&
      rest?.dotDotDotToken !== undefined &&
      rest.type?.getText() !== undefined;
    const isAny = takesAnything && ['any', 'any[]', 'never[]', 'never'].includes(rest.type?.getText() ?? '');
    const returned = isAny ? returnedBy(this.#context, type) : undefined;
    return returned && this.matches(returned, node.type, engineContext, inferred);
  }

  #matchFields(
    core: EngineType,
    kinds: ReadonlySet<ValueKind>,
    node: ts.TypeLiteralNode,
    engineContext: EngineContext,
    inferred: Inferred,
  ): Verdict {
    if (node.members.length === 0) return !kinds.has('null') && !kinds.has('undefined');
    if (![...kinds].every((kind) => kind === 'object')) return kinds.size === 1 ? false : undefined;
    const isKnown = core instanceof this.#engine.ObjectType || core instanceof this.#engine.IntersectionType;
    if (!isKnown) return undefined;
    return all(
      node.members.map((member) => {
        if (!this.#ts.isPropertySignature(member) || member.type === undefined) return undefined;
        const name = new this.#engine.LiteralType(member.name.getText().replace(/^(['"])(.*)\1$/, '$2'));
        const found = this.#engine.getTypeByKey(core, name);
        if (found === undefined) return member.questionToken === undefined ? false : undefined;
        return this.matches(found, member.type, engineContext, inferred);
      }),
    );
  }

  /** Compares a type with an interface of the standard library or of Node. These interfaces have methods, and JSON values have none. */
  #matchForeign(node: ts.TypeReferenceNode, kinds: ReadonlySet<ValueKind>): Verdict {
    const name = node.typeName.getText();
    if (name === 'Function') return kinds.has('function');
    if (name !== 'Record') return kinds.has('function') ? undefined : false;
    const [, values] = node.typeArguments ?? [];
    const isObject = [...kinds].every((kind) => kind === 'object');
    if (!isObject) return kinds.has('array') || kinds.has('function') ? undefined : false;
    return values?.kind === this.#ts.SyntaxKind.AnyKeyword ? true : undefined;
  }

  /** Returns the kinds of values that a type has. The type must not be a union. Returns undefined if the kinds are not known. */
  #kindsOf(core: EngineType): ReadonlySet<ValueKind> | undefined {
    const form = this.#context.formOf(core);
    if (form?.kind === 'refused')
      return 'inside' in form && form.inside?.signature !== undefined ? new Set(['function']) : undefined;
    if (form?.kind === 'list') return new Set(['array']);
    if (form?.kind === 'string') return new Set(['string']);
    if (form?.kind === 'adjusted' || form?.kind === 'resourceBase') return new Set(['object']);
    if (form?.kind === 'fixed') return kindsOfSchema(form.schema);
    if (form !== undefined) return undefined;
    if (core instanceof this.#engine.StringType) return new Set(['string']);
    if (core instanceof this.#engine.NumberType) return new Set(['number']);
    if (core instanceof this.#engine.BooleanType) return new Set(['boolean']);
    if (core instanceof this.#engine.NullType) return new Set(['null']);
    if (core instanceof this.#engine.UndefinedType) return new Set(['undefined']);
    if (core instanceof this.#engine.LiteralType) return new Set([typeof core.getValue() as ValueKind]);
    if (core instanceof this.#engine.EnumType)
      return new Set(
        core.getValues().map((value) => (value === null ? 'null' : (typeof value as ValueKind))),
      );
    if (core instanceof this.#engine.ArrayType || core instanceof this.#engine.TupleType)
      return new Set(['array']);
    if (core instanceof this.#engine.ObjectType) return new Set(['object']);
    if (!(core instanceof this.#engine.IntersectionType)) return undefined;
    const parts = core.getTypes().map((part) => this.#kindsOf(coreOf(this.#context, part)));
    return parts.every((part) => part?.size === 1 && part.has('object')) ? new Set(['object']) : undefined;
  }

  /** Returns the type of the items of `T[]`, `readonly T[]` and `Array<T>`. */
  #itemsOf(node: ts.TypeNode): ts.TypeNode | undefined {
    if (this.#ts.isArrayTypeNode(node)) return this.#understoodItems(node.elementType);
    if (this.#ts.isTypeOperatorNode(node) && node.operator === this.#ts.SyntaxKind.ReadonlyKeyword)
      return this.#itemsOf(node.type);
    if (!this.#ts.isTypeReferenceNode(node) || !['Array', 'ReadonlyArray'].includes(node.typeName.getText()))
      return undefined;
    const [items] = node.typeArguments ?? [];
    return items && this.#understoodItems(items);
  }

  #understoodItems(items: ts.TypeNode): ts.TypeNode | undefined {
    return this.isUnderstood(items) ? items : undefined;
  }

  /** Returns the declaration of a type alias without type parameters, such as `Primitive`. */
  #aliasOf(node: ts.TypeReferenceNode): ts.TypeAliasDeclaration | undefined {
    const declaration = this.#declarationsOf(node).find((item) => this.#ts.isTypeAliasDeclaration(item));
    if (declaration?.typeParameters !== undefined || declaration === undefined) return undefined;
    // The types of this package have special schemas that differ from their declarations. Therefore their declarations must not be
    // compared.
    const isOwn = this.#context.formOf(
      coreOf(this.#context, this.#chain.createType(declaration, new this.#engine.Context())),
    );
    return isOwn === undefined && this.isUnderstood(declaration.type) ? declaration : undefined;
  }

  #isForeign(node: ts.TypeReferenceNode): boolean {
    const declarations = this.#declarationsOf(node);
    const name = node.typeName.getText();
    if (name === 'Record') return true;
    return (
      declarations.some((item) => this.#ts.isInterfaceDeclaration(item)) &&
      !['Array', 'ReadonlyArray', 'Object', 'String', 'Number', 'Boolean', 'Promise', 'PromiseLike'].includes(
        name,
      ) &&
      declarations.every((item) => this.#program.isSourceFileDefaultLibrary(item.getSourceFile()))
    );
  }

  #declarationsOf(node: ts.TypeReferenceNode): readonly ts.Declaration[] {
    const symbol = this.#checker.getSymbolAtLocation(node.typeName);
    const target =
      symbol !== undefined && symbol.flags & this.#ts.SymbolFlags.Alias
        ? this.#checker.getAliasedSymbol(symbol)
        : symbol;
    return target?.declarations ?? [];
  }

  #isNull(node: ts.TypeNode): boolean {
    return this.#ts.isLiteralTypeNode(node) && node.literal.kind === this.#ts.SyntaxKind.NullKeyword;
  }
}

function kindsOfSchema(schema: {
  readonly type?: string;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}): ReadonlySet<ValueKind> | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return new Set(['string', 'number']);
  const kinds: Readonly<Record<string, ValueKind>> = {
    string: 'string',
    integer: 'number',
    number: 'number',
    boolean: 'boolean',
    array: 'array',
    object: 'object',
  };
  const kind = kinds[schema.type ?? ''];
  return kind === undefined ? undefined : new Set([kind]);
}

function all(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(undefined) ? undefined : true;
}

function some(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}

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
 * Conditional types: `T extends U ? X : Y`. The engine compares types without their names and docs, and loses those of what `infer` gives
 * back; where it would have to, this one does.
 */
export function conditionalParser(context: ParserContext): EngineParser {
  const { ts, checker } = context.source;
  const engineParser = new context.engine.ConditionalTypeNodeParser(checker, context.chain);
  const { matches, isUnderstood } = createAssignability(context);

  function createType(node: ts.ConditionalTypeNode, engineContext: EngineContext): EngineType {
    if (!isUnderstood(node.extendsType)) return engineParser.createType(node, engineContext);
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

  /** A list of other items: what is said of the former list would be lost. */
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
    const verdict = matches(member, node.extendsType, engineContext, inferred);
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

/** Types of the names of `infer`. */
type Inferred = Map<string, EngineType>;

/** True if a type extends another one; undefined if that cannot be decided. */
type Verdict = boolean | undefined;

interface Assignability {
  /** True if `matches` knows a type behind `extends`; everything else is left to the engine. */
  readonly isUnderstood: (node: ts.TypeNode) => boolean;
  /** @param inferred takes over what `infer` gives */
  readonly matches: (
    type: EngineType,
    node: ts.TypeNode,
    engineContext: EngineContext,
    inferred: Inferred,
  ) => Verdict;
}

/** Kinds of values, as `extends` tells them apart. */
type ValueKind = 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'array' | 'object' | 'function';

/** Compares types with what is behind `extends` in a conditional type, by what is written there. */
function createAssignability(context: ParserContext): Assignability {
  const { engine, source, chain } = context;
  const { ts, checker, program } = source;
  const { SyntaxKind } = ts;
  const keywords = new Map<ts.SyntaxKind, ValueKind | 'none'>([
    [SyntaxKind.StringKeyword, 'string'],
    [SyntaxKind.NumberKeyword, 'number'],
    [SyntaxKind.BooleanKeyword, 'boolean'],
    [SyntaxKind.UndefinedKeyword, 'undefined'],
    [SyntaxKind.BigIntKeyword, 'none'],
    [SyntaxKind.SymbolKeyword, 'none'],
    [SyntaxKind.NeverKeyword, 'none'],
  ]);

  function isUnderstood(node: ts.TypeNode): boolean {
    if (ts.isParenthesizedTypeNode(node)) return isUnderstood(node.type);
    if (ts.isUnionTypeNode(node)) return node.types.every(isUnderstood);
    const special = [SyntaxKind.AnyKeyword, SyntaxKind.UnknownKeyword, SyntaxKind.ObjectKeyword];
    if (special.includes(node.kind) || keywords.has(node.kind) || isNull(node)) return true;
    if (ts.isInferTypeNode(node)) return node.typeParameter.constraint === undefined;
    if (ts.isFunctionTypeNode(node)) return true;
    if (itemsOf(node) !== undefined) return true;
    if (ts.isTypeLiteralNode(node))
      return node.members.every(
        (member) => ts.isPropertySignature(member) && member.type !== undefined && isUnderstood(member.type),
      );
    return ts.isTypeReferenceNode(node) && (isForeign(node) || aliasOf(node) !== undefined);
  }

  function matches(
    type: EngineType,
    node: ts.TypeNode,
    engineContext: EngineContext,
    inferred: Inferred,
  ): Verdict {
    if (ts.isParenthesizedTypeNode(node)) return matches(type, node.type, engineContext, inferred);
    if (node.kind === SyntaxKind.AnyKeyword || node.kind === SyntaxKind.UnknownKeyword) return true;
    if (ts.isInferTypeNode(node)) {
      const name = node.typeParameter.name.text;
      const known = inferred.get(name);
      inferred.set(name, known === undefined ? type : new engine.UnionType([known, type]));
      return true;
    }
    const core = coreOf(context, type);
    if (core instanceof engine.UnionType)
      return all(core.getTypes().map((member) => matches(member, node, engineContext, inferred)));
    if (ts.isUnionTypeNode(node))
      return some(node.types.map((member) => matches(type, member, engineContext, inferred)));
    const kinds = kindsOf(core);
    if (kinds === undefined) return undefined;
    const isAmong = (...wanted: readonly (ValueKind | 'none')[]): Verdict =>
      [...kinds].every((kind) => wanted.includes(kind));
    if (node.kind === SyntaxKind.ObjectKeyword) return isAmong('array', 'object', 'function');
    if (isNull(node)) return isAmong('null');
    const keyword = keywords.get(node.kind);
    if (keyword !== undefined) return isAmong(keyword);
    const items = itemsOf(node);
    if (items !== undefined) return matchItems(core, items, engineContext, inferred);
    if (ts.isFunctionTypeNode(node)) return matchFunction(type, kinds, node, engineContext, inferred);
    if (ts.isTypeLiteralNode(node)) return matchFields(core, kinds, node, engineContext, inferred);
    if (!ts.isTypeReferenceNode(node)) return undefined;
    const alias = aliasOf(node);
    if (alias !== undefined) return matches(type, alias.type, new engine.Context(), inferred);
    return matchForeign(node, kinds);
  }

  function matchItems(
    core: EngineType,
    items: ts.TypeNode,
    engineContext: EngineContext,
    inferred: Inferred,
  ): Verdict {
    const form = context.formOf(core);
    // What the list says of itself, such as its keys, would not come along.
    if (form?.kind === 'list') return undefined;
    if (form !== undefined) return form.kind === 'fixed' && form.schema.type !== 'array' ? false : undefined;
    if (core instanceof engine.ArrayType) return matches(core.getItem(), items, engineContext, inferred);
    return core instanceof engine.TupleType ? undefined : false;
  }

  function matchFunction(
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
    const returned = isAny ? returnedBy(context, type) : undefined;
    return returned && matches(returned, node.type, engineContext, inferred);
  }

  function matchFields(
    core: EngineType,
    kinds: ReadonlySet<ValueKind>,
    node: ts.TypeLiteralNode,
    engineContext: EngineContext,
    inferred: Inferred,
  ): Verdict {
    if (node.members.length === 0) return !kinds.has('null') && !kinds.has('undefined');
    if (![...kinds].every((kind) => kind === 'object')) return kinds.size === 1 ? false : undefined;
    const isKnown = core instanceof engine.ObjectType || core instanceof engine.IntersectionType;
    if (!isKnown) return undefined;
    return all(
      node.members.map((member) => {
        if (!ts.isPropertySignature(member) || member.type === undefined) return undefined;
        const name = new engine.LiteralType(member.name.getText().replace(/^(['"])(.*)\1$/, '$2'));
        const found = engine.getTypeByKey(core, name);
        if (found === undefined) return member.questionToken === undefined ? false : undefined;
        return matches(found, member.type, engineContext, inferred);
      }),
    );
  }

  /** Interfaces of the library and of Node have methods, which nothing in JSON has. */
  function matchForeign(node: ts.TypeReferenceNode, kinds: ReadonlySet<ValueKind>): Verdict {
    const name = node.typeName.getText();
    if (name === 'Function') return kinds.has('function');
    if (name !== 'Record') return kinds.has('function') ? undefined : false;
    const [, values] = node.typeArguments ?? [];
    const isObject = [...kinds].every((kind) => kind === 'object');
    if (!isObject) return kinds.has('array') || kinds.has('function') ? undefined : false;
    return values?.kind === SyntaxKind.AnyKeyword ? true : undefined;
  }

  /** The kinds of values of a type other than a union; undefined if they are not known. */
  function kindsOf(core: EngineType): ReadonlySet<ValueKind> | undefined {
    const form = context.formOf(core);
    if (form?.kind === 'refused')
      return 'inside' in form && form.inside?.signature !== undefined ? new Set(['function']) : undefined;
    if (form?.kind === 'list') return new Set(['array']);
    if (form?.kind === 'string') return new Set(['string']);
    if (form?.kind === 'adjusted' || form?.kind === 'resourceBase') return new Set(['object']);
    if (form?.kind === 'fixed') return kindsOfSchema(form.schema);
    if (form !== undefined) return undefined;
    if (core instanceof engine.StringType) return new Set(['string']);
    if (core instanceof engine.NumberType) return new Set(['number']);
    if (core instanceof engine.BooleanType) return new Set(['boolean']);
    if (core instanceof engine.NullType) return new Set(['null']);
    if (core instanceof engine.UndefinedType) return new Set(['undefined']);
    if (core instanceof engine.LiteralType) return new Set([typeof core.getValue() as ValueKind]);
    if (core instanceof engine.EnumType)
      return new Set(
        core.getValues().map((value) => (value === null ? 'null' : (typeof value as ValueKind))),
      );
    if (core instanceof engine.ArrayType || core instanceof engine.TupleType) return new Set(['array']);
    if (core instanceof engine.ObjectType) return new Set(['object']);
    if (!(core instanceof engine.IntersectionType)) return undefined;
    const parts = core.getTypes().map((part) => kindsOf(coreOf(context, part)));
    return parts.every((part) => part?.size === 1 && part.has('object')) ? new Set(['object']) : undefined;
  }

  /** The type of the items of `T[]`, `readonly T[]` and `Array<T>`. */
  function itemsOf(node: ts.TypeNode): ts.TypeNode | undefined {
    if (ts.isArrayTypeNode(node)) return understoodItems(node.elementType);
    if (ts.isTypeOperatorNode(node) && node.operator === SyntaxKind.ReadonlyKeyword)
      return itemsOf(node.type);
    if (!ts.isTypeReferenceNode(node) || !['Array', 'ReadonlyArray'].includes(node.typeName.getText()))
      return undefined;
    const [items] = node.typeArguments ?? [];
    return items && understoodItems(items);
  }

  function understoodItems(items: ts.TypeNode): ts.TypeNode | undefined {
    return isUnderstood(items) ? items : undefined;
  }

  /** An alias without parameters, such as `Primitive`. */
  function aliasOf(node: ts.TypeReferenceNode): ts.TypeAliasDeclaration | undefined {
    const declaration = declarationsOf(node).find((item) => ts.isTypeAliasDeclaration(item));
    if (declaration?.typeParameters !== undefined || declaration === undefined) return undefined;
    // The types of this package have other forms than what they are declared as.
    const isOwn = context.formOf(coreOf(context, chain.createType(declaration, new engine.Context())));
    return isOwn === undefined && isUnderstood(declaration.type) ? declaration : undefined;
  }

  function isForeign(node: ts.TypeReferenceNode): boolean {
    const declarations = declarationsOf(node);
    const name = node.typeName.getText();
    if (name === 'Record') return true;
    return (
      declarations.some((item) => ts.isInterfaceDeclaration(item)) &&
      !['Array', 'ReadonlyArray', 'Object', 'String', 'Number', 'Boolean', 'Promise', 'PromiseLike'].includes(
        name,
      ) &&
      declarations.every((item) => program.isSourceFileDefaultLibrary(item.getSourceFile()))
    );
  }

  function declarationsOf(node: ts.TypeReferenceNode): readonly ts.Declaration[] {
    const symbol = checker.getSymbolAtLocation(node.typeName);
    const target =
      symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return target?.declarations ?? [];
  }

  function isNull(node: ts.TypeNode): boolean {
    return ts.isLiteralTypeNode(node) && node.literal.kind === SyntaxKind.NullKeyword;
  }

  return { isUnderstood, matches };
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

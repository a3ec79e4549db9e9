import type ts from 'typescript';
import { ownPath } from '../../../source/index.ts';
import { type InferContext, symbolAt } from './infer-context.ts';

/** API version and name of a kind, according to its type. */
export interface KindName {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A type parameter whose type argument determines a kind. */
interface KindParameter {
  readonly type: ts.Type;
  readonly isToken: boolean;
  /** Index type if the kind is not that of the parameter itself, but that of its items (`T[number]`) or of a property (`T['kind']`). */
  readonly part?: ts.Type;
}

/** Kinds that a value of a type may have. */
export interface KindsOfType {
  readonly names: readonly KindName[];
  /** Type parameters that determine further kinds, each as a resource (`K extends Resource`) or as an object (`T extends KubeObject`). */
  readonly parameters: readonly KindParameter[];
  /** True if the value may also have kinds that the type does not name. */
  readonly isOpen: boolean;
}

const open: KindsOfType = { names: [], parameters: [], isOpen: true };
const none: KindsOfType = { names: [], parameters: [], isOpen: false };

/** Returns the kinds of a resource type: `Resource<Pod>`, `typeof Pod`, unions of such types, or `K extends Resource`. */
export function kindsOfToken(context: InferContext, type: ts.Type): KindsOfType {
  const { ts } = context.source;
  if (type.flags & ts.TypeFlags.Never) return none;
  if (type.isUnion()) return together(type.types.map((part) => kindsOfToken(context, part)));
  if (isNothing(context, type)) return none;
  if (type.flags & ts.TypeFlags.TypeParameter) return { ...none, parameters: [{ type, isToken: true }] };
  if (type.flags & ts.TypeFlags.IndexedAccess) return kindsOfPart(type as ts.IndexedAccessType);
  const object = objectTypeOf(context, type);
  return object === undefined ? open : kindsOfObject(context, object);
}

/** Returns the kind of `T[number]` or `T['kind']`, where T is a type parameter. */
function kindsOfPart({ objectType, indexType }: ts.IndexedAccessType): KindsOfType {
  return { ...none, parameters: [{ type: objectType, isToken: true, part: indexType }] };
}

/** Returns the kinds that a type parameter has at a call. */
export function kindsOfParameter(
  context: InferContext,
  { isToken, part }: KindParameter,
  given: ts.Type,
): KindsOfType {
  const { ts, checker } = context.source;
  if (part === undefined) return isToken ? kindsOfToken(context, given) : kindsOfObject(context, given);
  if (given.flags & ts.TypeFlags.TypeParameter)
    return { ...none, parameters: [{ type: given, isToken, part }] };
  const member = part.isStringLiteral() ? checker.getPropertyOfType(given, part.value) : undefined;
  const type =
    member === undefined
      ? checker.getIndexTypeOfType(
          given,
          part.flags & ts.TypeFlags.Number ? ts.IndexKind.Number : ts.IndexKind.String,
        )
      : checker.getTypeOfSymbol(member);
  return type === undefined ? open : kindsOfToken(context, type);
}

/** Returns the kinds of an object type, such as `Pod`, `Stored<Pod>` or `T extends KubeObject`. */
export function kindsOfObject(context: InferContext, type: ts.Type): KindsOfType {
  const { ts } = context.source;
  const { flags } = type;
  if (flags & ts.TypeFlags.Never) return none;
  if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return open;
  if (type.isUnion()) return together(type.types.map((part) => kindsOfObject(context, part)));
  if (flags & ts.TypeFlags.TypeParameter) return { ...none, parameters: [{ type, isToken: false }] };
  // `ObjectOf<K>` of a type parameter K is an indexed access to K.
  if (flags & ts.TypeFlags.IndexedAccess)
    return kindsOfToken(context, (type as ts.IndexedAccessType).objectType);
  const names = literals(context, type, 'apiVersion');
  const kinds = literals(context, type, 'kind');
  if (names !== undefined && kinds !== undefined)
    return { ...none, names: names.flatMap((apiVersion) => kinds.map((kind) => ({ apiVersion, kind }))) };
  // In a type that depends on a type parameter, such as `Stored<T>`, the type argument determines the kind.
  const [argument] = type.aliasTypeArguments ?? [];
  if (argument !== undefined && isOwnOrLanguage(context, type.aliasSymbol))
    return kindsOfObject(context, argument);
  if (type.isIntersection()) {
    const parts = type.types.map((part) => kindsOfObject(context, part)).filter(({ isOpen }) => !isOpen);
    if (parts[0] !== undefined) return parts[0];
  }
  return isDeferred(context, type) ? kindsOfObject(context, checkedType(type)) : open;
}

/** True if a type is a resource type: it has the member that contains the type of the objects. */
export function isTokenType(context: InferContext, type: ts.Type): boolean {
  return objectTypeOf(context, type) !== undefined;
}

function objectTypeOf({ source: { checker } }: InferContext, type: ts.Type): ts.Type | undefined {
  const member = checker
    .getPropertiesOfType(type)
    .find(({ escapedName }) => String(escapedName).startsWith('__@objectType@'));
  return member && checker.getTypeOfSymbol(member);
}

/** Returns the string values that a property can have. Undefined if the property can have other values too. */
function literals({ source: { checker } }: InferContext, type: ts.Type, name: string): string[] | undefined {
  const property = checker.getPropertyOfType(type, name);
  if (property === undefined) return undefined;
  const of = checker.getTypeOfSymbol(property);
  const parts = of.isUnion() ? of.types : [of];
  const texts = parts.map((part) => (part.isStringLiteral() ? part.value : undefined));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function isNothing({ source: { ts } }: InferContext, type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void)) !== 0;
}

function isOwnOrLanguage({ source: { program } }: InferContext, symbol: ts.Symbol | undefined): boolean {
  const file = symbol?.declarations?.[0]?.getSourceFile();
  return (
    file !== undefined && (ownPath(file.fileName) !== undefined || program.isSourceFileDefaultLibrary(file))
  );
}

function isDeferred({ source: { ts } }: InferContext, type: ts.Type): type is ts.ConditionalType {
  return (type.flags & ts.TypeFlags.Conditional) !== 0;
}

function checkedType(type: ts.ConditionalType): ts.Type {
  return type.checkType;
}

function together(parts: readonly KindsOfType[]): KindsOfType {
  return {
    names: parts.flatMap(({ names }) => names),
    parameters: parts.flatMap(({ parameters }) => parameters),
    isOpen: parts.some(({ isOpen }) => isOpen),
  };
}

/** Value of a property: an expression, or a constructor parameter that declares the property. */
type FieldValue = { readonly expression: ts.Expression } | { readonly parameter: ts.ParameterDeclaration };

/** Returns the visible values that the project assigns to a property that it declares. */
export function fieldValues(context: InferContext, field: ts.Symbol): readonly FieldValue[] {
  const { ts } = context.source;
  const declarations = field.declarations ?? [];
  const name = declarations[0] !== undefined ? ts.getNameOfDeclaration(declarations[0]) : undefined;
  if (name === undefined || !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) return [];
  const declared = declarations.flatMap((declaration): readonly FieldValue[] => {
    if (ts.isParameter(declaration)) return [{ parameter: declaration }];
    if (ts.isPropertyDeclaration(declaration) || ts.isPropertyAssignment(declaration))
      return declaration.initializer === undefined ? [] : [{ expression: declaration.initializer }];
    if (ts.isShorthandPropertyAssignment(declaration)) return [{ expression: declaration.name }];
    if (ts.isGetAccessorDeclaration(declaration)) return returned(context, declaration);
    return [];
  });
  const assigned = (context.index.names.get(name.text) ?? []).flatMap((node) =>
    valueAt(context, node, declarations),
  );
  return [...declared, ...assigned];
}

function returned(
  { source: { ts } }: InferContext,
  { body }: ts.GetAccessorDeclaration,
): readonly FieldValue[] {
  return (body?.statements ?? []).flatMap((statement) =>
    ts.isReturnStatement(statement) && statement.expression !== undefined
      ? [{ expression: statement.expression }]
      : [],
  );
}

/**
 * Returns the value that is assigned to a property where its name occurs: `{ client: c }`, `{ client }`, `this.client = c`. Undefined if
 * nothing is assigned.
 */
function valueAt(
  context: InferContext,
  node: ts.Identifier | ts.PrivateIdentifier,
  declarations: readonly ts.Declaration[],
): readonly FieldValue[] {
  const { ts } = context.source;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    const assignment = parent.parent;
    if (!ts.isBinaryExpression(assignment) || assignment.left !== parent) return [];
    if (assignment.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return [];
    const symbol = symbolAt(context, node);
    return isOneOf(symbol, declarations) ? [{ expression: assignment.right }] : [];
  }
  const isAssignment = ts.isPropertyAssignment(parent) && parent.name === node;
  const isShorthand = ts.isShorthandPropertyAssignment(parent) && parent.name === node;
  if (!isAssignment && !isShorthand) return [];
  if (declarations.includes(parent)) return [];
  const { checker } = context.source;
  const type = checker.getContextualType(parent.parent);
  const symbol = type && checker.getPropertyOfType(checker.getNonNullableType(type), node.text);
  if (!isOneOf(symbol, declarations)) return [];
  return [{ expression: isAssignment ? parent.initializer : parent.name }];
}

function isOneOf(symbol: ts.Symbol | undefined, declarations: readonly ts.Declaration[]): boolean {
  return symbol?.declarations?.some((declaration) => declarations.includes(declaration)) ?? false;
}

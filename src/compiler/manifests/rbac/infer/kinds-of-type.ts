import type ts from 'typescript';
import { ownPath } from '../../../source/index.ts';
import type { InferContext } from './infer-context.ts';

/** The name of a kind, as its type says it. */
export interface KindName {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A type parameter that decides about a kind. */
export interface KindParameter {
  readonly type: ts.Type;
  readonly isToken: boolean;
  /** The kind is that of the parameter's items (`T[number]`) or of a property (`T['kind']`). */
  readonly part?: ts.Type;
}

/** Kinds that a value of a type may be of. */
export interface KindsOfType {
  readonly names: readonly KindName[];
  /** Type parameters that decide, each as a token (`K extends Resource`) or as an object (`T extends KubeObject`). */
  readonly parameters: readonly KindParameter[];
  /** True if it may be of other kinds too, which the type does not name. */
  readonly isOpen: boolean;
}

const open: KindsOfType = { names: [], parameters: [], isOpen: true };
const none: KindsOfType = { names: [], parameters: [], isOpen: false };

/** The kinds of a token's type: `Resource<Pod>`, `typeof Pod`, unions of them, `K extends Resource`. */
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

/** `T[number]` and `T['kind']` of a type parameter. */
function kindsOfPart({ objectType, indexType }: ts.IndexedAccessType): KindsOfType {
  return { ...none, parameters: [{ type: objectType, isToken: true, part: indexType }] };
}

/** The kinds of what a parameter stands for at a call. */
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

/** The kinds of an object's type: `Pod`, `Stored<Pod>`, `T extends KubeObject`. */
export function kindsOfObject(context: InferContext, type: ts.Type): KindsOfType {
  const { ts } = context.source;
  const { flags } = type;
  if (flags & ts.TypeFlags.Never) return none;
  if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return open;
  if (type.isUnion()) return together(type.types.map((part) => kindsOfObject(context, part)));
  if (flags & ts.TypeFlags.TypeParameter) return { ...none, parameters: [{ type, isToken: false }] };
  // `ObjectOf<K>` of a type parameter.
  if (flags & ts.TypeFlags.IndexedAccess)
    return kindsOfToken(context, (type as ts.IndexedAccessType).objectType);
  const names = literals(context, type, 'apiVersion');
  const kinds = literals(context, type, 'kind');
  if (names !== undefined && kinds !== undefined)
    return { ...none, names: names.flatMap((apiVersion) => kinds.map((kind) => ({ apiVersion, kind }))) };
  // A type that depends on a type parameter, such as `Stored<T>`: its argument decides.
  const [argument] = type.aliasTypeArguments ?? [];
  if (argument !== undefined && isOwnOrLanguage(context, type.aliasSymbol))
    return kindsOfObject(context, argument);
  if (type.isIntersection()) {
    const parts = type.types.map((part) => kindsOfObject(context, part)).filter(({ isOpen }) => !isOpen);
    if (parts[0] !== undefined) return parts[0];
  }
  return isDeferred(context, type) ? kindsOfObject(context, checkedType(type)) : open;
}

/** True if a type has the member by which tokens know their object type. */
export function isTokenType(context: InferContext, type: ts.Type): boolean {
  return objectTypeOf(context, type) !== undefined;
}

function objectTypeOf({ source: { checker } }: InferContext, type: ts.Type): ts.Type | undefined {
  const member = checker
    .getPropertiesOfType(type)
    .find(({ escapedName }) => String(escapedName).startsWith('__@objectType@'));
  return member && checker.getTypeOfSymbol(member);
}

/** The texts that a property can have; undefined if it can have others. */
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

import type ts from 'typescript';
import { needOf, methodNames } from '../method-verbs.ts';
import { ownPath } from '../../../source/index.ts';
import { homeOf, type InferContext, bare, symbolAt } from './infer-context.ts';

/** Client that a value gives access to: a client, a recorder of Events, or neither. */
export type Bearing = 'client' | 'recorder' | undefined;

/** Types of this package whose values are clients, or hold one. */
const clientTypes: ReadonlySet<string> = new Set([
  ...['Reader', 'LiveReader', 'CachedReader', 'ClusterReader', 'Writer', 'Client', 'ControllerClient'],
  ...['OtherClusterClient', 'ClusterClient', 'KubeClient', 'SubresourceClient'],
  ...[
    'ReconcileContext',
    'RunnableContext',
    'MapContext',
    'SourceContext',
    'AdmissionContext',
    'ClusterHandle',
    'Manager',
  ],
]);

/** Maximum depth of objects that is searched. */
const DEEPEST = 5;

const memory = new WeakMap<InferContext, Map<ts.Type, Bearing>>();

/** Returns the client that a value of a type gives access to: itself, in a property, an item, a promise, or by a call without clients. */
export function bears(context: InferContext, type: ts.Type, depth = 0): Bearing {
  const known = memory.get(context) ?? new Map<ts.Type, Bearing>();
  memory.set(context, known);
  if (known.has(type)) return known.get(type);
  if (depth > DEEPEST) return undefined;
  // A recursive type: its other members decide.
  known.set(type, undefined);
  const result = judge(context, type, depth + 1);
  known.set(type, result);
  return result;
}

function judge(context: InferContext, type: ts.Type, depth: number): Bearing {
  const { ts, checker } = context.source;
  const some = (types: readonly ts.Type[]): Bearing =>
    strongest(types.map((part) => bears(context, part, depth)));
  if (type.flags & ts.TypeFlags.TypeParameter) {
    const constraint = checker.getBaseConstraintOfType(type);
    return constraint === undefined || constraint === type ? undefined : bears(context, constraint, depth);
  }
  if (type.isUnion()) return some(type.types);
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return undefined;
  const named = [type.aliasSymbol, type.symbol].find((symbol) => symbol?.declarations?.[0] !== undefined);
  const declaration = named?.declarations?.[0];
  const home = declaration === undefined ? 'project' : homeOf(context, declaration);
  if (home === 'own' && named !== undefined) {
    if (clientTypes.has(named.name)) return 'client';
    if (named.name === 'EventRecorder') return 'recorder';
    if (!isNameless(context, type)) return undefined;
  }
  if (home === 'language' && type.aliasSymbol === undefined)
    return 'target' in type ? some(checker.getTypeArguments(type as ts.TypeReference)) : undefined;
  if (home === 'library' && isStranger(context, type, depth)) return undefined;
  return judgeMembers(context, type, depth);
}

/**
 * True for an instance of a class or interface of a package that does not import this one: only a type argument can bring a client into it.
 * Its members are then skipped; those of a schema, of zod for example, are new types without end.
 */
function isStranger(context: InferContext, type: ts.Type, depth: number): boolean {
  const { ts, checker } = context.source;
  const [declaration] = type.symbol?.declarations ?? [];
  const isNominal = ((type.symbol?.flags ?? 0) & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) !== 0;
  if (declaration === undefined || !isNominal || !(type.flags & ts.TypeFlags.Object)) return false;
  if (homeOf(context, declaration) !== 'library') return false;
  if (type.symbol.declarations?.some((each) => knowsClients(context, each.getSourceFile()))) return false;
  const given = 'target' in type ? checker.getTypeArguments(type as ts.TypeReference) : [];
  // A library may expose the parameters of a function: `Parameters<F>[0]`.
  const takesClient = (argument: ts.Type): boolean =>
    checker
      .getSignaturesOfType(argument, ts.SignatureKind.Call)
      .some(({ parameters }) =>
        parameters.some((each) => bears(context, checker.getTypeOfSymbol(each), depth) !== undefined),
      );
  return given.every((argument) => bears(context, argument, depth) === undefined && !takesClient(argument));
}

/** Files whose types may refer to those of this package. */
const acquainted = new WeakMap<InferContext, ReadonlySet<string>>();

function knowsClients(context: InferContext, file: ts.SourceFile): boolean {
  const known =
    acquainted.get(context) ?? context.source.imports.reaching((name) => ownPath(name) !== undefined);
  acquainted.set(context, known);
  return known.has(file.fileName);
}

/** True for an object literal, a mapped type or a function, whose names have no meaning. */
function isNameless({ source: { ts } }: InferContext, type: ts.Type): boolean {
  const flags = type.symbol?.flags ?? 0;
  return (
    type.aliasSymbol === undefined &&
    (flags &
      (ts.SymbolFlags.TypeLiteral |
        ts.SymbolFlags.ObjectLiteral |
        ts.SymbolFlags.Function |
        ts.SymbolFlags.Method)) !==
      0
  );
}

function judgeMembers(context: InferContext, type: ts.Type, depth: number): Bearing {
  const { ts, checker } = context.source;
  const members = checker.getPropertiesOfType(type);
  // API objects contain only data.
  if (checker.getPropertyOfType(type, 'apiVersion') !== undefined) return undefined;
  const found: Bearing[] = [];
  for (const member of members) {
    const [declaration] = member.declarations ?? [];
    if (declaration === undefined || isHidden(context, declaration)) continue;
    if (isClientMethod(context, member)) return 'client';
    // The type of any other member decides.
    found.push(bears(context, checker.getTypeOfSymbol(member), depth));
    if (found.includes('client')) return 'client';
  }
  for (const { type: of } of checker.getIndexInfosOfType(type)) found.push(bears(context, of, depth));
  for (const signature of checker.getSignaturesOfType(type, ts.SignatureKind.Call)) {
    const takesClient = signature.parameters.some(
      (parameter) => bears(context, checker.getTypeOfSymbol(parameter), depth) === 'client',
    );
    if (!takesClient) found.push(bears(context, signature.getReturnType(), depth));
  }
  return strongest(found);
}

/** True if a property is a method of our clients, also in a part of one: `Pick<Client, 'delete'>`. */
export function isClientMethod(context: InferContext, member: ts.Symbol): boolean {
  const { ts } = context.source;
  return (member.declarations ?? []).some((declaration) => {
    const owner = declaration.parent;
    return (
      homeOf(context, declaration) === 'own' &&
      ts.isInterfaceDeclaration(owner) &&
      owner.name.text !== 'EventRecorder' &&
      needOf(owner.name.text, member.name) !== undefined
    );
  });
}

/** True for `private`, `protected` and `#name`: other code cannot use the member by its type. */
function isHidden({ source: { ts } }: InferContext, declaration: ts.Declaration): boolean {
  const name = ts.getNameOfDeclaration(declaration);
  if (name !== undefined && ts.isPrivateIdentifier(name)) return true;
  const flags = ts.getCombinedModifierFlags(declaration);
  return (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0;
}

function strongest(all: readonly Bearing[]): Bearing {
  if (all.includes('client')) return 'client';
  return all.includes('recorder') ? 'recorder' : undefined;
}

/** True if a name refers to a value itself, not to a property of another value. */
export function isRoot(
  { source: { ts } }: InferContext,
  node: ts.Identifier | ts.PrivateIdentifier,
): boolean {
  if (!ts.isIdentifier(node)) return false;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isImportSpecifier(parent) || ts.isImportClause(parent) || ts.isNamespaceImport(parent)) return false;
  if (ts.isExportSpecifier(parent) || ts.isBindingElement(parent))
    return ts.isBindingElement(parent) && parent.initializer === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isPropertyDeclaration(parent))
    return parent.initializer === node;
  return (
    !(ts.isFunctionLike(parent) && 'name' in parent && parent.name === node) &&
    !ts.isClassLike(parent) &&
    !ts.isEnumMember(parent) &&
    !ts.isEnumDeclaration(parent)
  );
}

/** True if the value of a name may be a client, or contain one. */
export function mayBear(context: InferContext, symbol: ts.Symbol, node: ts.Node): boolean {
  const { ts, checker } = context.source;
  const declaration = symbol.valueDeclaration;
  if (declaration === undefined || (symbol.flags & ts.SymbolFlags.Module) !== 0)
    return (symbol.flags & ts.SymbolFlags.Module) !== 0;
  if (homeOf(context, declaration) === 'language') return false;
  if (ts.isClassLike(declaration)) return true;
  if (isAnswer(context, declaration)) return false;
  return bears(context, checker.getTypeOfSymbolAtLocation(symbol, node)) !== undefined;
}

/** True if a variable holds a response of the API server, or a plain value: determining its type would cost more than everything else. */
function isAnswer(context: InferContext, declaration: ts.Declaration): boolean {
  const { ts } = context.source;
  let owner: ts.Node = declaration;
  while (ts.isBindingElement(owner)) owner = owner.parent.parent;
  if (!ts.isVariableDeclaration(owner) || owner.type !== undefined || owner.initializer === undefined)
    return false;
  const value = bare(context, owner.initializer);
  if (ts.isLiteralExpression(value) || ts.isTemplateExpression(value)) return true;
  if (!ts.isCallExpression(value) || !ts.isPropertyAccessExpression(value.expression)) return false;
  const { name } = value.expression;
  if (!methodNames.has(name.text) || name.text === 'subresource') return false;
  const member = symbolAt(context, name);
  return member !== undefined && isClientMethod(context, member);
}

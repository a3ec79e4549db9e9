import type ts from 'typescript';
import { needOf, methodNames } from '../method-verbs.ts';
import { ownPath } from '../../../source/index.ts';
import { homeOf, type InferContext, bare, symbolAt } from './infer-context.ts';

/** Kind of client that code can reach through a value: a Kubernetes client, a recorder of Events, or neither. */
export type Bearing = 'client' | 'recorder' | undefined;

/** Names of the types of this package whose values are clients or contain one. */
const clientTypes: ReadonlySet<string> = new Set([
  ...['Reader', 'LiveReader', 'LiveClient', 'CachedReader', 'ClusterReader', 'Writer', 'Client'],
  ...['ControllerClient', 'OtherClusterClient', 'ClusterClient', 'KubeClient', 'SubresourceClient'],
  ...[
    'ReconcileContext',
    'ErrorContext',
    'RunnableContext',
    'MapContext',
    'SourceContext',
    'AdmissionContext',
    'ClusterHandle',
    'Manager',
  ],
]);

/** Maximum depth, in nested objects, to which types are searched for clients. */
const DEEPEST = 5;

const memory = new WeakMap<InferContext, Map<ts.Type, Bearing>>();

/**
 * Returns the client that code can reach through a value of the type. The value may be the client; or a property, an item or the result of
 * a promise may contain it; or a function may return it without taking a client.
 */
export function bears(context: InferContext, type: ts.Type, depth = 0): Bearing {
  const known = memory.get(context) ?? new Map<ts.Type, Bearing>();
  memory.set(context, known);
  if (known.has(type)) return known.get(type);
  if (depth > DEEPEST) return undefined;
  // If the type refers to itself, only its other members decide.
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
 * True for an instance of a class or interface whose package does not import this package, so that only a type argument can bring a client
 * into it. Its members are skipped, because each member of, for example, a zod schema has another new type, without end.
 */
function isStranger(context: InferContext, type: ts.Type, depth: number): boolean {
  const { ts, checker } = context.source;
  const [declaration] = type.symbol?.declarations ?? [];
  const isNominal = ((type.symbol?.flags ?? 0) & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) !== 0;
  if (declaration === undefined || !isNominal || !(type.flags & ts.TypeFlags.Object)) return false;
  if (homeOf(context, declaration) !== 'library') return false;
  if (type.symbol.declarations?.some((each) => knowsClients(context, each.getSourceFile()))) return false;
  const given = 'target' in type ? checker.getTypeArguments(type as ts.TypeReference) : [];
  // A library type may expose the parameter types of a function given as type argument, as in `Parameters<F>[0]`.
  const takesClient = (argument: ts.Type): boolean =>
    checker
      .getSignaturesOfType(argument, ts.SignatureKind.Call)
      .some(({ parameters }) =>
        parameters.some((each) => bears(context, checker.getTypeOfSymbol(each), depth) !== undefined),
      );
  return given.every((argument) => bears(context, argument, depth) === undefined && !takesClient(argument));
}

/** Files that import this package directly or indirectly, so that their types may contain clients. */
const acquainted = new WeakMap<InferContext, ReadonlySet<string>>();

function knowsClients(context: InferContext, file: ts.SourceFile): boolean {
  const known =
    acquainted.get(context) ?? context.source.imports.reaching((name) => ownPath(name) !== undefined);
  acquainted.set(context, known);
  return known.has(file.fileName);
}

/** True for an object literal type, a mapped type or a function, because its symbol name does not identify a type. */
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
  // An object with `apiVersion` is an API object, which contains only data.
  if (checker.getPropertyOfType(type, 'apiVersion') !== undefined) return undefined;
  const found: Bearing[] = [];
  for (const member of members) {
    const [declaration] = member.declarations ?? [];
    if (declaration === undefined || isHidden(context, declaration)) continue;
    if (isClientMethod(context, member)) return 'client';
    // For any other member, its type decides.
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

/**
 * True if a property is a method of this package's clients. Also true in a type that is part of a client, such as `Pick<Client, 'delete'>`.
 */
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

/** True for `private`, `protected` and `#name` members, which other code cannot use. */
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

/** True if a name refers to a variable or similar value, not to a property of another value. */
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

/** True if the value of a name may be a client, or may contain one. */
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

/**
 * True if a variable contains a literal or the result of a client call. Such a value contains no client. Checked without the variable's
 * type, because computing these types would take more time than all other checks.
 */
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

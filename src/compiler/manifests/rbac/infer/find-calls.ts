import type ts from 'typescript';
import { methodNames, needOf, type MethodNeed } from '../method-verbs.ts';
import { traceBinding, traceClient, type Trace } from './client-origins.ts';
import { homeOf, symbolAt, shownText, wrapped, type InferContext } from './infer-context.ts';

/** Call of a method of a Kubernetes client. */
export interface ClientCall {
  readonly call: ts.CallExpression;
  readonly method: string;
  readonly need: MethodNeed;
  /** Expression on which the method is called; undefined if the method was destructured earlier, as in `const { create } = client`. */
  readonly receiver: ts.Expression | undefined;
  /** Returns the possible origins of the receiver. */
  readonly trace: () => Trace;
}

/** Use of a client method without a call. Its later calls and their arguments are unknown. */
interface IndirectUse {
  readonly node: ts.Node;
  readonly text: string;
  readonly trace: () => Trace;
}

interface ClientUses {
  readonly calls: readonly ClientCall[];
  readonly indirect: readonly IndirectUse[];
}

/** Finds each use of a client method. Selects names that are in the method table, then checks the declaration to which each name refers. */
export function findClientUses(context: InferContext): ClientUses {
  const calls: ClientCall[] = [];
  const indirect: IndirectUse[] = [];
  const uses = { calls, indirect };
  for (const name of methodNames) {
    for (const node of context.index.names.get(name) ?? []) visitName(context, node, name, uses);
  }
  for (const access of context.index.elementAccesses) visitElement(context, access, uses);
  return uses;
}

interface Uses {
  readonly calls: ClientCall[];
  readonly indirect: IndirectUse[];
}

function visitName(
  context: InferContext,
  node: ts.Identifier | ts.PrivateIdentifier,
  name: string,
  uses: Uses,
): void {
  const { ts, checker } = context.source;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    const need = ownNeed(context, symbolAt(context, node), name);
    if (need !== undefined) addUse(context, parent, parent.expression, { name, need }, uses);
    return;
  }
  if (!ts.isBindingElement(parent) || (parent.propertyName ?? parent.name) !== node) return;
  const pattern = parent.parent;
  if (!ts.isObjectBindingPattern(pattern)) return;
  const need = ownNeed(context, checker.getPropertyOfType(checker.getTypeAtLocation(pattern), name), name);
  if (need === undefined) return;
  const trace = once(() => {
    // The binding pattern destructures a client.
    const owner = pattern.parent;
    if (ts.isBindingElement(owner)) return traceBinding(context, owner, []);
    if (ts.isVariableDeclaration(owner) && owner.initializer !== undefined)
      return traceClient(context, owner.initializer);
    return traceBinding(context, parent, []);
  });
  if (ts.isIdentifier(parent.name)) addAlias(context, parent, parent.name, { name, need, trace }, uses);
  else uses.indirect.push({ node: parent, text: shownText(parent), trace });
}

/** Checks accesses in brackets, such as `client['delete'](…)` or `client[name](…)`. */
function visitElement(context: InferContext, access: ts.ElementAccessExpression, uses: Uses): void {
  const { checker } = context.source;
  const type = checker.getTypeAtLocation(access.argumentExpression);
  const texts = (type.isUnion() ? type.types : [type]).map((part) =>
    part.isStringLiteral() ? part.value : undefined,
  );
  const [only] = texts;
  const owner = checker.getTypeAtLocation(access.expression);
  if (texts.length === 1 && only !== undefined) {
    const need = ownNeed(context, checker.getPropertyOfType(owner, only), only);
    if (need !== undefined) addUse(context, access, access.expression, { name: only, need }, uses);
    return;
  }
  const names = texts.every((text) => text !== undefined) ? texts : [...methodNames];
  const isClient = names.some(
    (name) =>
      ownNeed(context, checker.getPropertyOfType(checker.getNonNullableType(owner), name), name) !==
      undefined,
  );
  if (!isClient) return;
  uses.indirect.push({
    node: access,
    text: shownText(access),
    trace: once(() => traceClient(context, access.expression)),
  });
}

function addUse(
  context: InferContext,
  access: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  receiver: ts.Expression,
  { name, need }: { readonly name: string; readonly need: MethodNeed },
  uses: Uses,
): void {
  const { ts } = context.source;
  const trace = once(() => traceClient(context, receiver));
  const value = wrapped(context, access);
  const { parent } = value;
  if (ts.isCallExpression(parent) && parent.expression === value) {
    uses.calls.push({ call: parent, method: name, need, receiver, trace });
    return;
  }
  const isConst =
    ts.isVariableDeclaration(parent) && (ts.getCombinedNodeFlags(parent) & ts.NodeFlags.Const) !== 0;
  if (isConst && parent.initializer === value && ts.isIdentifier(parent.name) && parent.type === undefined)
    addAlias(context, parent, parent.name, { name, need, trace }, uses);
  // `{ create: make = client.create }`.
  else if (ts.isBindingElement(parent) && parent.initializer === value && ts.isIdentifier(parent.name))
    addAlias(context, parent, parent.name, { name, need, trace }, uses);
  else if (!isComparison(context, parent))
    uses.indirect.push({ node: access, text: shownText(access), trace });
}

/** Adds the calls of a variable that contains a client method. */
function addAlias(
  context: InferContext,
  declaration: ts.Declaration,
  alias: ts.Identifier,
  { name, need, trace }: { readonly name: string; readonly need: MethodNeed; readonly trace: () => Trace },
  uses: Uses,
): void {
  const { ts } = context.source;
  for (const node of context.index.names.get(alias.text) ?? []) {
    if (node === alias || !ts.isIdentifier(node)) continue;
    if (symbolAt(context, node)?.valueDeclaration !== declaration) continue;
    const value = wrapped(context, node);
    const { parent } = value;
    if (ts.isCallExpression(parent) && parent.expression === value)
      uses.calls.push({ call: parent, method: name, need, receiver: undefined, trace });
    else if (!isComparison(context, parent)) uses.indirect.push({ node, text: shownText(node), trace });
  }
}

/** True for uses that do not pass the method on: `if (client.delete)`, `typeof client.delete`, or an expression statement. */
function isComparison({ source: { ts } }: InferContext, parent: ts.Node): boolean {
  return (
    ts.isTypeOfExpression(parent) ||
    ts.isExpressionStatement(parent) ||
    ts.isIfStatement(parent) ||
    ts.isPrefixUnaryExpression(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isExportSpecifier(parent)
  );
}

/** Returns the verbs that a client method needs; undefined for symbols that are not client methods. */
function ownNeed(context: InferContext, symbol: ts.Symbol | undefined, name: string): MethodNeed | undefined {
  for (const declaration of symbol?.declarations ?? []) {
    const owner = ownerName(context, declaration);
    const need = owner === undefined ? undefined : needOf(owner, name);
    if (need !== undefined) return need;
  }
  return undefined;
}

/**
 * Returns the name of this package's interface that declares a member. For a member of `raw`, returns the interface that contains `raw`.
 */
export function ownerName(context: InferContext, declaration: ts.Declaration): string | undefined {
  const { ts } = context.source;
  if (homeOf(context, declaration) !== 'own') return undefined;
  let owner: ts.Node = declaration.parent;
  while (ts.isTypeLiteralNode(owner) || ts.isPropertySignature(owner)) owner = owner.parent;
  return ts.isInterfaceDeclaration(owner) ? owner.name.text : undefined;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

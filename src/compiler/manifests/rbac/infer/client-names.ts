import type ts from 'typescript';
import { methodNames } from '../method-verbs.ts';
import { bears, isClientMethod } from './bears-client.ts';
import { bare, homeOf, symbolAt, type InferContext } from './infer-context.ts';

/** A name that stands for a value of its own, not for the property of another. */
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

/** True if what a name stands for may be a client, or hold one. */
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

/** True if a variable has what the API server answered, or a plain value: asking for its type would cost more than all the rest. */
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

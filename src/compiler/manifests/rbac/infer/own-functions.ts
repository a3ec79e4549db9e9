import type ts from 'typescript';
import { homeOf, symbolAt, wrapped, type InferContext } from './infer-context.ts';

/** The uses of a function of this package in a project. */
export interface OwnFunctionUses {
  readonly calls: readonly ts.CallExpression[];
  /** Uses as a value. */
  readonly values: readonly ts.Identifier[];
}

/** Finds the uses of a function that `opsdk` exports, also under another name. */
export function usesOfOwnFunction(context: InferContext, functionName: string): OwnFunctionUses {
  const { ts } = context.source;
  const calls: ts.CallExpression[] = [];
  const values: ts.Identifier[] = [];
  const names = [functionName];
  const seen = new Set(names);
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    for (const node of context.index.names.get(name) ?? []) {
      const { parent } = node;
      if (!ts.isIdentifier(node)) continue;
      if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) {
        if (!seen.has(parent.name.text)) names.push(parent.name.text);
        seen.add(parent.name.text);
        continue;
      }
      const declaration = symbolAt(context, node)?.valueDeclaration;
      if (declaration === undefined || homeOf(context, declaration) !== 'own') continue;
      if (!ts.isFunctionDeclaration(declaration) || declaration.name?.text !== functionName) continue;
      const value = wrapped(
        context,
        ts.isPropertyAccessExpression(parent) && parent.name === node ? parent : node,
      );
      const call = value.parent;
      if (ts.isCallExpression(call) && call.expression === value) calls.push(call);
      else values.push(node);
    }
  }
  return { calls, values };
}

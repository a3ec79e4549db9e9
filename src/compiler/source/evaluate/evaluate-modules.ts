import type ts from 'typescript';
import type { Finding } from '../../../base/errors/index.ts';
import {
  declarationFunctionOf,
  placeOf,
  type DeclarationFunction,
  type EvaluateContext,
} from './evaluate-context.ts';

/** A finding if `import('opsdk')` (or of a module that hands its functions on) brings a declaration function. */
export function importCallFinding(context: EvaluateContext, call: ts.CallExpression): Finding | undefined {
  const { ts, checker } = context;
  const [specifier] = call.arguments;
  const symbol = specifier && checker.getSymbolAtLocation(specifier);
  if (symbol === undefined) return undefined;
  let node: ts.Expression = call;
  while (ts.isAwaitExpression(node.parent) || ts.isParenthesizedExpression(node.parent)) node = node.parent;
  return moduleFinding(context, node, symbol);
}

/**
 * A finding if a whole module is used as a value and a declaration function of this package may be taken from it:
 * `const { loadManifest } = sdk`, `sdk['rbac']`, `use(sdk)`. Taking other exports by their names is fine.
 */
export function moduleFinding(
  context: EvaluateContext,
  node: ts.Expression,
  symbol: ts.Symbol,
): Finding | undefined {
  const { ts, checker } = context;
  if ((symbol.flags & ts.SymbolFlags.Module) === 0) return undefined;
  const taken = takenNames(context, node);
  const functions = checker.getExportsOfModule(symbol).flatMap((member) => {
    if (taken !== undefined && !taken.includes(member.name)) return [];
    const target = member.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(member) : member;
    const name = declarationFunctionOf(context, target);
    return name === undefined || isPart(name) ? [] : [name];
  });
  const [first] = functions;
  return first === undefined ? undefined : indirect(context, node, first);
}

/** The names that are taken from a module; undefined if it may be any. */
function takenNames({ ts }: EvaluateContext, node: ts.Expression): readonly string[] | undefined {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) return [parent.name.text];
  // `import('../x.ts')` for its effects.
  if (ts.isExpressionStatement(parent)) return [];
  if (!ts.isVariableDeclaration(parent) || !ts.isObjectBindingPattern(parent.name)) return undefined;
  const names = parent.name.elements.map(({ propertyName, name, dotDotDotToken }) => {
    const taken = propertyName ?? name;
    return dotDotDotToken === undefined && ts.isIdentifier(taken) ? taken.text : undefined;
  });
  return names.every((name) => name !== undefined) ? names : undefined;
}

/** Finding for a declaration function that is not called. */
export function indirect(context: EvaluateContext, node: ts.Node, callee: DeclarationFunction): Finding {
  return {
    code: 'manifests/indirect-declaration',
    message: `\`${callee}\` is used as a value, not called: what it declares here cannot be read from the source`,
    where: placeOf(context, node),
    fix: [`import \`${callee}\` by its name at the top of the file, and call it directly`],
  };
}

const parts: ReadonlySet<string> = new Set([
  ...['externalResource', 'metadataOnly', 'watch', 'owned', 'every', 'from'],
]);

/** Functions whose calls declare nothing by themselves. */
export function isPart(callee: DeclarationFunction): boolean {
  return parts.has(callee);
}

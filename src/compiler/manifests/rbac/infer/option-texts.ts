import type ts from 'typescript';
import { bare, type InferContext } from './infer-context.ts';

/**
 * Returns the texts that the options of a call may give for a property; undefined if they cannot be read. The value undefined means that
 * the property is not given.
 */
export function optionTexts(
  context: InferContext,
  options: ts.Expression,
  name: string,
): readonly (string | undefined)[] | undefined {
  const { ts, checker } = context.source;
  const node = bare(context, options);
  if (ts.isObjectLiteralExpression(node)) {
    let names: readonly (string | undefined)[] | undefined = [undefined];
    for (const member of node.properties) {
      if (ts.isSpreadAssignment(member)) {
        const spread = textsOfType(context, checker.getTypeAtLocation(member.expression), name);
        // If the spread may omit a property, the earlier value of the property stays possible.
        names = spread === undefined || names === undefined ? undefined : merge(names, spread);
      } else if (member.name !== undefined && ts.isIdentifier(member.name) && member.name.text === name) {
        const value = ts.isPropertyAssignment(member) ? member.initializer : member.name;
        names = literalTexts(
          context,
          ts.isShorthandPropertyAssignment(member) ? shorthandType(context, member) : typeOf(context, value),
        );
      }
    }
    return names;
  }
  return textsOfType(context, checker.getTypeAtLocation(options), name);
}

function merge(
  before: readonly (string | undefined)[],
  spread: readonly (string | undefined)[],
): readonly (string | undefined)[] {
  return spread.includes(undefined)
    ? [...new Set([...before, ...spread.filter((name) => name !== undefined)])]
    : spread;
}

function textsOfType(
  context: InferContext,
  type: ts.Type,
  name: string,
): readonly (string | undefined)[] | undefined {
  const { ts, checker } = context.source;
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return undefined;
  if (type.isUnion()) {
    const parts = type.types.map((part) => textsOfType(context, part, name));
    return parts.every((part) => part !== undefined) ? [...new Set(parts.flat())] : undefined;
  }
  const member = checker.getPropertyOfType(type, name);
  if (member === undefined) return [undefined];
  const names = literalTexts(context, checker.getTypeOfSymbol(member));
  const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
  return names === undefined || !isOptional ? names : [...new Set([undefined, ...names])];
}

/** Returns the texts of a type of literals; undefined if it has other values. The value undefined means that nothing is given. */
export function literalTexts(
  { source: { ts } }: InferContext,
  type: ts.Type,
): readonly (string | undefined)[] | undefined {
  const found = (type.isUnion() ? type.types : [type]).map((part) =>
    part.isStringLiteral() ? part.value : part.flags & ts.TypeFlags.Undefined ? undefined : null,
  );
  return found.every((each) => each !== null) ? found : undefined;
}

function typeOf({ source: { checker } }: InferContext, node: ts.Node): ts.Type {
  return checker.getTypeAtLocation(node);
}

function shorthandType(context: InferContext, member: ts.ShorthandPropertyAssignment): ts.Type {
  const { checker } = context.source;
  const symbol = checker.getShorthandAssignmentValueSymbol(member);
  return symbol === undefined
    ? checker.getTypeAtLocation(member.name)
    : checker.getTypeOfSymbolAtLocation(symbol, member.name);
}

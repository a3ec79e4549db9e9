import type ts from 'typescript';
import { bare, type InferContext } from './infer-context.ts';

/** The keys that an object may have at run time; undefined where its type does not name them all. */
export function keysOfValue(context: InferContext, value: ts.Expression): ReadonlySet<string> | undefined {
  const { ts, checker } = context.source;
  const node = bare(context, value);
  if (!ts.isObjectLiteralExpression(node)) return keysOfType(context, checker.getTypeAtLocation(value));
  const keys = new Set<string>();
  for (const member of node.properties) {
    const more = ts.isSpreadAssignment(member)
      ? keysOfValue(context, member.expression)
      : keyOfName(context, member.name);
    if (more === undefined) return undefined;
    for (const key of more) keys.add(key);
  }
  return keys;
}

function keyOfName(
  { source: { ts, checker } }: InferContext,
  name: ts.PropertyName,
): readonly string[] | undefined {
  if (!ts.isComputedPropertyName(name)) return [name.text];
  const type = checker.getTypeAtLocation(name.expression);
  return type.isStringLiteral() ? [type.value] : undefined;
}

function keysOfType(context: InferContext, type: ts.Type): ReadonlySet<string> | undefined {
  const { ts, checker } = context.source;
  const keys = new Set<string>();
  for (const each of type.isUnion() ? type.types : [type]) {
    // Spread or handed over, these have no keys.
    if ((each.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.BooleanLiteral)) !== 0)
      continue;
    if ((each.flags & ts.TypeFlags.Object) === 0 || checker.getIndexInfosOfType(each).length > 0)
      return undefined;
    for (const { name } of checker.getPropertiesOfType(each)) keys.add(name);
  }
  return keys;
}

import type ts from 'typescript';
import type { ParserContext } from './types.ts';

/**
 * All declarations of a field of an object type: the checker knows those of one base of an interface, though others may describe the field
 * differently, and an object that is spread has the fields of its type.
 */
export function fieldDeclarations(
  context: ParserContext,
  owner: ts.Type,
  field: ts.Symbol,
): readonly ts.Declaration[] {
  const own = field.declarations ?? [];
  const [first] = own;
  if (own.length !== 1 || first === undefined) return own;
  const { checker } = context.source;
  const found = sourcesOf(context, owner, first).flatMap((type) => {
    const same = checker.getPropertyOfType(type, field.name);
    return same === undefined ? [] : fieldDeclarations(context, type, same);
  });
  return found.includes(first) ? [...new Set(found)] : own;
}

/** The types that a type has fields from which it does not declare: the bases of an interface, and what an object literal spreads. */
function sourcesOf(
  { source: { ts, checker } }: ParserContext,
  owner: ts.Type,
  declaration: ts.Declaration,
): readonly ts.Type[] {
  const declared = owner.symbol?.declarations ?? [];
  if (declared.some((part) => part === declaration.parent)) return [];
  const literal = declared.find((part) => ts.isObjectLiteralExpression(part));
  if (literal !== undefined)
    return literal.properties
      .filter((part) => ts.isSpreadAssignment(part))
      .map((part) => checker.getTypeAtLocation(part.expression));
  const target = (owner as Partial<ts.TypeReference>).target ?? owner;
  return target.isClassOrInterface() ? checker.getBaseTypes(target) : [];
}

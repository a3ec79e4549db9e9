import type * as tsj from 'ts-json-schema-generator';
import { sharedType } from './shared-types.ts';
import type { EngineType, ParserContext } from './types.ts';

/**
 * The types that a field has in a type: several where it comes from several parts of an intersection or several bases of an interface, all
 * of which hold. The engine takes the first base, and of types that differ by their docs alone the first one.
 */
export function fieldTypes(
  context: ParserContext,
  owner: EngineType,
  name: tsj.LiteralType,
): readonly EngineType[] {
  const { engine } = context;
  const type = engine.derefType(owner);
  const inherited = (from: readonly EngineType[]): readonly EngineType[] => [
    ...new Set(from.flatMap((part) => fieldTypes(context, part, name))),
  ];
  if (type instanceof engine.IntersectionType) return inherited(type.getTypes());
  if (type instanceof engine.ObjectType) {
    const isOwn = type.getProperties().some((property) => property.getName() === name.getValue());
    const fromBases = isOwn ? [] : inherited(type.getBaseTypes());
    if (fromBases.length > 0) return fromBases;
  }
  const found = engine.getTypeByKey(type, name);
  return found === undefined ? [] : [found];
}

/** The type of a field; undefined if the type does not have it. */
export function fieldType(
  context: ParserContext,
  owner: EngineType,
  name: tsj.LiteralType,
): EngineType | undefined {
  const types = fieldTypes(context, owner, name);
  return types.length > 1 ? sharedType(context, String(name.getValue()), types) : types[0];
}

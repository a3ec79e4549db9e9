import type { EngineType, ParserContext } from './types.ts';

/**
 * The type of a field that several types have, all of which hold: parts of an intersection, declarations of an interface. The engine would
 * take the docs of one of them.
 */
export function sharedType(context: ParserContext, name: string, types: readonly EngineType[]): EngineType {
  const { engine } = context;
  const [first] = types;
  if (first === undefined) throw new TypeError('a field needs a type');
  if (types.length === 1) return first;
  const id = `shared-${name}-${types.map((type) => type.getId()).join('&')}`;
  const shared = context.opaque(id, { kind: 'shared', name, types }, first);
  return types.every((type) => isOptional(context, type))
    ? new engine.UnionType([shared, new engine.UndefinedType()])
    : shared;
}

function isOptional({ engine }: ParserContext, type: EngineType): boolean {
  const inner = engine.derefType(type);
  return (
    inner instanceof engine.UndefinedType ||
    (inner instanceof engine.UnionType &&
      inner.getTypes().some((member) => engine.derefType(member) instanceof engine.UndefinedType))
  );
}

import type * as tsj from 'ts-json-schema-generator';
import type { Refusal } from './refusals.ts';
import { notUnderstood, stringKeys, templateKeys } from './refusals.ts';
import type { EngineType, ParserContext } from './types.ts';

/** The keys that a type gives: names, any text, or both, in which case the names are among the texts. */
export interface Keys {
  /** Each once. */
  readonly names: readonly tsj.LiteralType[];
  /** The type of keys that may be any text, with its docs. */
  readonly any?: EngineType;
  readonly problem?: Refusal;
}

/** Reads the keys of a type through names, docs, enumerations, and unions inside of unions. */
export function keysOf(context: ParserContext, type: EngineType): Keys {
  const names = new Map<string, tsj.LiteralType>();
  const found: { any?: EngineType; hasNumber: boolean; problem?: Refusal } = { hasNumber: false };
  collect(context, type, type, names, found);
  const { any, hasNumber } = found;
  // JSON has numbers as keys only where it has texts as keys: `keyof Record<string, …>` is `string | number`.
  const problem = found.problem ?? (hasNumber && any === undefined ? stringKeys : undefined);
  return {
    names: [...names.values()],
    ...(any === undefined ? {} : { any }),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** @param outer the type with the names and docs around it */
function collect(
  context: ParserContext,
  type: EngineType,
  outer: EngineType,
  names: Map<string, tsj.LiteralType>,
  found: { any?: EngineType; hasNumber: boolean; problem?: Refusal },
): void {
  const { engine } = context;
  const form = context.formOf(type);
  const add = (value: string | number): void => {
    if (!names.has(String(value))) names.set(String(value), new engine.LiteralType(value));
  };
  if (form?.kind === 'refused') found.problem ??= form.problem;
  else if (form?.kind === 'string') found.problem ??= templateKeys;
  else if (
    type instanceof engine.AnnotatedType ||
    type instanceof engine.DefinitionType ||
    type instanceof engine.AliasType
  )
    collect(context, type.getType(), outer, names, found);
  else if (type instanceof engine.UnionType)
    for (const member of type.getTypes()) collect(context, member, member, names, found);
  else if (type instanceof engine.EnumType) {
    for (const value of type.getValues())
      if (typeof value === 'string' || typeof value === 'number') add(value);
  } else if (type instanceof engine.LiteralType && typeof type.getValue() !== 'boolean')
    add(type.getValue() as string | number);
  else if (type instanceof engine.StringType) found.any ??= outer;
  else if (type instanceof engine.NumberType) found.hasNumber = true;
  else if (type instanceof engine.SymbolType) found.problem ??= stringKeys;
  else if (!(type instanceof engine.NeverType)) found.problem ??= notUnderstood;
}

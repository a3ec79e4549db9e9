import type { SchemaEngine } from '../../source/index.ts';
import type { Form } from '../shape.ts';
import type { EngineType } from './types.ts';
import { enumForm } from './unions.ts';

/** The form of primitives, literals and enums; undefined for every other type. */
export function keywordForms(engine: SchemaEngine, core: EngineType): Form | undefined {
  if (core instanceof engine.StringType) return { kind: 'string' };
  if (core instanceof engine.BooleanType) return { kind: 'boolean' };
  if (core instanceof engine.NumberType) return { kind: 'number' };
  if (core instanceof engine.LiteralType) return enumForm([core.getValue()]);
  if (core instanceof engine.EnumType) {
    return enumForm(core.getValues().filter((value) => value !== null));
  }
  if (core instanceof engine.NullType)
    return refused('null', 'the value can only be null', 'remove the field');
  if (core instanceof engine.UndefinedType)
    return { ...refused('undefined', 'there is never a value', 'remove the field'), never: true };
  if (core instanceof engine.NeverType) return never;
  if (core instanceof engine.TupleType) return tuple;
  if (core instanceof engine.FunctionType)
    return refused('function', 'a function has no form in JSON', 'remove it from the API type');
  return undefined;
}

/** `never`, where it is not an optional field of a member of a union. */
export const never: Form = {
  ...refused('never', 'no value can have the type `never`', 'remove the field'),
  never: true,
};

function refused(_name: string, message: string, fix: string): Form & { kind: 'refused' } {
  return {
    kind: 'refused',
    problem: { code: 'schema/unsupported-type', message, fix: [fix] },
    escapable: false,
  };
}

const tuple: Form = {
  kind: 'refused',
  escapable: true,
  problem: {
    code: 'schema/tuple',
    message: 'a tuple: Kubernetes knows only lists whose items are all of one type',
    fix: ['use an array, or an interface with named fields'],
  },
};

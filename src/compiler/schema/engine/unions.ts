import type { Form, Shape } from '../shape.ts';
import { templateText } from '../template-pattern.ts';
import type { SchemaEngine } from '../../source/index.ts';
import type { EngineType } from './types.ts';

type Scalar = string | number | boolean;

/**
 * Returns the form of a union of several types, without null and undefined: an enumeration, a string, a union of object types, or a
 * refusal.
 */
export function unionForm(members: readonly Shape[]): Form {
  const broken = members.find((member) => member.form.kind === 'refused');
  if (broken !== undefined) return broken.form;
  const tagged = members.flatMap((member) => member.docs).find((doc) => doc.tags.length > 0);
  const kinds = new Set(members.map((member) => member.form.kind));
  if (kinds.size === 1 && kinds.has('enum')) {
    if (tagged !== undefined) return taggedMember(tagged.label);
    return enumForm(members.flatMap((member) => (member.form.kind === 'enum' ? member.form.values : [])));
  }
  if (members.every((member) => isStrings(member.form)))
    return tagged === undefined ? stringForm(members) : taggedMember(tagged.label);
  if (members.every((member) => isObject(member.form))) return { kind: 'union', members };
  return mixedUnion(members.map((member) => member.form));
}

// Handles unions such as `'a' | (string & {})`, which allow any string; the literals are only suggestions in the editor. A union with a
// template literal type gets a pattern instead, which also matches the literals of the union.
function stringForm(members: readonly Shape[]): Form {
  const texts = members.map(({ form }) => {
    if (form.kind === 'string') return form.texts;
    return form.kind === 'enum' ? form.values.map((value) => templateText([{ text: String(value) }])) : [];
  });
  return texts.includes(undefined)
    ? { kind: 'string' }
    : { kind: 'string', texts: texts.flatMap((item) => item ?? []) };
}

/** Returns the form of a union of literal values, or a refusal if a schema cannot list the values together. */
function enumForm(values: readonly Scalar[]): Form {
  const unique = [...new Set(values)];
  if (unique.some((value) => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER))
    return inexact;
  if (new Set(unique.map((value) => typeof value)).size > 1) return mixedUnion([]);
  return unique.length === 2 && typeof unique[0] === 'boolean'
    ? { kind: 'boolean' }
    : { kind: 'enum', values: unique };
}

function isStrings(form: Form): boolean {
  return (
    form.kind === 'string' ||
    (form.kind === 'enum' && form.values.every((value) => typeof value === 'string'))
  );
}

function isObject(form: Form): boolean {
  return (
    form.kind === 'object' ||
    form.kind === 'record' ||
    form.kind === 'union' ||
    (form.kind === 'fixed' && form.schema.type === 'object')
  );
}

function isNumeric(form: Form): boolean {
  return form.kind === 'number' || (form.kind === 'fixed' && form.schema.type === 'integer');
}

const inexact: Form = {
  kind: 'refused',
  escapable: true,
  problem: {
    code: 'schema/mixed-union',
    message:
      'the union contains a number that JavaScript cannot represent exactly: the schema would contain another number',
    fix: [`use numbers up to ${Number.MAX_SAFE_INTEGER}, or strings`],
  },
};

function mixedUnion(forms: readonly Form[]): Form {
  const stringOrNumber =
    forms.length === 2 &&
    forms.some((form) => form.kind === 'string') &&
    forms.some((form) => isNumeric(form));
  return {
    kind: 'refused',
    escapable: true,
    problem: {
      code: 'schema/mixed-union',
      message: 'the type is a union of different types, which a structural schema cannot express',
      fix: stringOrNumber
        ? ["use IntOrString from 'opsdk' for an integer or a string, Quantity for an amount"]
        : ["use one type, separate fields, or Json from 'opsdk' for any value"],
    },
  };
}

function taggedMember(label: string): Form {
  return {
    kind: 'refused',
    escapable: false,
    problem: {
      code: 'schema/mixed-union',
      message: `the tags of ${label} would be lost in the union`,
      fix: [
        'put these tags on the field whose type the union is, and remove them from the member of the union',
      ],
    },
  };
}

/** Returns the form of primitives, literals and enums; undefined for every other type. */
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

/** Refusal of the type `never`. It is allowed only for an optional field in a member of a union. */
const never: Form = {
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
    message: 'the type is a tuple; Kubernetes knows only lists whose items are all of one type',
    fix: ['use an array, or an interface with named fields'],
  },
};

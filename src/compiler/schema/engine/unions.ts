import type { Form, Shape } from '../shape.ts';
import { templateText } from '../template-pattern.ts';

type Scalar = string | number | boolean;

/** The form of a union of several types, without null and undefined: an enumeration, or a refusal. */
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

// `'a' | (string & {})`: any string, some of them suggested by the editor. Templates have a pattern instead, literals beside them included.
function stringForm(members: readonly Shape[]): Form {
  const texts = members.map(({ form }) => {
    if (form.kind === 'string') return form.texts;
    return form.kind === 'enum' ? form.values.map((value) => templateText([{ text: String(value) }])) : [];
  });
  return texts.includes(undefined)
    ? { kind: 'string' }
    : { kind: 'string', texts: texts.flatMap((item) => item ?? []) };
}

/** The form of a choice among values; a refusal for those that a schema cannot list together. */
export function enumForm(values: readonly Scalar[]): Form {
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
      'a number among the values is beyond what JavaScript holds exactly: another one would be written',
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
      message: 'a union of different types has no structural schema',
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
      fix: ['put them on the field, and take them off the type'],
    },
  };
}

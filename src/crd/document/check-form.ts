import { closestName } from '../../util/closest-name.ts';
import { isJsonMap } from '../../util/json-map.ts';

/** What a value decodes into. `any` is left to who reads it: schemas and metadata have checks of their own. */
export type Form =
  | 'any'
  | 'text'
  | 'texts'
  | 'boolean'
  | 'integer'
  | 'number'
  /** `others`: fields that are not listed are none of our business. */
  | { readonly fields: Readonly<Record<string, Form>>; readonly others?: boolean }
  | { readonly values: Form }
  | { readonly items: Form };

/** Told of what does not decode, and of fields that the API server drops. */
export interface FormListener {
  wrong(path: readonly (string | number)[], message: string): void;
  /** @param meant the field that was probably meant */
  unknown(path: readonly (string | number)[], meant: string | undefined): void;
}

/** Whether a document decodes as the API server decodes it: null is as good as absent, unknown fields are dropped. */
export function checkForm(document: unknown, form: Form, listener: FormListener): void {
  check(document, form, [], listener);
}

function check(value: unknown, form: Form, path: readonly (string | number)[], listener: FormListener): void {
  if (value === null || value === undefined || form === 'any') return;
  if (typeof form === 'string') {
    const [fits, expected] = scalars[form];
    if (!fits(value)) listener.wrong(path, `${name(path)} must be ${expected}`);
  } else if ('items' in form) {
    if (!Array.isArray(value)) return listener.wrong(path, `${name(path)} must be a list`);
    for (const [index, item] of value.entries()) check(item, form.items, [...path, index], listener);
  } else if (!isJsonMap(value)) listener.wrong(path, `${name(path)} must be a mapping`);
  else if ('values' in form) {
    for (const [key, item] of Object.entries(value)) check(item, form.values, [...path, key], listener);
  } else {
    for (const [key, child] of Object.entries(value)) {
      const known = Object.hasOwn(form.fields, key) ? form.fields[key] : undefined;
      if (known !== undefined) check(child, known, [...path, key], listener);
      else if (form.others !== true)
        listener.unknown([...path, key], closestName(key, Object.keys(form.fields)));
    }
  }
}

const scalars = {
  text: [(value: unknown) => typeof value === 'string', 'text'],
  texts: [
    (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
    'a list of texts',
  ],
  boolean: [(value: unknown) => typeof value === 'boolean', 'true or false'],
  integer: [Number.isInteger, 'an integer'],
  number: [(value: unknown) => typeof value === 'number', 'a number'],
} as const;

function name(path: readonly (string | number)[]): string {
  return path.length === 0 ? 'the document' : path.join('.').replace(/\.(\d+)(?=\.|$)/g, '[$1]');
}

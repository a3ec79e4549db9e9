import { invalidValue, wholeObject, type FieldError } from '../field-error.ts';

/** An error of a schema. */
export interface SchemaError {
  /** Without the path: errors of one text count once. */
  readonly text: string;
  toFieldError(path: string): FieldError;
}

/** An own error, which is at no field of its own. */
export function ownError(text: string): SchemaError {
  return {
    text,
    toFieldError: (prefix) => invalidValue(prefix === '' ? wholeObject : prefix, '', text),
  };
}

export function fieldProblem(path: string, text: string, make: (field: string) => FieldError): SchemaError {
  return {
    text,
    toFieldError: (prefix) => {
      const own = path.replace(/^\./, '');
      return make([prefix, own].filter((part) => part !== '').join('.') || wholeObject);
    },
  };
}

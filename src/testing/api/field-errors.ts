import type { FieldError } from './field-error.ts';

/** Collects what is wrong with an object. */
export class FieldErrors {
  readonly #errors: FieldError[] = [];

  get all(): readonly FieldError[] {
    return this.#errors;
  }

  add(...errors: readonly FieldError[]): void {
    this.#errors.push(...errors);
  }

  /** One error for each problem of a value. */
  each(problems: readonly string[], toError: (problem: string) => FieldError): void {
    this.add(...problems.map(toError));
  }
}

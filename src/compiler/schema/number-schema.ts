import type { JSONSchemaProps } from '../../kubernetes/crd/json-schema-props.ts';
import { labelOf } from './doc-trail.ts';
import type { Reporter } from './reporter.ts';
import type { Doc, Form, Problem } from './shape.ts';

const maxSafe = Number.MAX_SAFE_INTEGER;

/** The schema of a choice among values of one type. */
export function enumeration(values: readonly (string | number | boolean)[]): JSONSchemaProps {
  const [first] = values;
  if (typeof first !== 'number') return { type: typeof first, enum: [...values] };
  return { type: values.every((value) => Number.isInteger(value)) ? 'integer' : 'number', enum: [...values] };
}

/** A bare `number` is an integer or not by its `@format`; undefined, and reported, without one. */
export function plainNumber(
  reporter: Reporter,
  docs: readonly Doc[],
  docTrail: readonly Doc[],
): JSONSchemaProps | undefined {
  const tag = docs.flatMap((doc) => doc.tags).find((item) => item.name === 'format');
  if (tag?.text === 'int32' || tag?.text === 'int64') return { type: 'integer' };
  if (tag?.text === 'float' || tag?.text === 'double') return { type: 'number' };
  const problem: Problem = {
    code: 'schema/plain-number',
    message: `${labelOf(docTrail)} is a plain \`number\``,
    fix: [
      "use Int32 or Int64 from 'opsdk'",
      'or say which with a tag: `@format int32`, `int64`, `float` or `double`',
    ],
  };
  reporter.error(problem, docTrail);
  return undefined;
}

/** Advice about numbers that the API conventions, or JavaScript, have trouble with. */
export function lintNumbers(
  reporter: Reporter,
  schema: JSONSchemaProps,
  form: Form,
  docTrail: readonly Doc[],
): void {
  const isOurs =
    form.kind === 'number' ||
    (form.kind === 'fixed' && ['Int64', 'Float32', 'Double', 'Float'].includes(form.name));
  if (!isOurs) return;
  if (schema.type === 'number') {
    reporter.warn(
      {
        code: 'schema/float',
        message: `${labelOf(docTrail)} is a floating point number, which the API conventions discourage`,
        fix: ['use an integer of a smaller unit (milliseconds, bytes), or Quantity'],
      },
      docTrail,
    );
  }
  if (schema.type !== 'integer' || schema.format !== 'int64' || (schema.maximum ?? Infinity) <= maxSafe)
    return;
  reporter.warn(
    {
      code: 'schema/int64-maximum',
      message: `${labelOf(docTrail)} admits integers that JavaScript cannot hold`,
      fix: [`add \`@maximum ${maxSafe}\`, or use Int32`],
    },
    docTrail,
  );
}

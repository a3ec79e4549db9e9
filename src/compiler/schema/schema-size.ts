import type { JSONSchemaProps } from '../../kubernetes/crd/index.ts';
import type { Doc, Problem, Shape, Form } from './shape.ts';
import { handDown } from './tags/tag-names.ts';
import { k8sOverrides, saysType } from './tags/values.ts';
import { labelOf } from './schema-node.ts';
import type { Reporter } from './reporter.ts';

/**
 * Maximum number of parts of a schema: fields, items, values and the root. The largest of 1,287 published CRDs has about 10,000 parts in
 * one version. With 50,000 parts, a CRD exceeds the limit of etcd (1.5 MiB) even if it contains only types and its field names have ten
 * letters.
 */
export const maxParts = 50_000;

/** Maximum number of steps of a path that a message shows. */
const shownSteps = 8;

/**
 * Number of schema parts for each shape, including all parts inside of it. A schema has no references and repeats a type wherever it is
 * used, so the map avoids counting the same type again.
 */
type Sizes = Map<Shape, number>;

/**
 * Determines that a schema would be too large, before it is generated. The size grows exponentially if types use each other twice, such as
 * `interface A0 { left: A1; right: A1 }`, because this doubles the schema with every level.
 *
 * @param shape shape of the kind
 * @param label name of the kind in the message
 * @returns the problem, and the docs on the path to the innermost part that is too large by itself; undefined if the schema is small enough
 */
export function tooManyParts(
  shape: Shape,
  label: string,
): { readonly problem: Problem; readonly docTrail: readonly Doc[] } | undefined {
  const sizes: Sizes = new Map();
  const total = sizeOf(shape, [], sizes);
  if (total <= maxParts) return undefined;
  const way: string[] = [];
  const docTrail: Doc[] = [...shape.docs];
  for (let here: Shape | undefined = shape; here !== undefined; here = largestPart(here, sizes)) {
    const field = here.docs.find(({ kind }) => kind === 'member');
    if (field !== undefined) way.push(field.label);
    if (sizeOf(here, [], sizes) > maxParts) docTrail.push(...here.docs);
  }
  const shown = [...way.slice(0, shownSteps), ...(way.length > shownSteps ? ['…'] : [])].join(' → ');
  return {
    problem: {
      code: 'schema/too-large',
      message: `${label}: expected a schema of at most ${maxParts} parts, got ${countText(total)}; most of them come from ${shown}`,
      fix: [
        'use the types on this way fewer times, or write out fewer levels',
        "or make one of these fields a RawExtension from 'opsdk', which keeps any object",
      ],
    },
    docTrail,
  };
}

/** @param inheritedDocs docs for an item or value, which come from the tags of the list or record around it */
function sizeOf(shape: Shape, inheritedDocs: readonly Doc[], sizes: Sizes): number {
  const known = inheritedDocs.length === 0 ? sizes.get(shape) : undefined;
  if (known !== undefined) return known;
  const size = hasExplicitType([...inheritedDocs, ...ownDocs(shape)], shape.form)
    ? 1
    : 1 +
      partsOf(shape).reduce(
        (sum, part) => sum + sizeOf(part.shape, part.inheritedDocs, sizes),
        fixedSize(shape),
      );
  if (inheritedDocs.length === 0) sizes.set(shape, size);
  return size;
}

function ownDocs({ docs, form }: Shape): readonly Doc[] {
  return form.kind === 'object' ? [...docs, ...form.inherited] : docs;
}

interface Part {
  readonly shape: Shape;
  readonly inheritedDocs: readonly Doc[];
}

function partsOf(shape: Shape): readonly Part[] {
  const { form } = shape;
  switch (form.kind) {
    case 'object':
      return form.properties.map((property) => ({ shape: property.shape, inheritedDocs: [] }));
    case 'array':
      return [{ shape: form.items, inheritedDocs: handDown(shape.docs, 'items') }];
    case 'record':
      return [{ shape: form.values, inheritedDocs: handDown(shape.docs, 'values') }];
    case 'union':
      return form.members.map((member) => ({ shape: member, inheritedDocs: [] }));
    case 'string':
    case 'boolean':
    case 'number':
    case 'enum':
    case 'fixed':
    case 'refused':
      return [];
  }
}

function fixedSize({ form }: Shape): number {
  return form.kind === 'fixed' ? schemaParts(form.schema) - 1 : 0;
}

const knownSizes = new WeakMap<JSONSchemaProps, number>();

/** Returns the number of parts of a known schema, including the schema itself. */
function schemaParts(schema: JSONSchemaProps): number {
  const known = knownSizes.get(schema);
  if (known !== undefined) return known;
  const { properties = {}, items, additionalProperties } = schema;
  const parts = [...Object.values(properties), items, additionalProperties];
  const size = parts.reduce((sum, part) => sum + (typeof part === 'object' ? schemaParts(part) : 0), 1);
  knownSizes.set(schema, size);
  return size;
}

function largestPart(shape: Shape, sizes: Sizes): Shape | undefined {
  const parts = partsOf(shape).map((part) => ({
    ...part,
    size: sizeOf(part.shape, part.inheritedDocs, sizes),
  }));
  const [first] = parts.toSorted((a, b) => b.size - a.size);
  return first?.shape;
}

function countText(count: number): string {
  return count < 1e15 ? String(count) : `about ${count.toExponential(0)}`;
}

/** Returns true if a `@k8s` tag replaces the type of a field. The parts of the replaced type then do not count. */
function hasExplicitType(docs: readonly Doc[], form: Form): boolean {
  const overrides = k8sOverrides(docs);
  return saysType(overrides) && replacesType(overrides, form);
}

/**
 * Returns true if the keywords of `@k8s` tags replace the field's own type entirely.
 * @param overrides keywords of `@k8s` tags, which include a type; see `saysType`
 */
export function replacesType(overrides: JSONSchemaProps, form: Form): boolean {
  if (form.kind === 'number') return true;
  if (form.kind === 'refused') return form.escapable;
  // A `@k8s` tag may replace a union, because the union may be refused if its members cannot be combined.
  if (form.kind === 'union' && overrides.type !== undefined) return true;
  const other =
    overrides['x-kubernetes-int-or-string'] === true || (overrides.type ?? typeOf(form)) !== typeOf(form);
  return other || (overrides.items ?? overrides.additionalProperties) !== undefined;
}

function typeOf(form: Form): string | undefined {
  if (form.kind === 'fixed') return form.schema.type;
  if (form.kind === 'enum') return enumeration(form.values).type;
  return form.kind === 'record' || form.kind === 'union' ? 'object' : form.kind;
}

const maxSafe = Number.MAX_SAFE_INTEGER;

/** Returns the schema of an enumeration whose values have the same type. */
export function enumeration(values: readonly (string | number | boolean)[]): JSONSchemaProps {
  const [first] = values;
  if (typeof first !== 'number') return { type: typeof first, enum: [...values] };
  return { type: values.every((value) => Number.isInteger(value)) ? 'integer' : 'number', enum: [...values] };
}

/**
 * Returns the type of a plain `number`, which the tag `@format` determines. Without a valid `@format`, reports an error and returns
 * undefined.
 */
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
    message: `${labelOf(docTrail)} is a plain \`number\`, which does not say whether it is an integer or a floating point number`,
    fix: [
      "use Int32 or Int64 from 'opsdk'",
      'or say which with a tag: `@format int32`, `int64`, `float` or `double`',
    ],
  };
  reporter.error(problem, docTrail);
  return undefined;
}

/** Warns of numbers that violate the API conventions, or that JavaScript cannot represent. */
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
      message: `${labelOf(docTrail)} allows integers beyond 2^53-1, which JavaScript cannot represent exactly`,
      fix: [`add \`@maximum ${maxSafe}\`, or use Int32`],
    },
    docTrail,
  );
}

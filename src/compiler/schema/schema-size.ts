import type { JSONSchemaProps } from '../../kubernetes/crd/json-schema-props.ts';
import { hasExplicitType } from './explicit-type.ts';
import type { Doc, Problem, Shape } from './shape.ts';
import { handDown } from './tags/prefixes.ts';

/**
 * The greatest number of parts of a schema: fields, items, values and the root. The largest of 1,287 published CRDs has about 10,000 in a
 * version; with 50,000, names of ten letters and nothing but types, a CRD outgrows the 1.5 MiB that etcd takes.
 */
export const maxParts = 50_000;

/** Number of steps of the way that are named. */
const shownSteps = 8;

/** Types that are used several times are counted once; a schema has no references and repeats them. */
type Sizes = Map<Shape, number>;

/**
 * Finds that a schema would be too large, before any of it is made: types that use each other twice, `interface A0 { left: A1; right: A1 }`,
 * double it with every level.
 *
 * @param shape of the kind
 * @param label the kind, for the message
 * @returns the problem, and the docs on the way to the innermost part that is too large by itself
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
      message: `${label}: expected a schema of at most ${maxParts} parts, got ${countText(total)}; most of them by way of ${shown}`,
      fix: [
        'use the types on this way fewer times, or write out fewer levels',
        "or make one of these fields a RawExtension from 'opsdk', which keeps any object",
      ],
    },
    docTrail,
  };
}

/** @param inheritedDocs what the tags of a list or record say about this item or value */
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

/** The parts of a schema that is known, itself included. */
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

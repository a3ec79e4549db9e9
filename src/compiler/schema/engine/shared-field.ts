import { isDeepStrictEqual } from 'node:util';
import type { Doc, Form, Problem, Shape, ShapeProperty, Tag } from '../shape.ts';
import { readTagName, repeatableTags } from '../tags/tag-names.ts';
import { sameField } from './same-field.ts';

/**
 * Merges two declarations of one field. They come from several parts of an intersection or from several declarations of an interface. A
 * value must satisfy both declarations, so their constraints add up. A contradiction is refused, since one declaration would be lost.
 */
export function sharedField(one: ShapeProperty, other: ShapeProperty): ShapeProperty {
  if (sameField(one, other)) return one;
  const isOptional = [one, other].every(({ required, shape }) => !required || shape.optional);
  const shape = sharedShape(one.name, one.shape, other.shape);
  return { name: one.name, required: !isOptional, shape: { ...shape, optional: false } };
}

function sharedShape(name: string, one: Shape, other: Shape): Shape {
  const docs = sharedDocs(one.docs, other.docs);
  if (typeof docs === 'string') return refusedShape(name, docs, one, other);
  const adjustments = one.adjustments ?? [];
  const form = isDeepStrictEqual(adjustments, other.adjustments ?? [])
    ? sharedForm(one.form, other.form)
    : undefined;
  if (form === undefined) return refusedShape(name, 'its type', one, other);
  return {
    form,
    docs,
    nullable: one.nullable && other.nullable,
    optional: one.optional && other.optional,
    ...(adjustments.length > 0 ? { adjustments } : {}),
  };
}

/** Returns the form of the values that fit both given forms; undefined if this form cannot be determined. */
function sharedForm(one: Form, other: Form): Form | undefined {
  if (one.kind === 'refused' || other.kind === 'refused') return one.kind === 'refused' ? one : other;
  const field = (form: Form): ShapeProperty => ({
    name: '',
    required: true,
    shape: { form, docs: [], nullable: false, optional: false },
  });
  if (sameField(field(one), field(other))) return one;
  if (one.kind === 'object' && other.kind === 'object') return sharedObject(one, other);
  if (one.kind === 'enum' && other.kind === 'enum') {
    const values = one.values.filter((value) => other.values.includes(value));
    return values.length === 0 ? undefined : { kind: 'enum', values };
  }
  return narrowed(one, other) ?? narrowed(other, one);
}

/** Returns `one` if it is an enumeration and `other` includes all of its values; otherwise undefined. */
function narrowed(one: Form, other: Form): Form | undefined {
  if (one.kind !== 'enum') return undefined;
  const has =
    other.kind === 'string'
      ? other.texts === undefined && one.values.every((value) => typeof value === 'string')
      : other.kind === 'boolean' && one.values.every((value) => typeof value === 'boolean');
  return has ? one : undefined;
}

function sharedObject(one: Form & { kind: 'object' }, other: Form & { kind: 'object' }): Form {
  const properties = new Map(one.properties.map((property) => [property.name, property]));
  for (const property of other.properties) {
    const known = properties.get(property.name);
    properties.set(property.name, known === undefined ? property : sharedField(known, property));
  }
  const inherited = [...one.inherited, ...other.inherited.filter((doc) => !one.inherited.includes(doc))];
  return { kind: 'object', properties: [...properties.values()], inherited };
}

/**
 * Merges the docs of two declarations of a field. The docs of the fields themselves become one doc, which precedes the docs of the fields'
 * types. If the docs contradict each other, returns a description of the difference.
 */
function sharedDocs(one: readonly Doc[], other: readonly Doc[]): readonly Doc[] | string {
  const added = other.filter((doc) => !one.includes(doc));
  const clash = docsClash(one, added);
  if (clash !== undefined) return clash;
  const [own, ...types] = one;
  const [otherOwn, ...otherTypes] = added;
  if (own?.kind !== 'member' || otherOwn?.kind !== 'member') return [...one, ...added];
  return [joined(own, otherOwn), ...types, ...otherTypes];
}

/**
 * Returns the contradiction between the docs of two declarations of the same thing, for use in a message; undefined if the docs agree. Docs
 * contradict each other in the description, or in a tag that counts only once.
 */
export function docsClash(one: readonly Doc[], other: readonly Doc[]): string | undefined {
  const described = other.find((doc) => doc.description !== undefined);
  const first = one.find((doc) => doc.description !== undefined);
  const isSame =
    described === undefined || first === undefined || described.description === first.description;
  if (!isSame) return 'its description';
  const clash = clashOf(effective(one), effective(other));
  return clash === undefined ? undefined : `its @${clash}`;
}

function joined(one: Doc, other: Doc): Doc {
  const tags = other.tags.filter((tag) => !one.tags.some((known) => says(known) === says(tag)));
  const description = one.description ?? other.description;
  return {
    ...one,
    ...(description === undefined ? {} : { description }),
    tags: [...one.tags, ...tags],
    problems: [...one.problems, ...other.problems],
    advice: [...one.advice, ...other.advice],
  };
}

function says({ name, text }: Tag): string {
  return `${meaningOf(name)} ${name} ${text}`;
}

/** Maps a tag for an exclusive bound to the name of the tag for the inclusive bound, because both set the same bound. */
function meaningOf(name: string): string {
  return name.replace(/exclusive(M(?:in|ax)imum)$/, (_, bound: string) => bound.toLowerCase());
}

/**
 * Returns the tags that count only once, by their meaning (see `meaningOf`). If several tags have the same meaning, the tag of the
 * outermost doc is returned.
 */
function effective(docs: readonly Doc[]): Map<string, Tag> {
  const tags = new Map<string, Tag>();
  for (const tag of docs.flatMap((doc) => doc.tags)) {
    const { base } = readTagName(tag.name);
    const isRepeatable = repeatableTags.has(base) && base !== 'k8s';
    if (!isRepeatable && !tags.has(meaningOf(tag.name))) tags.set(meaningOf(tag.name), tag);
  }
  return tags;
}

function clashOf(one: ReadonlyMap<string, Tag>, other: ReadonlyMap<string, Tag>): string | undefined {
  for (const [meaning, tag] of other) {
    const known = one.get(meaning);
    if (known !== undefined && says(known) !== says(tag)) return tag.name;
  }
  return undefined;
}

function refusedShape(name: string, what: string, one: Shape, other: Shape): Shape {
  const [first, second] = [placeOf(one), placeOf(other)];
  const problem: Problem = {
    code: 'schema/unsupported-type',
    message: `the field \`${name}\` is declared in two types, and ${what} is not the same in both`,
    fix: [
      `make ${what} the same in both types, or write it in only one of them`,
      'or declare an interface that has the field once',
    ],
    ...(second === undefined ? {} : { at: second }),
    ...(first === undefined ? {} : { other: first }),
  };
  return {
    form: { kind: 'refused', problem, escapable: true },
    docs: one.docs,
    nullable: false,
    optional: false,
  };
}

function placeOf({ docs }: Shape): Problem['at'] {
  const own = docs.find((doc) => doc.kind === 'member');
  return own && { file: own.node.getSourceFile(), position: own.node.getStart() };
}

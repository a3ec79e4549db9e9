import { isDeepStrictEqual } from 'node:util';
import type { Doc, Form, Shape, ShapeProperty } from '../shape.ts';

/**
 * True if two fields have the same meaning in a schema: the same name, the same shape, and the same descriptions and tags; and both are
 * required or both are optional.
 */
export function sameField(one: ShapeProperty, other: ShapeProperty): boolean {
  return one.name === other.name && one.required === other.required && sameShape(one.shape, other.shape);
}

/**
 * Cached pairs of shapes that are known to be the same. Many uses share a shape, and without this cache the shape would be compared again
 * at each use.
 */
const knownPairs = new WeakMap<Shape, WeakSet<Shape>>();

/** True if two shapes are the same. Ignores the places where they were written. */
function sameShape(one: Shape, other: Shape): boolean {
  if (one === other || knownPairs.get(one)?.has(other) === true) return true;
  const same =
    one.nullable === other.nullable &&
    one.optional === other.optional &&
    isDeepStrictEqual(one.adjustments ?? [], other.adjustments ?? []) &&
    sameDocs(one.docs, other.docs) &&
    sameForm(one.form, other.form);
  if (same) knownPairs.set(one, (knownPairs.get(one) ?? new WeakSet()).add(other));
  return same;
}

function sameForm(one: Form, other: Form): boolean {
  switch (one.kind) {
    case 'array':
      return (
        other.kind === 'array' && isDeepStrictEqual(one.list, other.list) && sameShape(one.items, other.items)
      );
    case 'record':
      return other.kind === 'record' && sameShape(one.values, other.values);
    case 'object':
      return (
        other.kind === 'object' &&
        sameDocs(one.inherited, other.inherited) &&
        sameItems(one.properties, other.properties, sameField)
      );
    case 'union':
      return other.kind === 'union' && sameItems(one.members, other.members, sameShape);
    case 'refused':
      return other.kind === 'refused' && one.problem.message === other.problem.message;
    case 'string':
    case 'boolean':
    case 'number':
    case 'enum':
    case 'fixed':
      return isDeepStrictEqual(one, other);
  }
}

function sameItems<T>(one: readonly T[], other: readonly T[], same: (a: T, b: T) => boolean): boolean {
  return (
    one.length === other.length &&
    one.every((item, index) => {
      const counterpart = other[index];
      return counterpart !== undefined && same(item, counterpart);
    })
  );
}

function sameDocs(one: readonly Doc[], other: readonly Doc[]): boolean {
  return isDeepStrictEqual(meaningOf(one), meaningOf(other));
}

/** Returns the description and tags of docs for comparison. Leaves out empty docs. */
function meaningOf(docs: readonly Doc[]): unknown {
  return docs
    .map(({ description, tags }) => ({ description, tags: tags.map(({ name, text }) => ({ name, text })) }))
    .filter(({ description, tags }) => description !== undefined || tags.length > 0);
}

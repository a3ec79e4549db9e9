import type { UnionMember } from './object-union.ts';
import type { SchemaNode } from '../schema-node.ts';
import type { Doc, Shape } from '../shape.ts';
import type { TaggedFieldCollector } from '../tagged-fields.ts';

/** A member of a union without the fields that it forbids (`name?: never`), and their names. */
export function withoutNever(member: Shape): { readonly shape: Shape; readonly never: ReadonlySet<string> } {
  const never = new Set<string>();
  if (member.form.kind !== 'object') return { shape: member, never };
  const properties = member.form.properties.filter(({ name, required, shape: { form } }) => {
    const isNever = !required && form.kind === 'refused' && form.never === true;
    if (isNever) never.add(name);
    return !isNever;
  });
  return { shape: { ...member, form: { ...member.form, properties } }, never };
}

/** @param index from 0, for members without a name */
export function unionMember(
  { docs, form }: Shape,
  node: SchemaNode,
  never: ReadonlySet<string>,
  index: number,
): UnionMember {
  const properties = form.kind === 'object' ? form.properties : [];
  const named = docs.find(({ node, kind }) => kind === 'declaration' && 'name' in node);
  return {
    label: named?.label ?? (form.kind === 'fixed' ? form.name : `member ${index + 1} of the union`),
    node,
    never,
    docs: new Map(
      properties.flatMap(({ name, shape }): [string, Doc][] => {
        const [own] = shape.docs;
        return own === undefined ? [] : [[name, own]];
      }),
    ),
  };
}

/** Arguments of a call of `add`. */
type FieldCall = Parameters<TaggedFieldCollector['add']>;

/**
 * Collects the fields of all members of a union, and hands a field on once even if several members have it.
 */
export function sharedFields(collector: TaggedFieldCollector): TaggedFieldCollector & { handOn(): void } {
  const calls = new Map<string, FieldCall>();
  return {
    ...collector,
    add(...call) {
      const [docs, , path] = call;
      const tags = docs.flatMap((doc) => doc.tags.map(({ name, text }) => [name, text]));
      const key = JSON.stringify([path ?? null, tags]);
      if (!calls.has(key)) calls.set(key, call);
    },
    handOn() {
      for (const call of calls.values()) collector.add(...call);
    },
  };
}

import { isDeepStrictEqual } from 'node:util';
import type { Doc, Shape, ShapeProperty } from '../shape.ts';

/** Whether two fields mean the same to a schema: the same shape with the same descriptions and tags. */
export function sameField(one: ShapeProperty, other: ShapeProperty): boolean {
  return one.required === other.required && isDeepStrictEqual(plainShape(one.shape), plainShape(other.shape));
}

/** A shape without what merely says where it was written. */
function plainShape({ form, docs, nullable, optional, adjustments = [] }: Shape): unknown {
  return { form: plainForm(form), docs: plainDocs(docs), nullable, optional, adjustments };
}

function plainForm(form: Shape['form']): unknown {
  switch (form.kind) {
    case 'array':
      return { ...form, items: plainShape(form.items) };
    case 'record':
      return { ...form, values: plainShape(form.values) };
    case 'object': {
      const properties = form.properties.map(({ shape, ...rest }) => ({ ...rest, shape: plainShape(shape) }));
      return { kind: form.kind, properties, inherited: plainDocs(form.inherited) };
    }
    case 'union':
      return { kind: form.kind, members: form.members.map(plainShape) };
    case 'refused':
      return { kind: form.kind, message: form.problem.message };
    case 'string':
    case 'boolean':
    case 'number':
    case 'enum':
    case 'fixed':
      return form;
  }
}

function plainDocs(docs: readonly Doc[]): unknown {
  return docs
    .map(({ description, tags }) => ({ description, tags: tags.map(({ name, text }) => ({ name, text })) }))
    .filter(({ description, tags }) => description !== undefined || tags.length > 0);
}

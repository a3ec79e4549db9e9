import type { Declaration, Field, TypeExpression, Use } from './model.ts';
import { nestedName, pascal, singular, type NameRegistry } from './names.ts';

/** A declaration with its place in the file. */
export interface NamedDeclaration {
  readonly declaration: Declaration;
  readonly name: string;
  /** Its doc comment: what all items or values of the type are described as. */
  readonly description?: string;
}

/**
 * Names all declarations that the fields of a kind reach: by the way that leads to them, the shortest of several. In the order of the
 * names being given: first what the root's fields are made of, then what is in that.
 */
export function nameDeclarations(
  kind: string,
  fields: readonly Field[],
  names: NameRegistry,
): ReadonlyMap<Declaration, NamedDeclaration> {
  const descriptions = itemDescriptions(fields);
  const named = new Map<Declaration, NamedDeclaration>();
  const queue: { readonly fields: readonly Field[]; readonly owner: string }[] = [{ fields, owner: kind }];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const field of next.fields) {
      const found = declarationIn(field.use, field.name);
      if (found === undefined || named.has(found.declaration)) continue;
      const { declaration, segment } = found;
      const name = names.take(nestedName(kind, next.owner, segment));
      const description = descriptions.get(declaration);
      named.set(declaration, { declaration, name, ...(description === undefined ? {} : { description }) });
      queue.push({ fields: declaration.fields, owner: name });
    }
  }
  return named;
}

/** The declaration that a field's type is made of, however deep in lists and records, and what to call it. */
function declarationIn(
  use: Use,
  segment: string,
): { readonly declaration: Declaration; readonly segment: string } | undefined {
  const { type } = use;
  if (type.kind === 'declared') return { declaration: type.declaration, segment };
  const inner = inside(type);
  if (inner === undefined) return undefined;
  const one = singular(segment) ?? `${pascal(segment)}${type.kind === 'list' ? 'Item' : 'Value'}`;
  return declarationIn(inner, one);
}

/** The items of a list, the values of a record. */
export function inside(type: TypeExpression): Use | undefined {
  if (type.kind === 'list') return type.items;
  return type.kind === 'record' ? type.values : undefined;
}

/**
 * What can stand above the interface of items or values. Where one use of it has no description, none can: it would get that of the
 * interface.
 */
function itemDescriptions(fields: readonly Field[]): ReadonlyMap<Declaration, string> {
  const found = new Map<Declaration, string>();
  const silent = new Set<Declaration>();
  const seen = new Set<Declaration>();
  const visit = (use: Use, isField: boolean): void => {
    const { type, description } = use;
    const inner = inside(type);
    if (inner !== undefined) visit(inner, false);
    if (type.kind !== 'declared') return;
    const { declaration } = type;
    if (description === undefined) silent.add(declaration);
    else if (!isField && !found.has(declaration)) found.set(declaration, description);
    if (seen.has(declaration)) return;
    seen.add(declaration);
    for (const field of declaration.fields) visit(field.use, true);
  };
  for (const field of fields) visit(field.use, true);
  for (const declaration of silent) found.delete(declaration);
  return found;
}

import { isObject, type Json, type JsonObject } from '../resource.ts';
import { fieldOf, findItem } from '../patches/keyed-list.ts';
import { FieldPathError, type PathStep } from './field-path.ts';
import { fieldSlot, itemSlot, type Slot } from './slot.ts';

/**
 * Finds the one place that the path of a source means: `[name=value]` the first item with exactly that value, `-` the last
 * item.
 *
 * @throws FieldPathError if the path leads nowhere
 */
export function findSource(object: JsonObject, path: readonly PathStep[]): Slot {
  let value: Json | undefined = object;
  let slot: Slot = { get: () => object, set: () => undefined };
  for (const step of path) {
    slot = next(value, step);
    value = slot.get();
    if (value === undefined || value === null) throw new FieldPathError('the field does not exist');
  }
  const empty = value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
  if (empty && value !== '') throw new FieldPathError('it is empty');
  return slot;
}

function next(value: Json, step: PathStep): Slot {
  if (step.kind === 'every') throw new FieldPathError('a source is one value: * means several');
  if (step.kind === 'field' && step.name !== '-') {
    if (!isObject(value))
      throw new FieldPathError(`it leads to the field ${step.name} of a value that is not a mapping`);
    if (fieldOf(value, step.name) === undefined)
      throw new FieldPathError(`the field ${step.name} does not exist`);
    return fieldSlot(value, step.name);
  }
  if (!Array.isArray(value)) throw new FieldPathError('it leads to an item of a value that is not a list');
  const index =
    step.kind === 'index'
      ? step.index
      : step.kind === 'match'
        ? indexOf(value, findItem(value, [step.field], [step.text]))
        : value.length - 1;
  if (index < 0 || index >= value.length) throw new FieldPathError('the item does not exist');
  return itemSlot(value, index);
}

function indexOf(list: readonly Json[], item: Json | undefined): number {
  return item === undefined ? -1 : list.indexOf(item);
}

import type { Copy } from '../build/copier.ts';
import type { Json } from '../resource.ts';
import { FieldPathError } from './field-path.ts';
import type { Part } from './read-replacement.ts';
import { plainScalar, scalarLike, scalarText } from './scalar-text.ts';
import type { Slot } from './slot.ts';

/** The value that a replacement puts into its targets. */
export interface Value {
  /** Asked for each target: a target may be the source itself, and the next one gets what it holds then. */
  get(): Json;
  /** True for a text whose type YAML decides wherever it is put. */
  readonly isText: boolean;
}

/**
 * The value of a source, or a part of it.
 *
 * @throws FieldPathError
 */
export function readValue(source: Slot, part: Part | undefined): Value {
  const read = (): Json => source.get() ?? null;
  if (part === undefined) return { get: read, isText: false };
  const text = scalarText(read());
  if (text === undefined) throw new FieldPathError('a delimiter needs a text, not a list or mapping');
  const found = text.split(part.delimiter)[part.index];
  if (found === undefined)
    throw new FieldPathError(`${JSON.stringify(text)} has no part ${part.index} at '${part.delimiter}'`);
  const whole = read();
  const value = typeof whole === 'string' ? found : plainScalar(found);
  return { get: () => value, isText: false };
}

/**
 * Puts a value into a place. The text of a scalar replaces the text of a scalar, which keeps its type; lists and mappings
 * are replaced as they are.
 *
 * @param isAnnotation true where kustomize makes texts of all values
 * @throws FieldPathError
 */
export function putValue(
  slot: Slot,
  value: Value,
  part: Part | undefined,
  isAnnotation: boolean,
  copy: Copy,
): void {
  const present = slot.get();
  const json = copy(value.get());
  if (present === null)
    throw new FieldPathError('it is null: give it a value of the right type in the resource');
  const text = scalarText(json);
  if (typeof present === 'object') {
    if (part !== undefined) throw new FieldPathError('a delimiter needs a text, not a list or mapping');
    slot.set(value.isText ? plainScalar(text ?? '') : json);
    return;
  }
  if (text === undefined) {
    if (present !== undefined)
      throw new FieldPathError('it holds a text or number, but the value is a list or mapping');
    slot.set(json);
    return;
  }
  const whole = part === undefined ? text : replacePart(String(present ?? ''), part, text);
  if (present === undefined) slot.set(isAnnotation ? whole : plainScalar(whole));
  else slot.set(scalarLike(present, whole));
}

/** More than an object may hold. */
const mostText = 2 * 1024 * 1024;

/** An index before the beginning puts the text in front, one behind the end at the end. */
function replacePart(present: string, { delimiter, index }: Part, text: string): string {
  const parts = present.split(delimiter);
  if (index < 0) parts.unshift(text);
  else if (index >= parts.length) parts.push(text);
  else parts[index] = text;
  const whole = parts.join(delimiter);
  // Replacements of a text by itself double it each time.
  if (whole.length > mostText)
    throw new FieldPathError(`the text would have more than ${mostText} characters`);
  return whole;
}

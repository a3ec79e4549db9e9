import type { DocumentTexts } from '../yaml/index.ts';
import { isObject, type Json, type JsonObject } from '../objects/index.ts';

/**
 * Note on how a field is written in the file, because kustomize treats these forms differently:
 * - `bare`, `bare-flow`: the field has no written value (`key:`), in a block mapping (`bare`) or in braces (`bare-flow`). In JSON the value
 *   is null, but a strategic merge patch removes such a field from the object, whereas a written `null` is kept. In braces, the field is
 *   printed as an empty text;
 * - `{ json }`: an annotation that is a number or a boolean. kustomize keeps the written form, but a conversion to JSON results in the
 *   other text `json`.
 */
type Note = 'bare' | 'bare-flow' | { readonly json: string };

const notes = new WeakMap<JsonObject, ReadonlyMap<string, Note>>();

/**
 * Converts the annotations of an object to text, and notes the fields that are written without a value.
 *
 * @param object changed in place
 * @param texts returns the document of the object as written; called only if needed
 * @param path path of the object in the document
 * @param options.isPatch true for a patch, in which a written null removes an annotation; in an object, a written null becomes a text
 */
export function noteWritten(
  object: Json,
  texts: () => DocumentTexts,
  path: readonly (string | number)[],
  { isPatch = false }: { readonly isPatch?: boolean } = {},
): void {
  const metadata = isObject(object) ? object['metadata'] : undefined;
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  const hasNumbers = isObject(annotations) && Object.values(annotations).some(isNumberOrFlag);
  if (!hasNumbers && !hasNull(object)) return;
  const { value, isFlow } = texts();
  const seen = new Set<Json>();
  let written = value;
  for (const part of path) written = fieldOf(written, part);
  note(object, written, false);

  function note(read: Json, text: unknown, inFlow: boolean): void {
    if (typeof read !== 'object' || read === null || seen.has(read)) return;
    seen.add(read);
    const flow = inFlow || (typeof text === 'object' && text !== null && isFlow(text));
    if (Array.isArray(read)) {
      read.forEach((item, index) => note(item, fieldOf(text, index), flow));
      return;
    }
    const found = new Map<string, Note>();
    for (const [key, field] of Object.entries(read)) {
      const source = fieldOf(text, key);
      if (field === null && source === null) found.set(key, flow ? 'bare-flow' : 'bare');
      else if (read !== annotations) note(field, source, flow);
      else if (((field === null && !isPatch) || isNumberOrFlag(field)) && typeof source === 'string') {
        read[key] = source;
        found.set(key, { json: String(field) });
      }
    }
    if (found.size > 0) notes.set(read, found);
  }
}

/** Returns true if a field is written without a value. */
export function isBare(mapping: JsonObject, key: string): boolean {
  const note = mapping[key] === null ? notes.get(mapping)?.get(key) : undefined;
  return note === 'bare' || note === 'bare-flow';
}

/** Copies the notes on how a mapping's fields are written in the file to a copy of the mapping. */
export function copyNotes(mapping: JsonObject, copy: JsonObject): void {
  const known = notes.get(mapping);
  if (known !== undefined) notes.set(copy, known);
}

/**
 * Changes a value in place to the value that results if kustomize prints it and parses the output. kustomize converts an object to JSON in
 * this way.
 */
export function printAndRead(value: Json): void {
  if (Array.isArray(value)) value.forEach(printAndRead);
  if (!isObject(value)) return;
  const known = notes.get(value);
  for (const [key, field] of Object.entries(value)) {
    const note = known?.get(key);
    if (note === 'bare-flow' && field === null) value[key] = '';
    else if (typeof note === 'object' && typeof field === 'string') value[key] = note.json;
    else printAndRead(field);
  }
  notes.delete(value);
}

/** Replaces each field that is written in braces without a value by the value that kustomize prints for it. Changes the value in place. */
export function printBare(value: Json): void {
  if (Array.isArray(value)) value.forEach(printBare);
  if (!isObject(value)) return;
  for (const [key, field] of Object.entries(value)) {
    if (field !== null) printBare(field);
    else if (notes.get(value)?.get(key) === 'bare-flow') value[key] = '';
  }
}

function fieldOf(text: unknown, key: string | number): unknown {
  if (typeof text !== 'object' || text === null) return undefined;
  const mapping = text as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(mapping, key)) return mapping[key];
  const merged = mapping['<<'];
  for (const source of Array.isArray(merged) ? (merged as unknown[]) : [merged]) {
    const found = fieldOf(source, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isNumberOrFlag(value: Json): value is number | boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

function hasNull(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return value === null;
  return Object.values(value).some(hasNull);
}

import { clone, equal, isJsonObject, jsonTextOf, type Json, type JsonObject } from '../json.ts';
import { badRequest, StatusError } from '../status-error.ts';

/** The document with a JSON patch applied. @throws StatusError 400 for a malformed patch, 422 for one that does not fit. Source: RFC 6902, evanphx/json-patch. */
export function jsonPatch(document: JsonObject, patch: Json): Json {
  if (!Array.isArray(patch) || patch.some((operation) => !isJsonObject(operation)))
    throw badRequest(
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    );
  let result: Json = clone(document);
  for (const operation of patch) if (isJsonObject(operation)) result = applied(result, operation);
  return result;
}

function misfit(): StatusError {
  return new StatusError(
    422,
    'Invalid',
    'the server rejected our request due to an error in our request',
    {},
  );
}

function applied(document: Json, operation: JsonObject): Json {
  const { op, value = null } = operation;
  const path = pointer(operation['path']);
  switch (jsonTextOf(op)) {
    case 'add':
      return added(document, path, clone(value));
    case 'replace':
      return path.length === 0 ? clone(value) : replaced(document, path, clone(value));
    case 'remove':
      return removed(document, path);
    case 'test':
      if (!equal(found(document, path) ?? null, value)) throw misfit();
      return document;
    case 'copy':
      return added(document, path, clone(valueAt(document, pointer(operation['from']))));
    case 'move': {
      const from = pointer(operation['from']);
      const moved = valueAt(document, from);
      return added(removed(document, from), path, moved);
    }
    default:
      throw misfit();
  }
}

function pointer(text: Json | undefined): readonly string[] {
  if (text === '') return [];
  if (typeof text !== 'string' || !text.startsWith('/')) throw misfit();
  return text
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function indexOf(list: readonly Json[], part: string, most: number): number {
  const index = part === '-' ? list.length : Number(part);
  if (!/^(?:-|-?\d+)$/.test(part)) throw misfit();
  // Negative ones count from the end.
  const place = index < 0 ? index + list.length : index;
  if (place < 0 || place > most) throw misfit();
  return place;
}

function found(document: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = document;
  for (const part of path) {
    if (Array.isArray(value)) value = value[indexOf(value, part, value.length - 1)];
    else if (isJsonObject(value)) value = value[part];
    else throw misfit();
  }
  return value;
}

function valueAt(document: Json, path: readonly string[]): Json {
  const value = found(document, path);
  if (value === undefined) throw misfit();
  return value;
}

type Change = (container: Json[] | JsonObject, part: string) => void;

/** Documents are copies: they are changed in place. */
function changed(document: Json, path: readonly string[], change: Change): Json {
  const container = found(document, path.slice(0, -1));
  if (!Array.isArray(container) && !isJsonObject(container)) throw misfit();
  change(container, path.at(-1) ?? '');
  return document;
}

function added(document: Json, path: readonly string[], value: Json): Json {
  if (path.length === 0) return value;
  return changed(document, path, (container, part) => {
    if (Array.isArray(container)) container.splice(indexOf(container, part, container.length), 0, value);
    else container[part] = value;
  });
}

function replaced(document: Json, path: readonly string[], value: Json): Json {
  return changed(document, path, (container, part) => {
    if (Array.isArray(container)) container[indexOf(container, part, container.length - 1)] = value;
    else container[part] = value;
  });
}

function removed(document: Json, path: readonly string[]): Json {
  valueAt(document, path);
  return changed(document, path, (container, part) => {
    if (Array.isArray(container)) container.splice(indexOf(container, part, container.length - 1), 1);
    else delete container[part];
  });
}

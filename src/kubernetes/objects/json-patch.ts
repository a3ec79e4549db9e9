import { isEqualJson, setOwnField } from '../../base/util/json-map.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** One operation of a JSON patch (RFC 6902). */
export interface JsonPatchStep {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: readonly string[];
  /** The path from which `move` and `copy` take the value; absent in other operations. */
  readonly from?: readonly string[];
  /** The value that `add` and `replace` write, and with which `test` compares. */
  readonly value?: Json;
}

type CopyJson = <T extends Json>(value: T) => T;

/** Thrown if a step of a JSON patch cannot be carried out. */
export class JsonPatchError extends Error {}

/**
 * The result of parsing a step of a JSON patch: the step, or a description of its problem and, if known, the field that has the problem.
 */
type ReadStep = { readonly step: JsonPatchStep } | { readonly field?: string; readonly problem: string };

/** Parses a step of a JSON patch. */
export function readJsonPatchStep(value: Json): ReadStep {
  if (!isObject(value))
    return { problem: 'expected a mapping as step of a JSON 6902 patch, got another value' };
  const { op, path, from } = value;
  if (op !== 'add' && op !== 'remove' && op !== 'replace' && op !== 'move' && op !== 'copy' && op !== 'test')
    return {
      field: 'op',
      problem: `op is ${JSON.stringify(op ?? null)}, not add, remove, replace, move, copy or test`,
    };
  const target = typeof path === 'string' ? parsePointer(path) : undefined;
  if (target === undefined)
    return {
      field: 'path',
      problem: `path is ${JSON.stringify(path ?? null)}, not a JSON pointer such as /spec/replicas`,
    };
  if (op === 'move' || op === 'copy') {
    const source = typeof from === 'string' ? parsePointer(from) : undefined;
    if (source === undefined)
      return {
        field: 'from',
        problem: `from is ${JSON.stringify(from ?? null)}, not a JSON pointer such as /spec/replicas`,
      };
    return { step: { op, path: target, from: source } };
  }
  if (op === 'remove') return { step: { op, path: target } };
  if (!Object.hasOwn(value, 'value')) return { problem: `${op} needs a value` };
  return { step: { op, path: target, value: value['value'] ?? null } };
}

/**
 * Applies one step of a JSON patch by RFC 6902. Like the library that the API server and kustomize use, it supports extensions: negative
 * indexes count from the end, `replace` adds a missing key, `test` treats a missing key as null. Source: `gopkg.in/evanphx/json-patch.v4`.
 *
 * @param document changed in place
 * @returns the given document, or another document if the step replaces the entire document
 * @throws JsonPatchError if the step cannot be carried out
 */
export function applyJsonPatchStep(document: Json, step: JsonPatchStep, copy: CopyJson): Json {
  const { op, path } = step;
  const value = copy(step.value ?? null);
  switch (op) {
    case 'add':
      add(document, path, value);
      return document;
    case 'remove':
      remove(document, path);
      return document;
    case 'replace':
      if (path.length === 0) return value;
      replace(document, path, value);
      return document;
    case 'move': {
      const moved = existing(document, step.from ?? []);
      remove(document, step.from ?? []);
      add(document, path, moved);
      return document;
    }
    case 'copy':
      add(document, path, copy(existing(document, step.from ?? [])));
      return document;
    case 'test': {
      const present =
        path.length === 0 ? document : (get(parentOf(document, path), last(path), path) ?? null);
      if (!isEqualJson(present, value))
        throw new JsonPatchError(
          `test: ${show(path)} is ${JSON.stringify(present)}, not ${JSON.stringify(value)}`,
        );
      return document;
    }
  }
}

function add(document: Json, path: readonly string[], value: Json): void {
  const parent = parentOf(document, path);
  const key = last(path);
  if (!Array.isArray(parent)) return setOwnField(parent, key, value);
  const at = key === '-' ? parent.length : indexIn(parent.length + 1, key, path);
  parent.splice(at, 0, value);
}

function remove(document: Json, path: readonly string[]): void {
  const parent = parentOf(document, path);
  const key = last(path);
  if (Array.isArray(parent)) parent.splice(indexIn(parent.length, key, path), 1);
  else if (Object.hasOwn(parent, key)) delete parent[key];
  else throw missing(path);
}

function replace(document: Json, path: readonly string[], value: Json): void {
  const parent = parentOf(document, path);
  const key = last(path);
  if (Array.isArray(parent)) parent[indexIn(parent.length, key, path)] = value;
  else setOwnField(parent, key, value);
}

function existing(document: Json, path: readonly string[]): Json {
  const value = get(parentOf(document, path), last(path), path);
  if (value === undefined) throw missing(path);
  return value;
}

function get(parent: JsonObject | Json[], key: string, path: readonly string[]): Json | undefined {
  if (Array.isArray(parent)) return parent[indexIn(parent.length, key, path)];
  return Object.hasOwn(parent, key) ? parent[key] : undefined;
}

function parentOf(document: Json, path: readonly string[]): JsonObject | Json[] {
  if (path.length === 0) throw new JsonPatchError('the whole object can only be replaced or tested');
  let node: Json | undefined = document;
  for (const [depth, key] of path.slice(0, -1).entries()) {
    const here = path.slice(0, depth + 1);
    if (!Array.isArray(node) && !isObject(node)) throw missing(here);
    node = get(node, key, here);
  }
  if (!Array.isArray(node) && !isObject(node)) throw missing(path.slice(0, -1));
  return node;
}

function indexIn(length: number, key: string, path: readonly string[]): number {
  if (!/^[+-]?\d+$/.test(key))
    throw new JsonPatchError(`${show(path)}: expected an index of the list, got '${key}'`);
  const index = Number(key) < 0 ? Number(key) + length : Number(key);
  if (index < 0 || index >= length) throw new JsonPatchError(`${show(path)}: the list has no index ${key}`);
  return index;
}

function missing(path: readonly string[]): JsonPatchError {
  return new JsonPatchError(`${show(path)} does not exist, or is neither a list nor a mapping`);
}

function last(path: readonly string[]): string {
  return path.at(-1) ?? '';
}

function show(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * Splits a JSON pointer (RFC 6901) into names.
 *
 * @returns undefined if the pointer is invalid, because it is neither empty nor begins with a slash
 */
function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

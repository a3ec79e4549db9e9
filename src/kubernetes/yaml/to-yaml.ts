import { compareYamlKeys } from './key-order.ts';
import { yamlNumber } from './number.ts';
import { yamlAnyBreak } from './scalar.ts';
import { YamlWriter } from './writer.ts';

/** Longer keys, in bytes of UTF-8, are written as `? key`. */
const LONGEST_SIMPLE_KEY = 128;

/**
 * Writes a JSON value as YAML in exactly the form of sigs.k8s.io/yaml, which kubectl, controller-gen and operator-sdk
 * write: sorted keys, lists at their parent's column, text folded after column 80, quotes where YAML 1.1 needs them.
 * Compared byte for byte with the Go original by test/peers/yaml.
 *
 * @param value plain JSON. Properties that are `undefined` are left out, as by JSON.stringify.
 * @returns the document with a line break at its end, without `---`
 * @throws TypeError for what JSON cannot say: NaN, functions, `undefined` in a list, class instances, cycles, halves of
 *   surrogate pairs
 */
export function toYaml(value: unknown): string {
  const writer = new YamlWriter();
  const ancestors = new Set<object>();

  function node(value: unknown, indent: number, place: 'root' | 'item' | 'field'): void {
    if (value === null) writer.token('null', true);
    else if (typeof value === 'boolean') writer.token(String(value), true);
    else if (typeof value === 'number') writer.token(yamlNumber(value), true);
    else if (typeof value === 'string')
      writer.string(wellFormed(value), 'value', place === 'root' ? 2 : indent + 2);
    else if (Array.isArray(value)) nested(value, () => list(value, indent, place));
    else if (isPlainObject(value)) nested(value, () => map(value, indent, place));
    else throw new TypeError(`cannot write ${describe(value)} as YAML: not plain JSON`);
  }

  function list(items: readonly unknown[], indent: number, place: 'root' | 'item' | 'field'): void {
    if (items.length === 0) return writer.token('[]', true);
    // A list starts at its parent key's column, unless it begins on the line of the `:`.
    const stepsIn = place === 'item' || (place === 'field' && writer.onlyIndented);
    const column = stepsIn ? indent + 2 : indent;
    // By index: holes must be found, and forEach would pass over them.
    for (let i = 0; i < items.length; i++) {
      writer.indent(column);
      writer.blockIndicator('-');
      node(items[i], column, 'item');
    }
  }

  function map(
    object: Readonly<Record<string, unknown>>,
    indent: number,
    place: 'root' | 'item' | 'field',
  ): void {
    const keys = Object.keys(object).filter((key) => object[key] !== undefined);
    if (keys.length === 0) return writer.token('{}', true);
    const column = place === 'root' ? indent : indent + 2;
    // The natural order has cycles (`27` < `94` < `9r` < `27`): sorting twice makes it a function of the set of keys.
    for (const key of keys.sort().sort(compareYamlKeys)) {
      writer.indent(column);
      if (isSimpleKey(wellFormed(key))) {
        writer.string(key, 'key', column + 2);
        writer.token(':', false);
      } else {
        writer.blockIndicator('?');
        writer.string(key, 'value', column + 2);
        writer.indent(column);
        writer.blockIndicator(':');
      }
      node(object[key], column, 'field');
    }
  }

  function nested(value: object, write: () => void): void {
    if (ancestors.has(value)) throw new TypeError('cannot write an object that contains itself as YAML');
    ancestors.add(value);
    write();
    ancestors.delete(value);
  }

  node(value, 0, 'root');
  writer.indent(0);
  return writer.text;
}

function isSimpleKey(key: string): boolean {
  return !yamlAnyBreak.test(key) && Buffer.byteLength(key) <= LONGEST_SIMPLE_KEY;
}

function wellFormed(text: string): string {
  // With the u flag the class matches only halves that have no partner.
  if (/[\uD800-\uDFFF]/u.test(text)) throw new TypeError('cannot write half of a surrogate pair as YAML');
  return text;
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

function describe(value: unknown): string {
  if (typeof value === 'object') return `an instance of ${value?.constructor.name ?? 'null'}`;
  return value === undefined ? 'undefined' : `a ${typeof value}`;
}

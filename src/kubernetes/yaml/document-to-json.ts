import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Scalar,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import { isJsonMap } from '../../base/util/json-map.ts';
import { readPlainAsGo } from '../../base/util/go-scalars.ts';

/** Callback for a problem: receives its code, its offset in the text, a message, and a fix. */
type YamlComplaint = (
  code: 'io/yaml-syntax' | 'io/yaml-ambiguous' | 'io/yaml-not-json',
  offset: number,
  message: string,
  fix?: string,
) => void;

/** Maximum number of values in a document after aliases are expanded. A larger document is an attack or a mistake. */
const MOST_VALUES = 1_000_000;

/**
 * Returns the JSON value of a parsed document. All aliases of an anchor give the same object, and mappings under `<<` keys are merged.
 *
 * @param complain called for every value that JSON cannot represent, or that another tool would read differently
 */
export function yamlToJson(document: Document.Parsed, complain: YamlComplaint): unknown {
  return new NodeConverter(complain).convert(document.contents);
}

class NodeConverter {
  readonly #complain: YamlComplaint;
  readonly #values = new Map<Node, { readonly value: unknown; readonly size: number }>();
  readonly #open = new Set<Node>();
  // Maps anchor names to nodes. The library's Alias.resolve() is not used, because it walks the entire document each time. Nodes are
  // converted in document order, so an alias refers to the latest anchor of its name.
  readonly #anchors = new Map<string, Node>();
  readonly #path: JsonPathSegment[] = [];
  #size = 0;

  constructor(complain: YamlComplaint) {
    this.#complain = complain;
  }

  convert(node: unknown): unknown {
    if (isAlias(node)) return this.#fromAlias(node);
    this.#size++;
    this.#noteAnchor(node);
    if (isScalar(node)) return scalarValue(node, this.#complain, () => this.#isDouble());
    if (!isMap(node) && !isSeq(node)) return null;
    const before = this.#size;
    this.#open.add(node);
    const value = isSeq(node) ? node.items.map((item, index) => this.#at(index, item)) : this.#object(node);
    this.#open.delete(node);
    this.#values.set(node, { value, size: this.#size - before + 1 });
    return value;
  }

  #at(segment: JsonPathSegment, node: unknown): unknown {
    this.#path.push(segment);
    const value = this.convert(node);
    this.#path.pop();
    return value;
  }

  // Aliases may repeat an anchored value at further paths, where the value need not be a double.
  #isDouble(): boolean {
    return (
      isDoublePlace(this.#path) &&
      ![...this.#open].some((node) => 'anchor' in node && node.anchor !== undefined)
    );
  }

  #noteAnchor(node: unknown): void {
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined)
      this.#anchors.set(node.anchor, node);
  }

  #fromAlias(alias: Alias): unknown {
    const target = this.#anchors.get(alias.source);
    const offset = alias.range?.[0] ?? 0;
    if (target === undefined) {
      this.#complain('io/yaml-syntax', offset, `the alias *${alias.source} has no anchor before it`);
      return null;
    }
    if (this.#open.has(target)) {
      this.#complain('io/yaml-not-json', offset, 'the alias is inside the value that it refers to');
      return null;
    }
    const known = this.#values.get(target);
    if (known === undefined) return this.convert(target);
    if (this.#size <= MOST_VALUES && this.#size + known.size > MOST_VALUES) {
      this.#complain(
        'io/yaml-syntax',
        offset,
        `aliases expand the document to more than ${MOST_VALUES} values`,
      );
    }
    this.#size += known.size;
    return known.value;
  }

  #object(map: YAMLMap): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    const merged: Record<string, unknown>[] = [];
    for (const { key, value } of map.items as Pair<Node, Node | null>[]) {
      if (isMergeKey(key)) {
        merged.push(...this.#mergeSources(value, key));
        continue;
      }
      const name = this.#keyName(key);
      if (name === undefined) continue;
      if (Object.hasOwn(result, name)) {
        this.#complain(
          'io/yaml-syntax',
          offsetOf(key),
          `the key ${JSON.stringify(name)} occurs twice`,
          'remove one of them',
        );
      }
      define(result, name, this.#at(name, value));
    }
    for (const source of merged) {
      for (const [name, value] of Object.entries(source)) {
        if (!Object.hasOwn(result, name)) define(result, name, value);
      }
    }
    return result;
  }

  #mergeSources(value: unknown, key: Node): Record<string, unknown>[] {
    const converted = this.convert(value);
    const sources: unknown[] = Array.isArray(converted) ? converted : [converted];
    if (sources.every(isJsonMap)) return sources;
    this.#complain('io/yaml-syntax', offsetOf(key), 'a `<<` key needs a mapping or a list of mappings');
    return [];
  }

  #keyName(key: Node): string | undefined {
    this.#noteAnchor(key);
    const node = isAlias(key) ? this.#anchors.get(key.source) : key;
    const value = isScalar(node) ? scalarValue(node, this.#complain, () => false) : null;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return String(value);
    this.#complain('io/yaml-not-json', offsetOf(key), 'a key must be a string', 'put the key into quotes');
    return undefined;
  }
}

/**
 * Returns the value of a scalar.
 * @param isDouble returns true if Kubernetes reads numbers at this path as doubles, so that an integer may be rounded to the nearest double
 */
function scalarValue(scalar: Scalar, complain: YamlComplaint, isDouble: () => boolean): unknown {
  const { value, source = '' } = scalar;
  const offset = offsetOf(scalar);
  if (scalar.type === Scalar.PLAIN && scalar.tag === undefined) {
    const toGo = readPlainAsGo(source);
    // Kubernetes' tools read a number that exceeds both 64 bits and the range of a double as a string. Examples are `5e12345` and some
    // commit hashes.
    if (toGo === source && typeof value === 'number') return source;
    if (!Object.is(toGo, value) && !(toGo === 0 && value === 0)) {
      complain(
        'io/yaml-ambiguous',
        offset,
        `${source} is ${literal(toGo)} to Kubernetes' tools (YAML 1.1), but ${literal(value)} in YAML 1.2`,
        `write ${JSON.stringify(source)} for the string, ${String(toGo)} for the ${typeof toGo}`,
      );
      return value;
    }
  }
  if (value instanceof Uint8Array)
    complain(
      'io/yaml-not-json',
      offset,
      'JSON has no binary values',
      'remove the tag: the text is kept as it is',
    );
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) complain('io/yaml-not-json', offset, `${source} is not a JSON number`);
    else if (Number.isInteger(value) && /^[-+]?\d+$/.test(source) && !Number.isSafeInteger(value)) {
      if (isDouble()) return value;
      complain(
        'io/yaml-not-json',
        offset,
        `${source} cannot be kept exactly: integers are exact up to 2^53-1`,
        `write ${JSON.stringify(source)} if it is a string`,
      );
    }
  }
  return value;
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.type === Scalar.PLAIN && key.source === '<<';
}

/** Sets an own property of an object, also for the name `__proto__`, where an assignment would set the prototype. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

const offsetOf = (node: Node | null | undefined): number => node?.range?.[0] ?? 0;

const literal = (value: unknown): string =>
  typeof value === 'string' ? `the string ${JSON.stringify(value)}` : String(value);

/**
 * Returns true if Kubernetes reads the number at a path as a double, so that an integer beyond JavaScript's safe range has the same value
 * in JavaScript. This applies to `minimum`, `maximum` and `multipleOf` of a schema in a CustomResourceDefinition. Inside values such as
 * `default` these names have no meaning. Source: apiextensions v1 `JSONSchemaProps`.
 */
export function isDoublePlace(path: readonly JsonPathSegment[]): boolean {
  const from = path.indexOf('openAPIV3Schema');
  return from !== -1 && isBound(path, from + 1);
}

function isBound(path: readonly JsonPathSegment[], at: number): boolean {
  const keyword = path[at];
  if (keyword === 'items' || keyword === 'additionalProperties' || keyword === 'not')
    return isBound(path, at + 1);
  if (keyword === 'properties' || keyword === 'allOf' || keyword === 'anyOf' || keyword === 'oneOf')
    return isBound(path, at + 2);
  return at === path.length - 1 && doubles.has(keyword);
}

const doubles: ReadonlySet<JsonPathSegment | undefined> = new Set(['minimum', 'maximum', 'multipleOf']);

/** A key of an object or an index of a list. */
export type JsonPathSegment = string | number;

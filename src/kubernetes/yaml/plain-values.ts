import { isDoublePlace, type JsonPathSegment } from './document-to-json.ts';
import { InexactInteger, isMergeKey, RewrittenDate } from './go-schema.ts';
import { yamlLimits } from './limits.ts';

interface ValueProblem {
  readonly path: readonly JsonPathSegment[];
  readonly code: 'io/yaml-syntax' | 'io/yaml-ambiguous' | 'io/yaml-not-json' | 'io/too-large';
  readonly message: string;
  readonly fix?: string;
}

/**
 * Converts a value read by js-yaml to plain JSON, in place. Merges the mappings under `<<`, and reports values that JSON cannot represent.
 * All aliases of an anchor give the same object.
 *
 * @param mostValues maximum number of values after aliases are expanded
 * @param roundIntegers true to accept integers beyond 2^53-1 and round them, for documents that are only read
 */
export function plainValues(
  value: unknown,
  mostValues: number,
  roundIntegers: boolean,
): { readonly value: unknown; readonly size: number; readonly problems: readonly ValueProblem[] } {
  const reader = new PlainValues(mostValues, roundIntegers);
  const plain = reader.plain(value);
  return { value: plain, size: reader.size, problems: reader.problems };
}

class PlainValues {
  readonly #mostValues: number;
  readonly #roundIntegers: boolean;
  readonly problems: ValueProblem[] = [];
  readonly #counts = new Map<ValueProblem['code'], number>();
  readonly #path: JsonPathSegment[] = [];
  /**
   * Number of values in each list and mapping that has been counted already. The lists and mappings that contain the current value are in
   * {@link open}.
   */
  readonly #sizes = new Map<object, number>();
  size = 0;

  constructor(mostValues: number, roundIntegers: boolean) {
    this.#mostValues = mostValues;
    this.#roundIntegers = roundIntegers;
  }

  #problem(code: ValueProblem['code'], message: string, fix?: string): void {
    const count = this.#counts.get(code) ?? 0;
    this.#counts.set(code, count + 1);
    // At most this many problems of each kind are collected, because this is the maximum number of findings for a file.
    if (count > yamlLimits.findings) return;
    this.problems.push({ path: [...this.#path], code, message, ...(fix === undefined ? {} : { fix }) });
  }

  #grow(by: number): void {
    const before = this.size;
    this.size += by;
    if (before <= this.#mostValues && this.size > this.#mostValues) this.#problem('io/too-large', '');
  }

  #at(segment: JsonPathSegment, item: unknown): unknown {
    this.#path.push(segment);
    const result = this.plain(item);
    this.#path.pop();
    return result;
  }

  plain(item: unknown): unknown {
    if (typeof item !== 'object' || item === null) return this.#scalar(item);
    if (item instanceof InexactInteger) return this.#integer(item);
    if (item instanceof RewrittenDate) return this.#rewrittenDate(item);
    const known = this.#sizes.get(item);
    if (known !== undefined && known !== open) {
      this.#grow(known);
      return item;
    }
    if (known === open) {
      this.#problem(
        'io/yaml-not-json',
        'an alias is used inside of the value that it refers to',
        'remove the alias',
      );
      return null;
    }
    const before = this.size;
    this.#grow(1);
    this.#sizes.set(item, open);
    const result = Array.isArray(item) ? this.#list(item) : this.#object(item as Record<string, unknown>);
    this.#sizes.set(item, this.size - before);
    if (result !== item) this.#sizes.set(result, this.size - before);
    return result;
  }

  #scalar(item: unknown): unknown {
    this.#grow(costOf(item));
    if (typeof item === 'number' && !Number.isFinite(item))
      this.#problem(
        'io/yaml-not-json',
        `JSON has no ${item}`,
        'write a finite number, or quote it to keep the text',
      );
    return typeof item === 'string' && isMergeKey(item) ? '<<' : item;
  }

  #integer({ value: rounded, source }: InexactInteger): number {
    this.#grow(1);
    if (!this.#roundIntegers && !isDoublePlace(this.#path)) {
      const fix = `write ${JSON.stringify(source)} if it is a string`;
      this.#problem(
        'io/yaml-not-json',
        `${source} cannot be kept exactly: integers are exact up to 2^53-1`,
        fix,
      );
    }
    return rounded;
  }

  #rewrittenDate({ source }: RewrittenDate): string {
    this.#grow(1);
    const message = `kustomize reads ${source} as a time, and writes it in full, but Kubernetes' other tools read it as a string`;
    this.#problem('io/yaml-ambiguous', message, `write ${JSON.stringify(source)} for the string`);
    return source;
  }

  #list(items: unknown[]): unknown[] {
    for (const [index, item] of items.entries()) {
      // An item is written back to the list only if it was converted, because most items are texts, which stay as they are.
      const result = this.#at(index, item);
      if (result !== item) items[index] = result;
    }
    return items;
  }

  #object(map: Record<string, unknown>): Record<string, unknown> {
    const keys = Object.keys(map);
    if (Object.hasOwn(map, collectionKey))
      this.#problem('io/yaml-not-json', 'a key must be a string', 'put the key into quotes');
    if (!keys.some(isMergeKey)) {
      for (const key of keys) {
        const item = map[key];
        const result = this.#at(key, item);
        if (result !== item) define(map, key, result);
      }
      return map;
    }
    const merged: Record<string, unknown> = {};
    for (const key of keys) {
      if (isMergeKey(key)) this.#mergeInto(merged, this.#at('<<', map[key]));
      else define(merged, key, this.#at(key, map[key]));
    }
    return merged;
  }

  /**
   * Merges one mapping or a list of mappings into a target mapping. Merged keys replace earlier keys, including the target's own keys. In a
   * list of mappings, the first mapping takes precedence.
   */
  #mergeInto(target: Record<string, unknown>, sources: unknown): void {
    const list: readonly unknown[] = Array.isArray(sources) ? (sources as unknown[]) : [sources];
    for (const source of [...list].reverse()) {
      if (typeof source !== 'object' || source === null || Array.isArray(source)) {
        this.#problem(
          'io/yaml-syntax',
          'a `<<` key needs a mapping or a list of mappings',
          'remove the key, or give it an alias of a mapping',
        );
        continue;
      }
      // Nested merges can grow exponentially, so merging stops at the maximum number of values.
      if (this.size > this.#mostValues) return;
      for (const [key, item] of Object.entries(source as Record<string, unknown>)) {
        this.#grow(
          typeof item === 'object' && item !== null ? Math.max(1, this.#sizes.get(item) ?? 1) : costOf(item),
        );
        define(target, key, item);
      }
    }
  }
}

const open = -1;

/** Returns the number of values that a scalar counts as. A long text counts as several values, because aliases can repeat it many times. */
function costOf(scalar: unknown): number {
  return typeof scalar === 'string' ? 1 + (scalar.length >> 6) : 1;
}

/** The key that js-yaml creates if a mapping is used as a key, such as `{{ .Values.name }}:` in a template. */
const collectionKey = '[object Object]';

/** Sets an own property of an object, also for the name `__proto__`, where an assignment would set the prototype. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

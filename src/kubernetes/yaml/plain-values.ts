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
 * Turns what js-yaml read into plain JSON, in place: merges `<<`, and finds what JSON cannot hold. Aliases give the same object wherever
 * they are.
 *
 * @param mostValues how many values the document may hold with its aliases written out
 * @param roundIntegers whether an integer beyond 2^53-1 may lose digits, for documents whose values are looked at only
 */
export function plainValues(
  value: unknown,
  mostValues: number,
  roundIntegers: boolean,
): { readonly value: unknown; readonly size: number; readonly problems: readonly ValueProblem[] } {
  const problems: ValueProblem[] = [];
  const counts = new Map<ValueProblem['code'], number>();
  const path: JsonPathSegment[] = [];
  /** Size of each list and mapping; those around the value that is read are {@link open}. */
  const sizes = new Map<object, number>();
  let size = 0;

  function problem(code: ValueProblem['code'], message: string, fix?: string): void {
    const count = counts.get(code) ?? 0;
    counts.set(code, count + 1);
    // Which ones matter is known later; this many are enough of each.
    if (count > yamlLimits.findings) return;
    problems.push({ path: [...path], code, message, ...(fix === undefined ? {} : { fix }) });
  }

  function grow(by: number): void {
    const before = size;
    size += by;
    if (before <= mostValues && size > mostValues) problem('io/too-large', '');
  }

  function at(segment: JsonPathSegment, item: unknown): unknown {
    path.push(segment);
    const result = plain(item);
    path.pop();
    return result;
  }

  function plain(item: unknown): unknown {
    if (typeof item !== 'object' || item === null) return scalar(item);
    if (item instanceof InexactInteger) return integer(item);
    if (item instanceof RewrittenDate) return rewrittenDate(item);
    const known = sizes.get(item);
    if (known !== undefined && known !== open) {
      grow(known);
      return item;
    }
    if (known === open) {
      problem('io/yaml-not-json', 'an alias inside of the value that it refers to', 'remove the alias');
      return null;
    }
    const before = size;
    grow(1);
    sizes.set(item, open);
    const result = Array.isArray(item) ? list(item) : object(item as Record<string, unknown>);
    sizes.set(item, size - before);
    if (result !== item) sizes.set(result, size - before);
    return result;
  }

  function scalar(item: unknown): unknown {
    grow(costOf(item));
    if (typeof item === 'number' && !Number.isFinite(item))
      problem(
        'io/yaml-not-json',
        `JSON has no ${item}`,
        'write a finite number, or quote it to keep the text',
      );
    return typeof item === 'string' && isMergeKey(item) ? '<<' : item;
  }

  function integer({ value: rounded, source }: InexactInteger): number {
    grow(1);
    if (!roundIntegers && !isDoublePlace(path)) {
      const fix = `write ${JSON.stringify(source)} if it is a string`;
      problem('io/yaml-not-json', `${source} cannot be kept exactly: integers are exact up to 2^53-1`, fix);
    }
    return rounded;
  }

  function rewrittenDate({ source }: RewrittenDate): string {
    grow(1);
    const message = `${source} is a time to kustomize, which writes it in full, but a string to Kubernetes' other tools`;
    problem('io/yaml-ambiguous', message, `write ${JSON.stringify(source)} for the string`);
    return source;
  }

  function list(items: unknown[]): unknown[] {
    for (const [index, item] of items.entries()) {
      // Most items are texts, which stay as they are.
      const result = at(index, item);
      if (result !== item) items[index] = result;
    }
    return items;
  }

  function object(map: Record<string, unknown>): Record<string, unknown> {
    const keys = Object.keys(map);
    if (Object.hasOwn(map, collectionKey))
      problem('io/yaml-not-json', 'a key must be a string', 'put the key into quotes');
    if (!keys.some(isMergeKey)) {
      for (const key of keys) {
        const item = map[key];
        const result = at(key, item);
        if (result !== item) define(map, key, result);
      }
      return map;
    }
    const merged: Record<string, unknown> = {};
    for (const key of keys) {
      if (isMergeKey(key)) mergeInto(merged, at('<<', map[key]));
      else define(merged, key, at(key, map[key]));
    }
    return merged;
  }

  /** Merged keys replace what comes before them, also the mapping's own keys; in a list the first one counts. */
  function mergeInto(target: Record<string, unknown>, sources: unknown): void {
    const list: readonly unknown[] = Array.isArray(sources) ? (sources as unknown[]) : [sources];
    for (const source of [...list].reverse()) {
      if (typeof source !== 'object' || source === null || Array.isArray(source)) {
        problem(
          'io/yaml-syntax',
          'a `<<` key needs a mapping or a list of mappings',
          'remove the key, or give it an alias of a mapping',
        );
        continue;
      }
      // Merges of merges grow without a bound of their own.
      if (size > mostValues) return;
      for (const [key, item] of Object.entries(source as Record<string, unknown>)) {
        grow(typeof item === 'object' && item !== null ? Math.max(1, sizes.get(item) ?? 1) : costOf(item));
        define(target, key, item);
      }
    }
  }

  const result = plain(value);
  return { value: result, size, problems };
}

const open = -1;

/** In values: a long text, which aliases multiply like everything else, counts as several. */
function costOf(scalar: unknown): number {
  return typeof scalar === 'string' ? 1 + (scalar.length >> 6) : 1;
}

/** The key that js-yaml makes of a mapping in the place of a key, such as `{{ .Values.name }}:` in a template. */
const collectionKey = '[object Object]';

/** Sets an own property, also for the name `__proto__`. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

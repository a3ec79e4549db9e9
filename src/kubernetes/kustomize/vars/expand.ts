import type { Json } from '../resource.ts';

/** A text that cannot be expanded as kustomize does. */
export class ExpandError extends Error {}

/**
 * Replaces `$(NAME)` in a text; `$$` is a dollar. A text that is nothing else takes the type of the value.
 * Source: kustomize `api/filters/refvar/expand.go`.
 *
 * @param spend called with the length of each value in a text; may throw
 * @throws ExpandError
 */
export function expand(
  text: string,
  values: ReadonlyMap<string, Json>,
  spend: (length: number) => void,
): Json {
  const whole = /^\$\(([^)]*)\)$/s.exec(text)?.[1];
  if (whole !== undefined) return valueOf(whole, values) ?? text;
  return text.replace(
    /\$(?:\(([^)]*)\)|(.))/gsu,
    (found, name: string | undefined, next: string | undefined) => {
      if (name !== undefined) {
        const value = textOf(valueOf(name, values) ?? found);
        spend(value.length);
        return value;
      }
      if (next === '$') return '$';
      // kustomize takes the first byte only, and so breaks the character.
      if (next !== undefined && next > '\u007f')
        throw new ExpandError(
          'a $ is in front of a character that is not ASCII, which kustomize would break',
        );
      return found;
    },
  );
}

function valueOf(name: string, values: ReadonlyMap<string, Json>): string | number | boolean | undefined {
  const value = values.get(name);
  return typeof value === 'object' ? undefined : value;
}

function textOf(value: string | number | boolean): string {
  if (typeof value === 'number' && isWrittenOtherwise(value))
    throw new ExpandError(
      `kustomize writes the number ${Object.is(value, -0) ? '-0' : value} in its own way`,
    );
  return String(value);
}

/** Returns true if Go's `%v` may differ from JavaScript: very small and large fractions get an exponent, and zero keeps its sign. */
function isWrittenOtherwise(value: number): boolean {
  if (Number.isInteger(value)) return Object.is(value, -0);
  const size = Math.abs(value);
  return size < 1e-4 || size >= 1e6;
}

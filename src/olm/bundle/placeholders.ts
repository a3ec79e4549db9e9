import { isJsonMap } from '../../base/util/json-map.ts';

/** The texts that scaffolding tools write where a person should. */
const placeholders: readonly RegExp[] = [
  /^your@email\.com$/i,
  /^maintainer name$/i,
  /^provider name$/i,
  /^https:\/\/your\.domain\/?$/i,
  /\bdescription\. TODO\.$/,
];

/** Returns true for a text that a scaffolding tool left for a person to replace. */
export function isPlaceholder(text: string): boolean {
  return placeholders.some((pattern) => pattern.test(text.trim()));
}

/** The paths of all texts of a value that are placeholders. */
export function placeholdersIn(
  value: unknown,
  path: readonly (string | number)[],
): readonly (readonly (string | number)[])[] {
  if (typeof value === 'string') return isPlaceholder(value) ? [path] : [];
  if (Array.isArray(value))
    return (value as unknown[]).flatMap((item, index) => placeholdersIn(item, [...path, index]));
  if (!isJsonMap(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => placeholdersIn(inner, [...path, key]));
}

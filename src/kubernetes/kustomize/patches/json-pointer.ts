/**
 * The names in a JSON pointer (RFC 6901).
 *
 * @returns undefined if it is none: not empty, and without a slash in front
 */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

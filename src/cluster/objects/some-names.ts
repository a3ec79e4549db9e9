/** Names that a message gives before it only counts. */
export const shownNames = 20;

/** The first of many names, and how many there are beside them. */
export function someNames(names: readonly string[], separator = ', '): string {
  const more = names.length - shownNames;
  return `${names.slice(0, shownNames).join(separator)}${more > 0 ? `, and ${more} more` : ''}`;
}

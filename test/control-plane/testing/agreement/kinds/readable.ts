/**
 * Answers without what only Go can print: the difference of two structs after a line break, and structs of internal types, whose fields begin
 * with capitals. Messages of several causes repeat them. A list that was given empty counts as absent.
 */
export function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, readable(item)]));
  if (typeof value !== 'string') return value;
  return value
    .replace(/( fields other than| is immutable after creation)[^\n]*\n[\s\S]*$/, '$1 …')
    .replaceAll(/value: \[\](?=: )/g, 'value: null')
    .replaceAll(/(Invalid|Unsupported) value: [{[]"?[\s\S]*?[}\]](?=: )/g, '$1 value: {…}')
    .replace(/\(\d+ characters\)$/, '(…)');
}

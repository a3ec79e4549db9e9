import { parseJson, type Parsed } from './values.ts';

/**
 * The text of a `@description` tag: plain text, or a JSON string for texts that a comment cannot contain, such as
 * the empty one.
 */
export function parseDescription(text: string): Parsed<string> {
  if (text === '') return { problem: 'expects a text; write an empty one as `""`' };
  if (!text.startsWith('"')) return { value: text };
  const parsed = parseJson(text);
  return 'value' in parsed && typeof parsed.value === 'string'
    ? { value: parsed.value }
    : { problem: 'expects a JSON string where its text begins with a double quote' };
}

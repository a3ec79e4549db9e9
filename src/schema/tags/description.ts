import { parseJson, type Parsed } from './values.ts';

/** The text of a `@description` tag: a JSON string, for texts that a comment cannot hold as they are. The empty string is one of them. */
export function parseDescription(text: string): Parsed<string> {
  const parsed = parseJson(text);
  return 'value' in parsed && typeof parsed.value === 'string'
    ? { value: parsed.value }
    : { problem: 'expects a JSON string, such as `@description "…"`; a plain text stands above the tags' };
}

import type { Lint } from './node.ts';

/** `/^a$/`, `/^a$/i`, `"^a$"`: the characters around the anchors count as part of the text. */
const delimited = /^([/"'`])(\^.*\$)\1([a-z]*)$/s;

/** Patterns written as in JavaScript: the API server accepts them, and then refuses every value. */
export const patternLint: Lint = ({ node: { schema } }) => {
  const [, delimiter, inner, flags = ''] = delimited.exec(schema.pattern ?? '') ?? [];
  if (delimiter === undefined || inner === undefined) return [];
  const message = `the pattern matches nothing: no text has a \`${delimiter}\` in front of its beginning`;
  return [
    {
      problem: {
        code: 'schema/pattern-delimiters',
        message,
        fix: [`write \`@pattern ${re2Flags(flags)}${inner}\``],
      },
    },
  ];
};

/** The flags of JavaScript that RE2 knows, as it writes them. */
function re2Flags(flags: string): string {
  const known = flags.replace(/[^ims]/g, '');
  return known === '' ? '' : `(?${known})`;
}

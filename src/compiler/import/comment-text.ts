import type { JsonValue } from '../../kubernetes/crd/json-schema-props.ts';

/**
 * Characters that do not survive in a comment, or that people would not see there: controls, line separators of TypeScript, marks without
 * width, and those that turn the direction of the text around.
 */
const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
/** Text that TypeScript takes for the beginning of a tag, and `{@link`, which editors resolve. */
const tagLike = /(?:^|\s)@|\{@/;
/** A marker of the Go tools at the beginning of a line; the reader refuses it above the tags. */
const goMarker = /^\s*\+[a-z]/im;

/** True if a description can stand in a doc comment as it is: read back, it is the same. */
export function isPlainDescription(text: string): boolean {
  return (
    text !== '' &&
    text.trim() === text &&
    !/[ \t]$/m.test(text) &&
    text.split('\n').every((line) => line.trimEnd() === line) &&
    isSafe(text) &&
    !goMarker.test(text)
  );
}

/** True if a text can stand behind a tag as it is: one line, without blanks around it. */
export function isPlainTagText(text: string): boolean {
  return text.trim() === text && !text.includes('\n') && isSafe(text);
}

function isSafe(text: string): boolean {
  return !unseen.test(text) && !loneSurrogate.test(text) && !tagLike.test(text);
}

/**
 * A text for the inside of a doc comment; its lines are still to be given their margins. The inverse of what `withoutMargin` does to
 * `*\/`: a backslash more where a star, any number of backslashes, and a slash stand.
 */
export function escapeComment(text: string): string {
  return text.replace(/\*(\\*)\//g, '*\\$1/');
}

/** A JSON value on one line, for {@link escapeComment}: what a comment cannot hold, or where a tag would begin, is escaped. */
export function commentJson(value: JsonValue): string {
  return JSON.stringify(value)
    .replace(new RegExp(unseen, 'g'), (character) => unicodeEscape(character))
    .replace(/(?<=[\s{"])@/g, unicodeEscape);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * A description for people alone: where nothing is read back, it may lose what a comment cannot hold.
 * Never ends the comment, never begins a tag.
 */
export function readableDescription(text: string): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) =>
      line
        .replace(new RegExp(unseen, 'g'), ' ')
        .replace(/(^|\s)@/g, '$1\\@')
        .trimEnd(),
    )
    .join('\n')
    .trim();
}

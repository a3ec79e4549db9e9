/**
 * Characters that a terminal obeys instead of showing them: control characters, with which a text from elsewhere could rewrite the screen, and the marks
 * that reverse the direction of text, with which it could pass for another one. Line breaks and tabs stay.
 */
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns true if a terminal would obey a part of a text. A carriage return before a line break is only another way to end a line. */
export function hasHidden(text: string): boolean {
  return text.replaceAll('\r\n', '\n').search(obeyed) >= 0;
}

/** {@link printable} text that stays in its line. */
export function printableLine(text: string): string {
  return printable(text.replaceAll('\n', '\\n').replaceAll('\t', '\\t'));
}

/** A text from elsewhere as a terminal may be given it: `\x1b[31m` is written out. */
export function printable(text: string): string {
  return text.replace(obeyed, (each) => {
    const digits = each.charCodeAt(0).toString(16);
    return digits.length > 2 ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`;
  });
}

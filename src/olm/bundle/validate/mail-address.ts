const atom = "[\\w!#$%&'*+/=?^`{|}~\\-\\u0080-\\u{10ffff}]+";
const dotAtom = `${atom}(?:\\.${atom})*`;
const quoted = '"(?:[^"\\\\\\r\\n]|\\\\.)*"';
const literal = '\\[[^\\[\\]\\\\\\s]*\\]';
const address = `(?:${dotAtom}|${quoted})@(?:${dotAtom}|${literal})`;
/** A display name may have dots, which RFC 5322 keeps for old mail. */
const word = `(?:${quoted}|[\\w!#$%&'*+/=?^\`{|}~.\\-\\u0080-\\u{10ffff}]+)`;
const comment = '\\s*(?:\\([^()]*\\)\\s*)*';
const form = new RegExp(
  `^${comment}(?:${address}|(?:${word}(?:\\s+${word})*)?\\s*<\\s*${address}\\s*>)${comment}$`,
  'u',
);

/** Returns the fault of a mail address, with or without a name before it. Source: RFC 5322; Go `net/mail.ParseAddress`. */
export function mailAddressProblem(text: string): string | undefined {
  if (form.test(text)) return undefined;
  if (!text.includes('@')) return 'it has no @';
  if (/[,;]\s*\S+@/.test(text)) return 'it holds several addresses';
  return 'it is not of the form name@example.com';
}

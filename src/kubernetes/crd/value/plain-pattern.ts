/** The longest pattern that is looked at, in characters, and how often its counted repetitions may repeat something, all in all. */
const MOST_CHARACTERS = 500;
const MOST_REPEATS = 1000;

/** A character that stands for itself in a class: of printable ASCII all but `-`, `[`, `\`, `]` and `^`. */
const member = String.raw`[ -,.-Z_-~]|\\[!-/:-@[-\x60{-~dDsSwW]`;
const range = '[0-9]-[0-9]|[a-z]-[a-z]|[A-Z]-[A-Z]';
const token = new RegExp(
  [
    String.raw`(?<open>\((?:\?:)?)`,
    String.raw`(?<close>\))`,
    String.raw`(?<bar>\|)`,
    String.raw`(?<anchor>[$^])`,
    String.raw`(?<atom>[ -#%-',-/0->@-Z_-z\x7e]|\.|\\[!-/:-@[-\x60{-~dDsSwWnrt]|\[\^?-?(?:${range}|${member})+-?\])`,
    String.raw`(?<repeat>(?:[*+?]|\{(?<least>\d{1,4})(?:,(?<most>\d{0,4}))?\})\??)`,
  ].join('|'),
  'y',
);

/**
 * Returns true if a pattern is certain to be valid in RE2: it is put together from what is valid in every flavour of regular expressions and is
 * all that most patterns need. Of a pattern for which this is false, nothing is known. Loading RE2 and compiling with it costs a thousand
 * times as much.
 */
export function isPlainPattern(pattern: string): boolean {
  if (pattern.length > MOST_CHARACTERS) return false;
  let depth = 0;
  let repeats = 1;
  /** True if something that may be repeated comes before. */
  let isRepeatable = false;
  token.lastIndex = 0;
  while (token.lastIndex < pattern.length) {
    const groups = token.exec(pattern)?.groups;
    if (groups === undefined) return false;
    const { open, close, atom, repeat, least = '0', most = least } = groups;
    if (atom !== undefined && hasDescendingRange(atom)) return false;
    if (open !== undefined) depth += 1;
    if (close !== undefined && (depth -= 1) < 0) return false;
    if (repeat !== undefined) {
      if (!isRepeatable || (most !== '' && Number(most) < Number(least))) return false;
      repeats *= Math.max(1, Number(least), Number(most));
      if (repeats > MOST_REPEATS) return false;
    }
    isRepeatable = atom !== undefined || close !== undefined;
  }
  return depth === 0;
}

function hasDescendingRange(atom: string): boolean {
  for (const [, from = '', to = ''] of atom.matchAll(/(\w)-(\w)/g)) if (from > to) return true;
  return false;
}

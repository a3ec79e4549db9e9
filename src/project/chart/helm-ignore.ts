/** A line of a .helmignore. */
interface IgnoreRule {
  readonly pattern: RegExp;
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
  /** True for a pattern without a slash, which matches names in any folder. */
  readonly ofName: boolean;
}

/**
 * Returns true if a package leaves out a file or folder. If a folder is left out, so is everything below it. @param path below the chart
 */
export type IsIgnored = (path: string, isFolder: boolean) => boolean;

/** Rules that Helm adds to the rules of every chart. */
const defaultRules = ['templates/.?*'];

/**
 * Reads the rules of a .helmignore, one shell pattern per line. A pattern that ends in `/` matches only folders; a pattern with any other
 * `/` matches the whole path. A line that begins with `!` leaves out everything that does not match it, as in Helm.
 *
 * @throws TypeError for `**` and for invalid patterns, which Helm refuses, too; the message contains the line number
 * @see https://github.com/helm/helm/blob/main/pkg/ignore/rules.go
 */
export function readHelmIgnore(text: string): IsIgnored {
  const lines = [...text.replace(/^\uFEFF/, '').split(/\r?\n/), ...defaultRules];
  const rules = lines.flatMap((line, index) => {
    const pattern = line.trim();
    return pattern === '' || pattern.startsWith('#') ? [] : [ruleOf(pattern, index + 1)];
  });
  return (path, isFolder) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (const { pattern, isNegated, foldersOnly, ofName } of rules) {
      const matches = (isFolder || !foldersOnly) && pattern.test(ofName ? name : path);
      if (matches !== isNegated) return true;
    }
    return false;
  };
}

function ruleOf(line: string, number: number): IgnoreRule {
  if (line.includes('**')) throw new TypeError(`line ${number}: Helm does not support ** in '${line}'`);
  const isNegated = line.startsWith('!');
  const positive = isNegated ? line.slice(1) : line;
  const foldersOnly = positive.endsWith('/');
  const bare = positive.replace(/\/$/, '');
  const source = patternOf(bare.replace(/^\//, ''));
  if (source === undefined) throw new TypeError(`line ${number}: the pattern '${line}' is invalid`);
  return { pattern: new RegExp(`^${source}$`, 'u'), isNegated, foldersOnly, ofName: !bare.includes('/') };
}

const escaped = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/-]/, String.raw`\$&`);

/** Returns the regular expression of a pattern; undefined for an invalid one. Source: Go's path/filepath.Match. */
function patternOf(glob: string): string | undefined {
  let source = '';
  let rest = glob;
  while (rest !== '') {
    const [token = '', star, set, literal] =
      /^(?:([*?])|\[(\^?(?:\\[^]|[^\\\]])+)\]|\\?([^[\\]|(?<=\\)[^]))/u.exec(rest) ?? [];
    if (token === '') return undefined;
    rest = rest.slice(token.length);
    if (star !== undefined) source += star === '*' ? '[^/]*' : '[^/]';
    else if (set === undefined) source += outside(literal ?? '');
    else {
      const ranges = rangesOf(set.replace(/^\^/, ''));
      if (ranges === undefined) return undefined;
      source += `[${set.startsWith('^') ? '^' : ''}${ranges}]`;
    }
  }
  return source;
}

/** Escapes a character outside of brackets. */
const outside = (character: string): string => (character === '-' ? '-' : escaped(character));

/** Returns the ranges of characters in brackets; undefined if they are invalid. A dash must have a character on both sides. */
function rangesOf(set: string): string | undefined {
  const one = String.raw`(?:\\[^]|[^\\\-])`;
  const ranges = set.match(new RegExp(`${one}(?:-${one})?`, 'gu')) ?? [];
  if (ranges.join('') !== set) return undefined;
  return ranges
    .map((range) => {
      const [from = '', to = from] = (range.match(/\\[^]|[^\\-]/gu) ?? []).map(
        (each) => [...each].at(-1) ?? '',
      );
      return from > to ? '' : `${escaped(from)}-${escaped(to)}`;
    })
    .join('');
}

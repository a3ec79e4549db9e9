import { isAmbiguousPlain, isYaml11Value } from './go-schema.ts';

/** Column after which text is folded, at the first space. */
const BEST_WIDTH = 80;

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Builds YAML text piece by piece. Keeps the column at which the text ends, because folding and line breaks depend on this column. Source
 * of the rules: go.yaml.in/yaml/v2 `emitterc.go`.
 */
export class YamlWriter {
  readonly #parts: string[] = [];
  #column = 0;
  /** True if the last character written was white space, so that no blank is needed before the next token. */
  #afterBlank = true;
  /** True while the current line has only indentation and indicators (`-`, `?`, `:`). */
  #onlyIndented = true;

  get text(): string {
    return this.#parts.join('');
  }

  /**
   * True while the current line has only indentation and indicators. A list that starts on the line of its `:` must be indented further
   * than its parent; any other list starts at the parent's column.
   */
  get onlyIndented(): boolean {
    return this.#onlyIndented;
  }

  /** Moves to the column `indent`. Starts a new line unless the current line is empty up to this column. */
  indent(indent: number): void {
    if (!this.#onlyIndented || this.#column > indent || (this.#column === indent && !this.#afterBlank))
      this.#newline();
    if (this.#column < indent) this.#put(' '.repeat(indent - this.#column), indent - this.#column);
    this.#afterBlank = true;
    this.#onlyIndented = true;
  }

  /** Writes `-`, `?` or the `:` of a key that did not fit on one line. The next token may follow on the same line. */
  blockIndicator(indicator: string): void {
    this.#blank();
    this.#put(indicator, 1);
    this.#afterBlank = false;
  }

  /** Writes text that never needs quotes: `:` after a key, `[]`, `null`, a number. */
  token(token: string, separated: boolean): void {
    if (separated) this.#blank();
    this.#put(token, token.length);
    this.#endScalar();
  }

  /** Writes a string in the style (plain, quoted or block) that its text requires. Lines after the first line are indented by `indent`. */
  string(text: string, place: 'key' | 'value', indent: number): void {
    switch (yamlScalarStyle(text, place)) {
      case 'plain':
        this.#blank();
        this.#folded(text, place === 'value', indent);
        break;
      case 'single':
        this.#blank();
        this.#put("'", 1);
        this.#folded(text.replaceAll("'", "''"), place === 'value', indent);
        this.#put("'", 1);
        break;
      case 'double':
        this.#doubleQuoted(text, place === 'value', indent);
        break;
      case 'literal':
        this.#literal(text, indent);
        return;
    }
    this.#endScalar();
  }

  /** Writes plain text, or the text between single quotes. The first single space beyond the maximum width is replaced by a line break. */
  #folded(text: string, mayFold: boolean, indent: number): void {
    if (!yamlBreak.test(text) && (!mayFold || this.#column + text.length <= BEST_WIDTH + 1)) {
      this.#put(text, text.length);
      this.#onlyIndented = false;
      return;
    }
    let afterSpace = false;
    let afterBreak = false;
    for (let i = 0; i < text.length; i++) {
      const character = text.charAt(i);
      if (character === ' ') {
        const inside = i > 0 && i < text.length - 1;
        if (mayFold && inside && !afterSpace && this.#column > BEST_WIDTH && text.charAt(i + 1) !== ' ')
          this.indent(indent);
        else this.#put(character, 1);
        afterSpace = true;
      } else if (yamlBreak.test(character)) {
        this.#put(character, 1);
        this.#column = 0;
        this.#onlyIndented = true;
        afterBreak = true;
      } else {
        if (afterBreak) this.indent(indent);
        this.#put(character, 1);
        this.#onlyIndented = false;
        afterSpace = false;
        afterBreak = false;
      }
    }
  }

  #doubleQuoted(text: string, mayFold: boolean, indent: number): void {
    this.#blank();
    this.#put('"', 1);
    this.#onlyIndented = false;
    // Like the Go original, checks for a byte order mark only at the start of the text. A text that starts with this mark is written with
    // all characters escaped.
    const quote = text.startsWith(BYTE_ORDER_MARK) ? yamlEscape : yamlDoubleQuotedCharacter;
    const characters = Array.from(text);
    let afterSpace = false;
    for (const [i, character] of characters.entries()) {
      const written = quote(character);
      const inside = i > 0 && i < characters.length - 1;
      if (mayFold && written === ' ' && inside && !afterSpace && this.#column > BEST_WIDTH) {
        this.indent(indent);
        // If the line after a fold begins with a space, the space is escaped, because it would be lost.
        if (characters[i + 1] === ' ') this.#put('\\', 1);
      } else {
        this.#put(written, written.length);
      }
      afterSpace = written === ' ';
    }
    this.#put('"', 1);
  }

  #literal(text: string, indent: number): void {
    this.#blank();
    const hint = /^[ \n\u2028\u2029]/.test(text) ? '2' : '';
    this.#put(`|${hint}${chomping(text)}`, 1);
    this.#newline();
    this.#onlyIndented = true;
    this.#afterBlank = true;
    let afterBreak = true;
    for (const piece of text.split(/([\n\u2028\u2029])/)) {
      if (piece === '') continue;
      if (piece === '\n') {
        this.#newline();
      } else if (yamlBreak.test(piece)) {
        this.#put(piece, 1);
        this.#column = 0;
      } else {
        if (afterBreak) this.indent(indent);
        this.#put(piece, piece.length);
        this.#onlyIndented = false;
        afterBreak = false;
        continue;
      }
      this.#onlyIndented = true;
      afterBreak = true;
    }
  }

  #endScalar(): void {
    this.#afterBlank = false;
    this.#onlyIndented = false;
  }

  #blank(): void {
    if (!this.#afterBlank) this.#put(' ', 1);
  }

  #newline(): void {
    this.#parts.push('\n');
    this.#column = 0;
  }

  #put(text: string, width: number): void {
    this.#parts.push(text);
    this.#column += width;
  }
}

/**
 * Returns the chomping indicator of a block scalar: `-` if the text ends without a line break, empty for one line break, `+` for several.
 */
function chomping(text: string): '' | '-' | '+' {
  if (!yamlBreak.test(text.slice(-1))) return '-';
  return text.length === 1 || yamlBreak.test(text.slice(-2, -1)) ? '+' : '';
}

type YamlScalarStyle = 'plain' | 'single' | 'double' | 'literal';

/** The position of a scalar. `key` is a mapping key on the line of its value, so it never spans several lines. */
type YamlScalarPlace = 'key' | 'value';

/** Matches the line breaks that a scalar may contain unescaped: LF, LS and PS. */
const yamlBreak = /[\n\u2028\u2029]/;

/** Returns the style in which sigs.k8s.io/yaml writes a string. Source: go.yaml.in/yaml/v2 `encode.go` and `emitterc.go`. */
function yamlScalarStyle(text: string, place: YamlScalarPlace): YamlScalarStyle {
  const traits = traitsOf(text);
  if (place === 'key' && traits.multiline) return 'double';
  if (text.includes('\n')) return place === 'value' && traits.mayBeLiteral ? 'literal' : 'double';
  if (isAmbiguousPlain(text)) return 'double';
  // go-yaml writes some texts without quotes that YAML 1.1 defines as other values than strings. They are quoted here, because PyYAML and
  // others would convert them, or fail.
  if (traits.mayBePlain && !isYaml11Value(text)) return 'plain';
  return traits.mayBeSingleQuoted ? 'single' : 'double';
}

interface Traits {
  readonly multiline: boolean;
  readonly mayBePlain: boolean;
  readonly mayBeSingleQuoted: boolean;
  readonly mayBeLiteral: boolean;
}

function traitsOf(text: string): Traits {
  const multiline = yamlBreak.test(text);
  // Blanks before a line break, and unprintable characters, are preserved only if they are escaped.
  const needsEscapes = unprintable.test(text) || / [\n\u2028\u2029]/.test(text);
  const breakThenSpace = /[\n\u2028\u2029] /.test(text);
  const edges = text.startsWith(' ') || text.endsWith(' ');
  return {
    multiline,
    mayBePlain: !multiline && !needsEscapes && !edges && !hasIndicators(text),
    mayBeSingleQuoted: !needsEscapes && !breakThenSpace,
    mayBeLiteral: !needsEscapes && !text.endsWith(' '),
  };
}

/** Returns true if plain text would be read as YAML syntax, because it has an indicator at the start, `: `, ` #`, or a document marker. */
function hasIndicators(text: string): boolean {
  return (
    /^[#,[\]{}&*!|>'"%@`]/.test(text) ||
    /^[-?](?:[ \t]|$)/.test(text) ||
    /^(?:---|\.\.\.)/.test(text) ||
    /:(?:[ \t]|$)/.test(text) ||
    /[ \t]#/.test(text)
  );
}

/**
 * Matches characters that must be escaped: all except LF, printable ASCII, U+00A0 to U+D7FF and U+E000 to U+FFFD. The byte order mark must
 * be escaped too.
 */
const unprintable = /[^\n\x20-\x7E\u00A0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD]/;

const named = new Map<number, string>([
  [0x00, '0'],
  [0x07, 'a'],
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0b, 'v'],
  [0x0c, 'f'],
  [0x0d, 'r'],
  [0x1b, 'e'],
  [0x22, '"'],
  [0x5c, '\\'],
  [0x85, 'N'],
  [0xa0, '_'],
  [0x2028, 'L'],
  [0x2029, 'P'],
]);

/** Returns a character as it is written between double quotes: unchanged, or as an escape. */
function yamlDoubleQuotedCharacter(character: string): string {
  const mustEscape =
    unprintable.test(character) || yamlBreak.test(character) || character === '"' || character === '\\';
  return mustEscape ? yamlEscape(character) : character;
}

/** Returns the escape sequence of a character: `\n`, `\x01`, `\uFEFF`, `\U0001F600`. */
function yamlEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = named.get(code);
  if (name !== undefined) return `\\${name}`;
  const [letter, width] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
  return `\\${letter}${code.toString(16).toUpperCase().padStart(Number(width), '0')}`;
}

/**
 * Compares two map keys in the order in which Kubernetes' Go tools write them: letters after all other characters, runs of digits by their
 * value, the rest by code point. Source: go.yaml.in/yaml/v2 `sorter.go`, which sigs.k8s.io/yaml uses.
 *
 * @returns a negative number if `a` comes before `b`, a positive number if `a` comes after `b`, 0 if they are equal
 */
export function compareYamlKeys(a: string, b: string): number {
  const left = Array.from(a);
  const right = Array.from(b);
  const shorter = Math.min(left.length, right.length);
  for (let i = 0; i < shorter; i++) {
    const l = left[i] ?? '';
    const r = right[i] ?? '';
    if (l !== r) return compareAt(left, right, i, l, r);
  }
  return left.length - right.length;
}

const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;

/** Compares two keys from the first index `at` at which they differ. */
function compareAt(
  left: readonly string[],
  right: readonly string[],
  at: number,
  l: string,
  r: string,
): number {
  const leftIsLetter = letter.test(l);
  const rightIsLetter = letter.test(r);
  if (leftIsLetter && rightIsLetter) return codePoint(l) - codePoint(r);
  if (leftIsLetter || rightIsLetter) return rightIsLetter ? -1 : 1;

  // A zero inside a number counts as one of its digits, but a leading zero does not. Therefore `a10` and `a1` differ, and so do `a0` and
  // `a`.
  const carry = (l === '0' || r === '0') && insideNumber(left, at) ? 1n : 0n;
  const leftRun = digitRun(left, at, carry);
  const rightRun = digitRun(right, at, carry);
  if (leftRun.value !== rightRun.value) return leftRun.value < rightRun.value ? -1 : 1;
  if (leftRun.end !== rightRun.end) return leftRun.end - rightRun.end;
  return codePoint(l) - codePoint(r);
}

/** Returns true if the run of digits directly before `at` contains a digit other than zero. */
function insideNumber(characters: readonly string[], at: number): boolean {
  for (let i = at - 1; i >= 0; i--) {
    const character = characters[i] ?? '';
    if (!digit.test(character)) return false;
    if (character !== '0') return true;
  }
  return false;
}

function digitRun(characters: readonly string[], at: number, carry: bigint): { value: bigint; end: number } {
  let value = carry;
  let end = at;
  for (; end < characters.length && digit.test(characters[end] ?? ''); end++) {
    // Like the Go original, computes in 64-bit integers, so the value of a very long run of digits overflows.
    value = BigInt.asIntN(64, value * 10n + BigInt(codePoint(characters[end] ?? '') - 0x30));
  }
  return { value, end };
}

const codePoint = (character: string): number => character.codePointAt(0) ?? 0;

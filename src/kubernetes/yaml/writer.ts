import { yamlBreak, yamlDoubleQuotedCharacter, yamlEscape, yamlScalarStyle } from './scalar.ts';

/** Text is folded at the first space beyond this column. */
const BEST_WIDTH = 80;

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Assembles YAML text and knows the column of its end, which decides on folding and line breaks.
 * Source of the rules: go.yaml.in/yaml/v2 `emitterc.go`.
 */
export class YamlWriter {
  readonly #parts: string[] = [];
  #column = 0;
  /** The last thing written was white space, so that no blank is needed before the next. */
  #afterBlank = true;
  /** True while the line has only indentation and indicators (`-`, `?`, `:`) so far. */
  #onlyIndented = true;

  get text(): string {
    return this.#parts.join('');
  }

  /** See `indentation`: a list that starts on the line of its `:` cannot stand at its parent's column. */
  get onlyIndented(): boolean {
    return this.#onlyIndented;
  }

  /** Goes to the column `indent`, on a new line unless this one is still free up to there. */
  indent(indent: number): void {
    if (!this.#onlyIndented || this.#column > indent || (this.#column === indent && !this.#afterBlank))
      this.#newline();
    if (this.#column < indent) this.#put(' '.repeat(indent - this.#column), indent - this.#column);
    this.#afterBlank = true;
    this.#onlyIndented = true;
  }

  /** `-`, `?` or the `:` of a key that did not fit one line: what follows may stand on the same line. */
  blockIndicator(indicator: string): void {
    this.#blank();
    this.#put(indicator, 1);
    this.#afterBlank = false;
  }

  /** Text that YAML needs no rules for: `:` after a key, `[]`, `null`, a number. */
  token(token: string, separated: boolean): void {
    if (separated) this.#blank();
    this.#put(token, token.length);
    this.#endScalar();
  }

  /** A string in the style that suits it. Lines after the first are indented by `indent`. */
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

  /** Plain text, or the inside of single quotes: a break is put in place of the first single space beyond the width. */
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
    // The Go original tests the start of the text, not the character, for a byte order mark: then all is escaped.
    const quote = text.startsWith(BYTE_ORDER_MARK) ? yamlEscape : yamlDoubleQuotedCharacter;
    const characters = Array.from(text);
    let afterSpace = false;
    for (const [i, character] of characters.entries()) {
      const written = quote(character);
      const inside = i > 0 && i < characters.length - 1;
      if (mayFold && written === ' ' && inside && !afterSpace && this.#column > BEST_WIDTH) {
        this.indent(indent);
        // A second space would be lost at the start of a line.
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

/** The chomping indicator of a block scalar, by the breaks at the end of its text: none, one, or several. */
function chomping(text: string): '' | '-' | '+' {
  if (!yamlBreak.test(text.slice(-1))) return '-';
  return text.length === 1 || yamlBreak.test(text.slice(-2, -1)) ? '+' : '';
}

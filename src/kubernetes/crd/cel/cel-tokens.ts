/** A literal of CEL: its type and its value as text. */
export type CelLiteral = readonly ['int' | 'uint' | 'double' | 'string' | 'bytes', string];

/** The value of a number as it is written: `0x10` is `16`. Undefined for what is not a number. */
export function celNumber(text: string): CelLiteral | undefined {
  const [, integer, unsigned] = /^(0x[\da-fA-F]+|\d+)([uU]?)$/.exec(text) ?? [];
  if (integer !== undefined) return [unsigned === '' ? 'int' : 'uint', BigInt(integer).toString()];
  return /^(?:\d+\.\d+|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?$/.test(text)
    ? ['double', String(Number(text))]
    : undefined;
}

/** The value of a string or of bytes, whatever its quotes and escapes. Undefined if an escape means nothing. */
export function celString(text: string): CelLiteral | undefined {
  const [, prefix = '', quote = '', content = ''] = /^([rRbB]*)("""|'''|"|')([\s\S]*)\2$/.exec(text) ?? [];
  if (quote === '') return undefined;
  const isBytes = /b/i.test(prefix);
  const parts = /r/i.test(prefix) ? [Buffer.from(content)] : unescaped(content, isBytes);
  if (parts === undefined) return undefined;
  const value = Buffer.concat(parts);
  return isBytes ? ['bytes', value.toString('hex')] : ['string', value.toString('utf8')];
}

const plainEscapes: Readonly<Record<string, string>> = {
  ...{ a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  ...{ '\\': '\\', '?': '?', '"': '"', "'": "'", '`': '`' },
};

const piece =
  /(?<text>[^\\]+)|\\(?:[xX](?<hex>[\da-fA-F]{2})|(?<octal>[0-3][0-7]{2})|u(?<short>[\da-fA-F]{4})|U(?<long>[\da-fA-F]{8})|(?<plain>[abfnrtv\\?"'`]))/gy;

/** Source: cel-spec `doc/langdef.md`, "String and Bytes Values". */
function unescaped(content: string, isBytes: boolean): readonly Buffer[] | undefined {
  const parts: Buffer[] = [];
  let end = 0;
  for (const { groups = {}, index, 0: whole } of content.matchAll(piece)) {
    end = index + whole.length;
    const { text, hex, octal, plain } = groups;
    const small = hex ?? octal;
    const code = Number.parseInt(
      small ?? groups['short'] ?? groups['long'] ?? '',
      octal === undefined ? 16 : 8,
    );
    if (text !== undefined) parts.push(Buffer.from(text));
    else if (plain !== undefined) parts.push(Buffer.from(plainEscapes[plain] ?? ''));
    // In bytes these escapes are one byte, in strings one character.
    else if (isBytes && small !== undefined) parts.push(Buffer.of(code));
    else if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return undefined;
    else parts.push(Buffer.from(String.fromCodePoint(code)));
  }
  return end === content.length ? parts : undefined;
}

/** A piece of an expression of CEL: a string, a name, a number, or one sign. */
export interface CelToken {
  readonly kind: 'string' | 'name' | 'number' | 'sign';
  readonly text: string;
}

// Strings with three quotes before those with one, raw ones (no escapes) before others; a quote that begins no string is a sign.
// Source: the grammar of CEL, `STRING_LIT`, and its operators.
const token =
  /(?<comment>\/\/[^\n]*)|(?<string>(?:[rR][bB]?|[bB][rR])(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n\r]*"|'[^'\n\r]*')|[bB]?(?:"""(?:[^\\]|\\[\s\S])*?"""|'''(?:[^\\]|\\[\s\S])*?''')|[bB]?(?:"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')|`[^`\n\r]*`)|(?<name>[A-Za-z_]\w*)|(?<number>0x[\da-fA-F]+[uU]?(?!\w)|(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?[uU]?(?![\w.])|\d[\w.]*)|(?<sign>==|!=|<=|>=|&&|\|\||[^\s])/g;

/** Returns true if an expression has a comment, which reaches to the end of its line. */
export function hasCelComment(expression: string): boolean {
  return [...expression.matchAll(token)].some(({ groups = {} }) => groups['comment'] !== undefined);
}

/** An expression in its pieces; blanks and comments are none. */
export function celTokens(expression: string): readonly CelToken[] {
  return [...expression.matchAll(token)].flatMap(({ groups = {} }): readonly CelToken[] => {
    for (const kind of ['string', 'name', 'number', 'sign'] as const) {
      const text = groups[kind];
      if (text !== undefined) return [{ kind, text }];
    }
    return [];
  });
}

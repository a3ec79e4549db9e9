import { isAmbiguousPlain, isYaml11Value } from './ambiguity.ts';

export type YamlScalarStyle = 'plain' | 'single' | 'double' | 'literal';

/** `key`: a mapping key on one line with its value; it never spans lines. */
export type YamlScalarPlace = 'key' | 'value';

/** The line breaks that a scalar may hold unescaped: LF, LS and PS. */
export const yamlBreak = /[\n\u2028\u2029]/;

/** Text with one of YAML 1.1's line breaks cannot be a key on one line. CR and NEL count, though they are always escaped. */
export const yamlAnyBreak = /[\n\r\u0085\u2028\u2029]/;

/** The style in which sigs.k8s.io/yaml writes a string. Source: go.yaml.in/yaml/v2 `encode.go` and `emitterc.go`. */
export function yamlScalarStyle(text: string, place: YamlScalarPlace): YamlScalarStyle {
  const traits = traitsOf(text);
  if (place === 'key' && traits.multiline) return 'double';
  if (text.includes('\n')) return place === 'value' && traits.mayBeLiteral ? 'literal' : 'double';
  if (isAmbiguousPlain(text)) return 'double';
  // go-yaml writes the values of YAML 1.1 plain that it does not know itself; PyYAML and others read them, or fail on them.
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
  // Blanks before a break, and what cannot be printed, survive only as escapes.
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

/** True if the plain text would be read as YAML syntax: an indicator at the start, `: `, ` #`, a document mark. */
function hasIndicators(text: string): boolean {
  return (
    /^[#,[\]{}&*!|>'"%@`]/.test(text) ||
    /^[-?](?:[ \t]|$)/.test(text) ||
    /^(?:---|\.\.\.)/.test(text) ||
    /:(?:[ \t]|$)/.test(text) ||
    /[ \t]#/.test(text)
  );
}

/** Everything but LF, printable ASCII, U+00A0 to U+D7FF and U+E000 to U+FFFD without the byte order mark. */
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

/** A character as written between double quotes: itself, or an escape. */
export function yamlDoubleQuotedCharacter(character: string): string {
  const mustEscape =
    unprintable.test(character) || yamlBreak.test(character) || character === '"' || character === '\\';
  return mustEscape ? yamlEscape(character) : character;
}

/** The escape sequence of a character: `\n`, `\x01`, `\uFEFF`, `\U0001F600`. */
export function yamlEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = named.get(code);
  if (name !== undefined) return `\\${name}`;
  const [letter, width] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
  return `\\${letter}${code.toString(16).toUpperCase().padStart(Number(width), '0')}`;
}

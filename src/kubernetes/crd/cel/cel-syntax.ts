import { celTokens } from './cel-tokens.ts';
import { parseCelExpression, type ParsedCel } from './parse-cel.ts';

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** Characters that are invalid outside of strings, each with a message that may suggest the intended operator. */
const foreign: Readonly<Record<string, string>> = {
  '=': 'unknown operator `=`; write `==`',
  '&': 'unknown operator `&`; write `&&`',
  '|': 'unknown operator `|`; write `||`',
  ';': 'a rule is one expression, without `;`',
  '"': 'a string has no end',
  "'": 'a string has no end',
  '`': 'a quoted name has no end',
  '#': '`#` means nothing in CEL',
  $: '`$` means nothing in CEL',
  '@': '`@` means nothing in CEL',
  '\\': '`\\` means nothing outside of strings',
  '~': '`~` means nothing in CEL',
  '^': '`^` means nothing in CEL',
};

/** An open bracket, or the entire expression (`open` is `''`). */
interface Level {
  readonly open: string;
  /** Number of question marks in this bracket whose colon has not been found yet. */
  questions: number;
}

/** Parses an expression to a tree, or returns its syntax error. Does not check types and names. */
export function readCel(expression: string): ParsedCel {
  // Check the tokens first, because this may give a clearer message than the position at which the parser stops.
  const problem = problemOfSigns(expression);
  return problem === undefined ? parseCelExpression(expression) : { problem };
}

/** Returns the syntax error of an expression; undefined if it has none. */
export function celSyntaxProblem(expression: string): string | undefined {
  const read = readCel(expression);
  return 'problem' in read ? read.problem : undefined;
}

/** Returns the problem if brackets, strings or colons are not paired correctly, or if a sign does not exist in CEL; otherwise undefined. */
function problemOfSigns(expression: string): string | undefined {
  const levels: Level[] = [{ open: '', questions: 0 }];
  let before = '';
  for (const { kind, text } of celTokens(expression)) {
    const level = levels.at(-1);
    if (kind === 'sign' && level !== undefined) {
      const problem = signProblem(text, before, level);
      if (problem !== undefined) return problem;
      if (text in closing) levels.push({ open: text, questions: 0 });
      else if (Object.values(closing).includes(text)) levels.pop();
    }
    before = text;
  }
  const { open = '', questions = 0 } = levels.at(-1) ?? {};
  if (open !== '') return `\`${open}\` is not closed by \`${closing[open]}\``;
  return questions > 0 ? '`?` has no `:`' : undefined;
}

function signProblem(text: string, before: string, level: Level): string | undefined {
  const wrong = Object.hasOwn(foreign, text) ? foreign[text] : undefined;
  if (wrong !== undefined) return wrong;
  if (Object.values(closing).includes(text)) {
    if (level.open === '') return `\`${text}\` has no opening bracket before it`;
    if (closing[level.open] !== text)
      return `\`${level.open}\` is closed by \`${text}\`, expected \`${closing[level.open]}\``;
    return level.questions > 0 ? '`?` has no `:`' : undefined;
  }
  // In `a.?b`, `a[?b]`, `{?a: b}` and `[?a]`, the question mark needs no colon: it accesses a value only if the value exists.
  if (text === '?' && !['.', '[', '{', ','].includes(before)) level.questions++;
  if (text === ':') {
    if (level.questions > 0) level.questions--;
    else if (level.open !== '{') return '`:` without a `?` before it';
  }
  return undefined;
}

/** A name in a CEL expression, outside of strings and comments. */
interface CelName {
  readonly name: string;
  /** True if the name follows a dot, as a field or a function of the value before the dot. */
  readonly isMember: boolean;
  /** True if arguments follow the name, so that it is a function or a macro. */
  readonly isCall: boolean;
}

/** Returns the names in a CEL expression, in order. If the expression is invalid, returns the names that can be found. */
export function celNames(expression: string): readonly CelName[] {
  const names: CelName[] = [];
  const tokens = celTokens(expression);
  let before = '';
  for (const [index, { kind, text }] of tokens.entries()) {
    const isMember = before === '.' || before === '.?';
    if (kind === 'name') names.push({ name: text, isMember, isCall: tokens[index + 1]?.text === '(' });
    before = before === '.' && text === '?' ? '.?' : text;
  }
  return names;
}

/** Returns true if a rule refers to the previous state of the value (`oldSelf`). */
export function usesOldSelf(expression: string): boolean {
  return celNames(expression).some(({ name, isMember }) => name === 'oldSelf' && !isMember);
}

/**
 * Returns a text that is equal for expressions with the same syntax tree. Whitespace, comments, the kind of quotes, escapes, and redundant
 * parentheses make no difference. Text that is not valid CEL is returned unchanged, apart from surrounding whitespace.
 */
export function canonicalCel(expression: string): string {
  const parsed = parseCelExpression(expression);
  if ('problem' in parsed) return expression.trim();
  try {
    return JSON.stringify(parsed.tree, (key, value: unknown) => (key === 'isQuoted' ? undefined : value));
  } catch (error) {
    if (error instanceof RangeError) return expression.trim();
    throw error;
  }
}

import { celTokens } from './cel-tokens.ts';
import { parseCelExpression, type ParsedCel } from './parse-cel.ts';

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** Characters that no expression contains outside of strings, and what was probably meant. */
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

/** A bracket that is open, or the expression as a whole. */
interface Level {
  readonly open: string;
  /** Question marks that wait for their colon. */
  questions: number;
}

/** The tree of an expression, or what is wrong with its syntax. Types and names are not looked at. */
export function readCel(expression: string): ParsedCel {
  // The signs alone may say more plainly what is wrong than the place where the parser stops.
  const problem = problemOfSigns(expression);
  return problem === undefined ? parseCelExpression(expression) : { problem };
}

/** Returns the syntax error of an expression; undefined if it has none. */
export function celSyntaxProblem(expression: string): string | undefined {
  const read = readCel(expression);
  return 'problem' in read ? read.problem : undefined;
}

/** Brackets, strings, colons, and signs that CEL does not have. */
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
  if (open !== '') return `\`${open}\` has no \`${closing[open]}\``;
  return questions > 0 ? '`?` has no `:`' : undefined;
}

function signProblem(text: string, before: string, level: Level): string | undefined {
  const wrong = Object.hasOwn(foreign, text) ? foreign[text] : undefined;
  if (wrong !== undefined) return wrong;
  if (Object.values(closing).includes(text)) {
    if (closing[level.open] !== text) return `\`${text}\` closes nothing`;
    return level.questions > 0 ? '`?` has no `:`' : undefined;
  }
  // `a.?b`, `a[?b]`, `{?a: b}` and `[?a]` ask whether something is there.
  if (text === '?' && !['.', '[', '{', ','].includes(before)) level.questions++;
  if (text === ':') {
    if (level.questions > 0) level.questions--;
    else if (level.open !== '{') return '`:` without a `?` before it';
  }
  return undefined;
}

import { celTokens } from './cel-tokens.ts';

/** A name in an expression of CEL, outside of its strings and comments. */
export interface CelName {
  readonly name: string;
  /** After a dot: a field or a function of the value before it. */
  readonly isMember: boolean;
  /** With arguments behind it: a function or a macro. */
  readonly isCall: boolean;
}

/** The names in an expression of CEL, in their order. From an expression that is not CEL it returns the names that can be found. */
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

/** Returns true if a rule compares with the state before. */
export function usesOldSelf(expression: string): boolean {
  return celNames(expression).some(({ name, isMember }) => name === 'oldSelf' && !isMember);
}

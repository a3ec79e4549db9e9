import { defineCommand, type CommandOutcome } from '../command.ts';
import { validationRules, explanations } from '../explanations/explanations.ts';
import { OpSdkError, type ErrorCode } from '../../base/errors/index.ts';
import { closestName } from '../../base/util/terminal-words.ts';
import { wrapWords } from '../flags/help-layout.ts';
import { invalidFlag } from '../actions/input/flag-values.ts';

export const command = defineCommand({
  arguments: [['[code]', 'a code such as schema/plain-number, or a group of codes such as schema/']],
  help: `
Says what the code of an error or warning means, and what to do about it. Without a code, or with only the part before
the slash, it lists codes.

  op-sdk explain schema/plain-number
  op-sdk explain bundle/`,
  run(_context, _options, [asked]) {
    const code = codes.find((known) => known === asked);
    if (code !== undefined) return Promise.resolve(one(explained(code)));
    const group =
      asked === undefined ? undefined : groups.find((known) => `${known}/` === asked || known === asked);
    if (asked !== undefined && group === undefined) throw unknown(asked);
    return Promise.resolve(
      list(codes.filter((known) => group === undefined || groupOfCode(known) === group)),
    );
  },
});

/** Explanation of a finding code. */
interface Explained {
  readonly code: ErrorCode;
  readonly severity: 'error' | 'warning';
  /** Exit code of a command that fails with this code; null for a warning. */
  readonly exitCode: number | null;
  readonly title: string;
  readonly explain: string;
}

const codes = (Object.keys(explanations) as ErrorCode[]).sort();
const groups = [...new Set(codes.map(groupOfCode))];

function groupOfCode(code: string): string {
  return code.slice(0, code.indexOf('/'));
}

function explained(code: ErrorCode): Explained {
  const { level = 'error', exitCode = 1, title, explain } = explanations[code];
  return { code, severity: level, exitCode: level === 'warning' ? null : exitCode, title, explain };
}

function one(result: Explained): CommandOutcome {
  const { code, exitCode, title, explain } = result;
  const reported = validatorsOf(code);
  const by = reported.length === 0 ? '' : `\n\nReported by bundle validate: ${reported.join(', ')}`;
  const outcome = exitCode === null ? 'warning' : `exit code ${exitCode}`;
  return { result, text: `${code}: ${title} (${outcome})\n\n${wrapWords(explain, 80).join('\n')}${by}` };
}

/** Returns the validators of `bundle validate` that have a rule with this code, each with its level. */
function validatorsOf(code: ErrorCode): readonly string[] {
  return validationRules
    .filter((rule) => rule.code === code)
    .map(({ validator, level }) => `${validator} (${level === 'either' ? 'error or warning' : level})`);
}

function list(listed: readonly ErrorCode[]): CommandOutcome {
  const width = Math.max(...listed.map((code) => code.length));
  const lines = listed.map((code) => `${code.padEnd(width)}  ${explanations[code].title}`);
  return { result: { codes: listed.map(explained) }, text: lines.join('\n') };
}

function unknown(asked: string): OpSdkError {
  // A code can also be found by its part after the slash.
  const names = new Map<string, string>([
    ...codes.map((code) => [code.slice(code.indexOf('/') + 1), code] as const),
    ...groups.map((group) => [group, `${group}/`] as const),
    ...codes.map((code) => [code, code] as const),
  ]);
  const meant = names.get(closestName(asked, names.keys()) ?? '');
  return new OpSdkError(
    invalidFlag(
      '[code]',
      `expected the code of an error, got ${JSON.stringify(asked)}`,
      ...(meant === undefined ? [] : [`did you mean op-sdk explain ${meant}?`]),
      'op-sdk explain lists all codes',
    ),
  );
}

import type { FindingList } from '../../../base/errors/index.ts';
import type { NameCheck } from '../../../project/project/index.ts';
import type { CliContext } from '../../command.ts';
import { ask } from '../../ui/prompts.ts';
import { checkFlag, missingFlag } from './flag-values.ts';

/** A flag that a command cannot do without; somebody at a terminal is asked for it. */
export interface RequiredName<N extends string> {
  readonly name: N;
  /** Value of the flag; undefined without it. */
  readonly given: string | undefined;
  /** The question. */
  readonly question: string;
  readonly check: NameCheck;
  readonly placeholder: string;
  /** Noun for the placeholder's example. Default: a value. */
  readonly what?: string;
}

/** The values of flags by their names, `''` for what is missing; a finding for each that is missing or wrong. */
export async function requiredNames<N extends string>(
  context: CliContext,
  findings: FindingList,
  wanted: readonly RequiredName<N>[],
): Promise<Readonly<Record<N, string>>> {
  const values: Partial<Record<N, string>> = {};
  for (const { name, given, question, check, placeholder, what = 'a value' } of wanted) {
    const flag = `--${name}`;
    const value = given ?? (await ask(context, question, { check, placeholder }));
    if (value === undefined)
      findings.add(missingFlag(flag, `${flag} is missing`, `add ${flag}, such as ${flag} ${placeholder}`));
    checkFlag(findings, flag, value, check, [`give ${what} such as ${placeholder}`]);
    values[name] = value ?? '';
  }
  return values as Record<N, string>;
}

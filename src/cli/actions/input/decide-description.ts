import type { DescriptionQuestion, OperatorDescription } from '../../../olm/bundle/index.ts';
import { FindingList, type Finding } from '../../../base/errors/index.ts';
import { invalidFlag, missingFlag } from './flag-values.ts';

/** Asks a person one question; `initial` is in the answer already. */
export type Ask = (question: DescriptionQuestion, initial: string) => Promise<string>;

/** Where the description of an operator may come from. */
export interface DescriptionSources {
  readonly questions: readonly DescriptionQuestion[];
  /** Values of flags, by key: texts that nobody has checked. */
  readonly flags: Readonly<Partial<Record<keyof OperatorDescription, string>>>;
  /** Answers of package.json, which are not asked for again. */
  readonly declared: Partial<OperatorDescription>;
  /** Errors in package.json. */
  readonly problems?: readonly Finding[];
  /** Values that are proposed to a person, and taken where nobody can be asked. */
  readonly proposed: Partial<OperatorDescription>;
  /** Undefined where nobody can be asked. */
  readonly ask: Ask | undefined;
}

/**
 * Decides what a new base says of the operator: flags before package.json, package.json before a person's answers, those
 * before proposals.
 * @throws OpSdkError with every flag that is wrong and every answer that nobody gives
 */
export async function decideDescription(sources: DescriptionSources): Promise<OperatorDescription> {
  const { questions, declared, proposed, ask, problems = [] } = sources;
  const findings = new FindingList();
  findings.add(...problems);
  const answers: Record<string, unknown> = { ...declared, ...readFlags(questions, sources.flags, findings) };
  // A person is not asked for the rest of what cannot be used anyway.
  if (ask !== undefined) findings.throwIfAny();
  for (const question of questions) {
    const { key, flag, required, read, write } = question;
    if (answers[key] !== undefined || sources.flags[key] !== undefined) continue;
    const proposal = proposed[key];
    if (ask === undefined) {
      if (proposal !== undefined) answers[key] = proposal;
      else if (required) findings.add(missing(question));
      continue;
    }
    const answer = await ask(question, proposal === undefined ? '' : write(proposal));
    if (answer.trim() !== '') answers[key] = read(answer);
    else if (required) findings.add(missingFlag(flag, `${flag} is missing`, `add ${flag}`));
  }
  findings.throwIfAny();
  return answers as unknown as OperatorDescription;
}

/**
 * The values of the flags, checked and read.
 * @param findings gets `cli/invalid-value` for each that does not fit
 */
export function readFlags(
  questions: readonly DescriptionQuestion[],
  flags: DescriptionSources['flags'],
  findings: FindingList,
): Partial<OperatorDescription> {
  const values: Record<string, unknown> = {};
  for (const { key, flag, check, read, placeholder } of questions) {
    const text = flags[key];
    if (text === undefined) continue;
    const problem = check(text);
    if (problem === undefined) {
      values[key] = read(text);
      continue;
    }
    findings.add(
      invalidFlag(
        flag,
        `${flag} is ${JSON.stringify(text)}: ${problem}`,
        `give a value such as ${flag} '${placeholder}'`,
      ),
    );
  }
  return values;
}

function missing({ flag, key, placeholder }: DescriptionQuestion): ReturnType<typeof missingFlag> {
  const path = key === 'provider' ? 'opsdk.provider.name' : `opsdk.${key}`;
  return missingFlag(
    flag,
    `${flag} is missing, and package.json has no ${path}`,
    `add ${flag}, such as ${flag} '${placeholder}'`,
    `or add ${path} to package.json`,
  );
}

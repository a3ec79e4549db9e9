import {
  offlineValidators,
  optionalValidators,
  validatorInfo,
  type ValidatorName,
} from '../../../olm/bundle/validate/rules/validators.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import { closestName } from '../../../base/util/closest-name.ts';
import { LabelSelectorError, labelsMatch, parseLabelSelector } from '../../../base/util/label-selector.ts';
import { invalidFlag } from '../input/flag-values.ts';

const flag = '--select-optional';

/**
 * The optional validators that a selector means: `all` (those that ask nobody but the bundle), names with commas between them, or a label selector over `name` and `suite`.
 * @throws OpSdkError `cli/invalid-value`
 */
export function readSelection(selector: string | undefined): readonly ValidatorName[] {
  if (selector === undefined || selector.trim() === '') return [];
  const words = selector.split(',').map((word) => word.trim());
  if (words.every((word) => /^[\w-]+$/.test(word))) return words.flatMap(named);
  const selected = matching(selector);
  if (selected.length === 0) throw refuse(`${JSON.stringify(selector)} selects no validator`, selectors);
  return selected;
}

const selectors = `write all, suite=operatorframework, or names: ${optionalValidators.join(', ')}`;

function named(word: string): readonly ValidatorName[] {
  if (word === 'all') return offlineValidators;
  const name = optionalValidators.find((known) => known === word);
  if (name !== undefined) return [name];
  const meant = closestName(word, optionalValidators);
  throw refuse(
    `unknown validator ${JSON.stringify(word)}`,
    meant === undefined ? selectors : `did you mean ${meant}?`,
  );
}

function matching(selector: string): readonly ValidatorName[] {
  try {
    const requirements = parseLabelSelector(selector);
    return optionalValidators.filter((name) => labelsMatch(requirements, labelsOf(name)));
  } catch (error) {
    if (!(error instanceof LabelSelectorError)) throw error;
    throw refuse(`${JSON.stringify(selector)} is not a label selector: ${error.message}`, selectors);
  }
}

/** Labels by which selectors select. */
export function labelsOf(name: ValidatorName): Readonly<Record<string, string>> {
  const { suite } = validatorInfo(name);
  return { name, ...(suite === undefined ? {} : { suite }) };
}

function refuse(message: string, fix: string): OpSdkError {
  return new OpSdkError(invalidFlag(flag, `${flag}: ${message}`, fix));
}

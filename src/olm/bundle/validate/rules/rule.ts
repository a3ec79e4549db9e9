import type { ExplainedCode, FindingCode } from '../../../../base/errors/index.ts';
import type { Complain, LoadedBundle, Settings } from '../types.ts';
import type { ValidatorName } from './validators.ts';

/** Level of a rule: `either` depends on the bundle or on the options. */
export type RuleLevel = 'error' | 'warning' | 'either';

/** A rule, with its title and explanation unless its code is explained in another room. */
export interface BundleRule extends Partial<ExplainedCode> {
  /** The validators that have it. A rule of several is one fault that each of them reports. */
  readonly validators: Readonly<Partial<Record<ValidatorName, RuleLevel>>>;
}

export type BundleRules = Readonly<Partial<Record<FindingCode, BundleRule>>>;

/** The codes that a validator may report, but for those that it reports at another level only. */
type CodesOfValidator<R, V extends ValidatorName, Other extends RuleLevel> = {
  [C in keyof R]: R[C] extends { readonly validators: Readonly<Record<V, infer L>> }
    ? [Exclude<L, Other>] extends [never]
      ? never
      : C
    : never;
}[keyof R] &
  FindingCode;

/** Takes what the checks of a validator find, and nothing that its rules do not have. */
export interface Report<R, V extends ValidatorName> {
  readonly error: Complain<CodesOfValidator<R, V, 'warning'>>;
  readonly warn: Complain<CodesOfValidator<R, V, 'error'>>;
}

/** A check of one rule, or of several about one thing. */
export type Check<R, V extends ValidatorName> = (
  bundle: LoadedBundle,
  report: Report<R, V>,
  settings: Settings,
) => void | Promise<void>;

/** The rules about one subject, and the checks of each validator that report them, in the order in which they run. */
export interface RuleModule<R extends BundleRules, Known> {
  readonly rules: R;
  readonly checks: { readonly [V in ValidatorName]?: readonly Check<Known, V>[] };
}

/** @param checks may report `rules`, and the rules of several modules that `Known` adds */
export function ruleModule<const R extends BundleRules, Known>(
  rules: R,
  checks: RuleModule<R, Known>['checks'],
): RuleModule<R, Known> {
  return { rules, checks };
}

import type { ExplainedCode, FindingCode } from '../../../../base/errors/index.ts';
import type { Complain, LoadedBundle, Settings } from '../types.ts';
import type { ValidatorName } from './validators.ts';

/** Level of a rule: `either` depends on the bundle or on the options. */
export type RuleLevel = 'error' | 'warning' | 'either';

/** A rule. It has a title and an explanation unless its code is explained elsewhere. */
export interface BundleRule extends Partial<ExplainedCode> {
  /** Validators that apply the rule. If several apply it, each of them reports the same fault. */
  readonly validators: Readonly<Partial<Record<ValidatorName, RuleLevel>>>;
}

export type BundleRules = Readonly<Partial<Record<FindingCode, BundleRule>>>;

/** Codes that a validator may report at one level; codes that it reports only at the level `Other` are excluded. */
type CodesOfValidator<R, V extends ValidatorName, Other extends RuleLevel> = {
  [C in keyof R]: R[C] extends { readonly validators: Readonly<Record<V, infer L>> }
    ? [Exclude<L, Other>] extends [never]
      ? never
      : C
    : never;
}[keyof R] &
  FindingCode;

/** Reports findings of a validator's checks. It accepts only codes of rules that belong to this validator. */
export interface Report<R, V extends ValidatorName> {
  readonly error: Complain<CodesOfValidator<R, V, 'warning'>>;
  readonly warn: Complain<CodesOfValidator<R, V, 'error'>>;
}

/** A check of one rule, or of several rules about one subject. */
export type Check<R, V extends ValidatorName> = (
  bundle: LoadedBundle,
  report: Report<R, V>,
  settings: Settings,
) => void | Promise<void>;

/** The rules about one subject, and the checks that report them. The checks are listed by validator, in the order in which they run. */
export interface RuleModule<R extends BundleRules, Known> {
  readonly rules: R;
  readonly checks: { readonly [V in ValidatorName]?: readonly Check<Known, V>[] };
}

/**
 * Combines rules and checks into a module.
 * @param checks may report `rules`, and the rules of other modules that `Known` includes
 */
export function ruleModule<const R extends BundleRules, Known>(
  rules: R,
  checks: RuleModule<R, Known>['checks'],
): RuleModule<R, Known> {
  return { rules, checks };
}

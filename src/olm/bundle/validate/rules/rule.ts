import type { ExplainedCode, FindingCode } from '../../../../base/errors/index.ts';
import type { Complain, LoadedBundle, Settings } from '../types.ts';
import type { ValidatorName } from './validators.ts';

/** Level of a rule. `either` means that the level depends on the bundle or on the options. */
export type RuleLevel = 'error' | 'warning' | 'either';

/** A rule for bundles. It has a title and an explanation, unless the code of the rule is explained elsewhere. */
export interface BundleRule extends Partial<ExplainedCode> {
  /** Validators that apply the rule, each with its level. If several validators apply the rule, each of them reports the same problem. */
  readonly validators: Readonly<Partial<Record<ValidatorName, RuleLevel>>>;
}

export type BundleRules = Readonly<Partial<Record<FindingCode, BundleRule>>>;

/** Codes that validator `V` reports, without the codes that it reports only at the level `Other`. */
type CodesOfValidator<R, V extends ValidatorName, Other extends RuleLevel> = {
  [C in keyof R]: R[C] extends { readonly validators: Readonly<Record<V, infer L>> }
    ? [Exclude<L, Other>] extends [never]
      ? never
      : C
    : never;
}[keyof R] &
  FindingCode;

/** Reports findings of a validator's checks. Accepts only codes of rules that belong to this validator. */
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

/** Rules about one subject, and the checks that report them. `checks` lists the checks of each validator in the order in which they run. */
export interface RuleModule<R extends BundleRules, Known> {
  readonly rules: R;
  readonly checks: { readonly [V in ValidatorName]?: readonly Check<Known, V>[] };
}

/**
 * Combines rules and checks into a module.
 * @param checks checks that may report `rules`, and also the rules of other modules that `Known` includes
 */
export function ruleModule<const R extends BundleRules, Known>(
  rules: R,
  checks: RuleModule<R, Known>['checks'],
): RuleModule<R, Known> {
  return { rules, checks };
}

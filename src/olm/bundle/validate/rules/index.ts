import type { ExplainedCode, FindingCode } from '../../../../base/errors/index.ts';
import type { AnyReport, LoadedBundle, Settings } from '../types.ts';
import { annotationRules } from './annotations.ts';
import { bundleRules } from './bundle.ts';
import { contentRules } from './content.ts';
import { csvRules } from './csv.ts';
import { definitionRules } from './definitions.ts';
import { deploymentRules } from './deployments.ts';
import { dockerfileRules } from './dockerfile.ts';
import { exampleRules } from './examples.ts';
import { fileRules } from './files.ts';
import { practiceRules } from './good-practices.ts';
import { harmRules } from './harmful-objects.ts';
import { hubRules } from './hub.ts';
import { objectRules } from './objects.ts';
import { openshiftRules } from './openshift.ts';
import { platformRules } from './platforms.ts';
import type { BundleRule, RuleLevel } from './rule.ts';
import { sharedRules } from './shared.ts';
import { textRules } from './texts.ts';
import { validatorNames, type ValidatorName } from './validators.ts';
import { webhookRules } from './webhooks.ts';

/**
 * All rules. The checks of a validator run in this order. Finding codes, explanations and docs/validation-rules.md are derived from these
 * rules.
 */
const modules = [
  { rules: sharedRules, checks: {} },
  fileRules,
  objectRules,
  annotationRules,
  contentRules,
  bundleRules,
  exampleRules,
  csvRules,
  definitionRules,
  hubRules,
  practiceRules,
  openshiftRules,
  harmRules,
  platformRules,
  textRules,
  deploymentRules,
  webhookRules,
  dockerfileRules,
] as const;

type Explained<R> = R extends unknown
  ? { [C in keyof R]: R[C] extends { readonly title: string } ? C : never }[keyof R]
  : never;

const entries = modules.flatMap(({ rules }) => Object.entries<BundleRule>(rules));

/** Finding codes of `op-sdk bundle validate`. Other commands that read bundles also report some of these codes. */
export const validateCodes = Object.fromEntries(
  entries.flatMap(([code, { title, explain }]) =>
    title === undefined || explain === undefined ? [] : [[code, { title, explain }]],
  ),
) as Readonly<Record<Explained<(typeof modules)[number]['rules']>, ExplainedCode>>;

/** A rule together with one validator that applies it. */
export interface RuleOfValidator {
  readonly code: FindingCode;
  readonly validator: ValidatorName;
  readonly level: RuleLevel;
}

/** Returns every combination of a rule and a validator, sorted by validator and code. */
export function allRules(): readonly RuleOfValidator[] {
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return validatorNames.flatMap((validator) =>
    sorted.flatMap(([code, { validators }]) => {
      const level = validators[validator];
      return level === undefined ? [] : [{ code: code as FindingCode, validator, level }];
    }),
  );
}

type AnyCheck = (bundle: LoadedBundle, report: AnyReport, settings: Settings) => void | Promise<void>;

/** Returns the checks of a validator, in the order in which they run. */
export function checksOf(validator: ValidatorName): readonly AnyCheck[] {
  const all: readonly { readonly checks: { readonly [V in ValidatorName]?: readonly AnyCheck[] } }[] =
    modules;
  return all.flatMap(({ checks }) => checks[validator] ?? []);
}

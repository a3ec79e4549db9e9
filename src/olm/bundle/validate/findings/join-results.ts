import type { Finding } from '../../../../base/errors/index.ts';
import type { ValidatorName } from '../rules/validators.ts';
import type { BundleResult, Level } from './collect-findings.ts';

/** A finding for people: once, with all validators that have it. */
export interface JoinedFinding extends Finding {
  readonly level: Level;
  readonly validators: readonly ValidatorName[];
}

/** Joins the results that say the same of the same place at the same level. */
export function joinResults(results: readonly BundleResult[]): readonly JoinedFinding[] {
  const joined = new Map<string, JoinedFinding & { readonly validators: ValidatorName[] }>();
  for (const { validator, rule, level, message, where, fix } of results) {
    const key = JSON.stringify([rule, level, message, where]);
    const known = joined.get(key);
    if (known === undefined)
      joined.set(key, {
        code: rule,
        message,
        level,
        validators: [validator],
        ...(where === undefined ? {} : { where }),
        ...(fix.length === 0 ? {} : { fix }),
      });
    else if (!known.validators.includes(validator)) known.validators.push(validator);
  }
  return [...joined.values()];
}

import type { ValidatorName } from '../../../olm/bundle/validate/rules/validators.ts';
import { validateBundle, type BundleVerdict } from '../../../olm/bundle/index.ts';
import { FindingList } from '../../../base/errors/index.ts';

/**
 * Validates bundles, one after the other: all of an operator's versions may be a few hundred megabytes at once.
 * @param optional validators that run beside the default ones
 * @throws OpSdkError `bundle/not-a-folder`, for all of them
 */
export async function judgeAll(
  cwd: string,
  dirs: readonly string[],
  optional: readonly ValidatorName[] = [],
): Promise<readonly BundleVerdict[]> {
  const findings = new FindingList();
  const verdicts: BundleVerdict[] = [];
  for (const dir of dirs) {
    const verdict = await findings.gather(() => validateBundle(dir, { cwd, optional }));
    if (verdict !== undefined) verdicts.push(verdict);
  }
  findings.throwIfAny();
  return verdicts;
}

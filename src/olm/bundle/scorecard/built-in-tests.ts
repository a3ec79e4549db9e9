import { posix } from 'node:path';
import type { BundleVerdict } from '../validate/validate-bundle.ts';
import type { ConfiguredTest } from './configuration.ts';
import type { Judgement, TestResult } from './test-result.ts';
import { bundleValidation, unreadableBecause } from './tests/bundle-validation.ts';
import { checkSpec } from './tests/check-spec.ts';
import { crdsHaveResources } from './tests/crds-have-resources.ts';
import { crdsHaveValidation } from './tests/crds-have-validation.ts';
import { specDescriptors, statusDescriptors } from './tests/descriptors.ts';
import type { ManifestTest } from './tests/subject.ts';

/** The tests that read the manifests, by their names in entrypoints. */
const manifestTests: Readonly<Record<string, ManifestTest>> = {
  'basic-check-spec': checkSpec,
  'olm-crds-have-validation': crdsHaveValidation,
  'olm-crds-have-resources': crdsHaveResources,
  'olm-spec-descriptors': specDescriptors,
  'olm-status-descriptors': statusDescriptors,
};

/** The tests in operator-sdk's image `scorecard-test`. Source: operator-sdk `images/scorecard-test/main.go`. */
export const builtInTests: readonly string[] = [...Object.keys(manifestTests), 'olm-bundle-validation'];

/**
 * The name of the test in operator-sdk's image that an entrypoint runs; it may be none that exists. The image itself does not count:
 * many clusters have it under a name of their own. Undefined for programs of others.
 */
export function builtInName({ entrypoint }: ConfiguredTest): string | undefined {
  const [program = '', name = ''] = entrypoint;
  return posix.basename(program) === 'scorecard-test' ? name : undefined;
}

/** Runs a built-in test. @param name one of {@link builtInTests} */
export function runBuiltIn(name: string, verdict: Pick<BundleVerdict, 'results' | 'bundle'>): TestResult {
  const { log, ...judgement } = judge(name, verdict);
  return { name, ...judgement, log: log.map((line) => `${line}\n`).join('') };
}

function judge(name: string, { results, bundle }: Pick<BundleVerdict, 'results' | 'bundle'>): Judgement {
  const test = manifestTests[name];
  if (test === undefined) return bundleValidation(results);
  const unreadable = unreadableBecause(results);
  const csv = bundle?.csv;
  if (bundle === undefined || csv === undefined || unreadable.length > 0)
    return { state: 'fail', log: ['the bundle cannot be read'], errors: unreadable, suggestions: [] };
  return test({ csv, crds: bundle.crds });
}

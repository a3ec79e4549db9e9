import { fieldAt } from './fields.ts';
import { asText } from '../../../base/util/json-map.ts';
import { isSemver } from './semver.ts';
import type { BundleObject, Complain } from './types.ts';

interface VersionReport {
  readonly error: Complain<'bundle/invalid-version'>;
  readonly warn: Complain<'bundle/no-min-kube-version'>;
}

/** `spec.minKubeVersion` as Go reads it: numbers become texts. */
export function minKubeVersionOf(csv: BundleObject): string {
  return asText(fieldAt(csv.value, 'spec', 'minKubeVersion'));
}

/** Reports faults of `spec.minKubeVersion`, for several validators. */
export function reportMinKubeVersion(csv: BundleObject, { error, warn }: VersionReport): void {
  const least = minKubeVersionOf(csv);
  if (least.trim() === '') {
    warn(
      'bundle/no-min-kube-version',
      [csv, ['spec']],
      'spec.minKubeVersion is missing, so OLM installs the operator on a Kubernetes of any age',
      'write the oldest version that it works on, such as 1.32.0',
    );
  } else if (!isSemver(least)) {
    const message = `spec.minKubeVersion ${JSON.stringify(least)} is not a semantic version`;
    const fix = /^\d+\.\d+$/.test(least) ? `write ${least}.0` : 'write three numbers, such as 1.32.0';
    error('bundle/invalid-version', [csv, ['spec', 'minKubeVersion']], message, fix);
  }
}

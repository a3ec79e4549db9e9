import { asText } from '../../../base/util/json-map.ts';
import { fieldAt, listOf, mapOf, textOf } from './fields.ts';
import { isSemver } from './semver.ts';
import type { BundleObject, Complain, FieldPath } from './types.ts';

export const installModesPath = ['spec', 'installModes'] as const;

/** An entry of `spec.installModes`. */
interface InstallMode {
  readonly type: string;
  readonly supported: boolean;
}

/** Returns the entries of `spec.installModes`. */
export function installModesOf(csv: BundleObject): readonly InstallMode[] {
  return listOf(fieldAt(csv.value, ...installModesPath))
    .map(mapOf)
    .map(({ type, supported }) => ({ type: textOf(type), supported: supported === true }));
}

/** Returns the types of all supported install modes. */
export function supportedModes(csv: BundleObject): readonly string[] {
  return installModesOf(csv)
    .filter(({ supported }) => supported)
    .map(({ type }) => type);
}

/** Path of the list of deployments in a ClusterServiceVersion. */
export const deploymentsPath = ['spec', 'install', 'spec', 'deployments'] as const;

/** An entry of `spec.install.spec.deployments` of a ClusterServiceVersion. */
export interface CsvDeployment {
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly path: FieldPath;
}

/** Returns the entries of `spec.install.spec.deployments`. */
export function csvDeployments(csv: BundleObject): readonly CsvDeployment[] {
  return listOf(fieldAt(csv.value, ...deploymentsPath)).map((entry, index) => {
    const { name, spec } = mapOf(entry);
    return { name: textOf(name), spec: mapOf(spec), path: [...deploymentsPath, index] };
  });
}

/** Returns the name of the ServiceAccount for the Pods of a deployment; `''` if the deployment uses the default ServiceAccount. */
export function serviceAccountOf({ spec }: CsvDeployment): string {
  return textOf(fieldAt(spec, 'template', 'spec', 'serviceAccountName'));
}

interface VersionReport {
  readonly error: Complain<'bundle/invalid-version'>;
  readonly warn: Complain<'bundle/no-min-kube-version'>;
}

/** Returns `spec.minKubeVersion` as Go reads it; a number becomes a text. */
export function minKubeVersionOf(csv: BundleObject): string {
  return asText(fieldAt(csv.value, 'spec', 'minKubeVersion'));
}

/** Reports problems of `spec.minKubeVersion`. Several validators use this check. */
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

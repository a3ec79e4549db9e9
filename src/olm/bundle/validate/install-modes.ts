import { fieldAt, listOf, mapOf, textOf } from './fields.ts';
import type { BundleObject } from './types.ts';

export const installModesPath = ['spec', 'installModes'] as const;

/** An entry of `spec.installModes`. */
export interface InstallMode {
  readonly type: string;
  readonly supported: boolean;
}

/** `spec.installModes`. */
export function installModesOf(csv: BundleObject): readonly InstallMode[] {
  return listOf(fieldAt(csv.value, ...installModesPath))
    .map(mapOf)
    .map(({ type, supported }) => ({ type: textOf(type), supported: supported === true }));
}

/** The types of the install modes that are supported. */
export function supportedModes(csv: BundleObject): readonly string[] {
  return installModesOf(csv)
    .filter(({ supported }) => supported)
    .map(({ type }) => type);
}

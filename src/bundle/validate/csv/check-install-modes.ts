import { fieldAt, listOf, mapOf, textOf } from '../fields.ts';
import type { BundleObject, Check } from '../types.ts';

const known = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'];
const path = ['spec', 'installModes'] as const;

/**
 * `spec.installModes`: at least one that is supported, each once.
 * Source: operator-framework/api `pkg/validation/internal/csv.go` `validateInstallModes`.
 */
export const checkInstallModes: Check = ({ csv }, { error }) => {
  if (csv === undefined) return;
  const modes = listOf(fieldAt(csv.value, ...path)).map((entry) => textOf(mapOf(entry)['type']));
  if (modes.length === 0) {
    const message = 'spec.installModes is missing, so OLM cannot install the operator anywhere';
    error('bundle/install-modes', [csv, ['spec']], message, 'write {type: AllNamespaces, supported: true}');
    return;
  }
  for (const [index, mode] of modes.entries()) {
    if (mode !== '' && !known.includes(mode)) {
      const message = `unknown install mode ${mode}; expected one of ${known.join(', ')}`;
      error('bundle/install-modes', [csv, [...path, index, 'type']], message, 'correct its name');
    } else if (mode !== '' && modes.indexOf(mode) < index) {
      const message = `the install mode ${mode} is listed twice`;
      error('bundle/install-modes', [csv, [...path, index, 'type']], message, 'remove one of the two');
    }
  }
  if (supportedModes(csv).length > 0) return;
  const message = 'no install mode is supported, so OLM cannot install the operator anywhere';
  error('bundle/install-modes', [csv, path], message, 'write supported: true for one of them');
};

/** The types of the install modes that are supported. */
export function supportedModes(csv: BundleObject): readonly string[] {
  return listOf(fieldAt(csv.value, ...path))
    .map(mapOf)
    .filter(({ supported }) => supported === true)
    .map(({ type }) => textOf(type));
}

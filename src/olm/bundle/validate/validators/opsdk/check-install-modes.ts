import { installModesOf, installModesPath } from '../../install-modes.ts';
import type { Check } from '../../types.ts';

const known = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'];

/** Install modes that the CRD of ClusterServiceVersions refuses, or of which one is lost. */
export const checkModes: Check<'opsdk'> = ({ csv }, { error }) => {
  if (csv === undefined) return;
  const modes = installModesOf(csv).map(({ type }) => type);
  for (const [index, mode] of modes.entries()) {
    const place = [csv, [...installModesPath, index, 'type']] as const;
    if (mode !== '' && !known.includes(mode)) {
      const message = `unknown install mode ${mode}; expected one of ${known.join(', ')}`;
      error('bundle/install-modes', place, message, 'correct its name');
    } else if (mode !== '' && modes.indexOf(mode) < index) {
      const message = `the install mode ${mode} is listed twice`;
      error('bundle/install-modes', place, message, 'remove one of the two');
    }
  }
};

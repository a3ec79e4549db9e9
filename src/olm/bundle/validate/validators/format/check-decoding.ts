import { fieldAt } from '../../fields.ts';
import { judgeDefinition } from '../../crd-violations.ts';
import { parseTolerantVersion } from '../../semver.ts';
import { isRelease } from '../../semver.ts';
import { shapeProblems } from '../../csv-shape/shape-problems.ts';
import type { Check } from '../../types.ts';

/** Values that Go cannot read into its types: nobody sees the bundle then. Source: operator-framework/api `bundleloader.go` `loadBundle`. */
export const checkDecoding: Check<'format'> = ({ csv, crds }, { error }) => {
  for (const crd of crds)
    for (const { path, message, fix } of judgeDefinition(crd).undecodable)
      error('crd/form', [crd, path], message, fix);
  if (csv === undefined) return;
  for (const { path, message, fix, isReadable } of shapeProblems(csv))
    if (!isReadable) error('bundle/invalid-field', [csv, path], message, fix);
  const version = fieldAt(csv.value, 'spec', 'version');
  if (typeof version === 'string' && parseTolerantVersion(version) === undefined) {
    const message = `spec.version ${JSON.stringify(version)} is not a semantic version`;
    error(
      'bundle/invalid-version',
      [csv, ['spec', 'version']],
      message,
      'write three numbers, such as 0.1.0, without v',
    );
  }
  const release = fieldAt(csv.value, 'spec', 'release');
  if (typeof release === 'string' && !isRelease(release)) {
    const message = `spec.release ${JSON.stringify(release)} is not valid: identifiers with dots between them`;
    error('bundle/invalid-version', [csv, ['spec', 'release']], message, 'write a number, such as 1');
  }
};

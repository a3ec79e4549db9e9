import { fieldAt, textOf } from '../../fields.ts';
import { shapeProblems } from '../../csv-shape/shape-problems.ts';
import { csvNameProblem } from '../../name-rules.ts';
import { isSemver } from '../../semver.ts';
import type { BundleObject, Check, Report } from '../../types.ts';

/** The fields of the ClusterServiceVersion that OLM would drop or the API server refuses, and its version. */
export const checkShape: Check<'opsdk'> = ({ csv: read, objects }, report) => {
  // The object itself: fields in another case are read by Go, and dropped by the API server.
  const csv = read === undefined ? undefined : objects.find(({ file }) => file === read.file);
  if (csv === undefined) return;
  for (const { kind, path, message, fix, isReadable } of shapeProblems(csv)) {
    if (!isReadable) continue;
    if (kind === 'unknown') report.warn('bundle/unknown-field', [csv, path], message, fix);
    else if (kind === 'type') report.warn('bundle/invalid-field', [csv, path], message, fix);
    // The API server wants the field, and takes an empty one.
    else if (kind === 'empty') report.warn('bundle/missing-field', [csv, path], message, fix);
    else report.error('bundle/missing-field', [csv, path], message, fix);
  }
  checkVersions(csv, report);
  for (const [index, name] of skipsOf(csv).entries()) {
    const problem = csvNameProblem(name);
    if (problem === undefined) continue;
    const message = `spec.skips names ${JSON.stringify(name)}, which is not the name of a ClusterServiceVersion: ${problem}`;
    report.error('bundle/invalid-csv-name', [csv, ['spec', 'skips', index]], message, 'correct the name');
  }
  if (csv.apiVersion !== '' && csv.apiVersion !== 'operators.coreos.com/v1alpha1') {
    const message = `the ClusterServiceVersion has the apiVersion ${csv.apiVersion}, which OLM does not have`;
    report.warn(
      'bundle/kind-not-supported',
      [csv, ['apiVersion']],
      message,
      'write operators.coreos.com/v1alpha1',
    );
  }
};

function skipsOf(csv: BundleObject): readonly string[] {
  const skips = fieldAt(csv.value, 'spec', 'skips');
  return Array.isArray(skips) ? skips.map(textOf).filter((name) => name !== '') : [];
}

function checkVersions(csv: BundleObject, { error }: Report<'opsdk'>): void {
  const version = fieldAt(csv.value, 'spec', 'version');
  if (version === undefined || version === null) {
    const message = 'spec.version is missing; catalogs order the versions of an operator by it';
    error('bundle/missing-field', [csv, ['spec']], message, 'write spec.version, such as 0.1.0');
  } else if (typeof version === 'string' && version !== '' && !isSemver(version)) {
    const message = `spec.version ${JSON.stringify(version)} is not a semantic version`;
    const fix = 'write three numbers, such as 0.1.0, without v';
    error('bundle/invalid-version', [csv, ['spec', 'version']], message, fix);
  }
  const release = textOf(fieldAt(csv.value, 'spec', 'release'));
  if (release.length > MOST_OF_RELEASE) {
    const message = `spec.release has ${release.length} characters; ${MOST_OF_RELEASE} are allowed`;
    error('bundle/invalid-version', [csv, ['spec', 'release']], message, 'write a number, such as 1');
  }
}

/** Source: operator-framework/api `pkg/lib/release`, of the CRD. */
const MOST_OF_RELEASE = 20;

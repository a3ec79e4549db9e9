import { fieldAt, textOf } from '../../fields.ts';
import { csvNameProblem } from '../../name-rules.ts';
import { reportMinKubeVersion } from '../../min-kube-version.ts';
import type { BundleObject, Check, FieldPath, Report } from '../../types.ts';

/** `metadata.name` and `spec.replaces`. Source: operator-framework/api `csv.go` `parseCSVNameFormat`. */
export const checkCsvNames: Check<'csv'> = ({ csv }, report) => {
  if (csv === undefined) return;
  checkName(csv, ['metadata', 'name'], csv.name, report);
  const replaces = textOf(fieldAt(csv.value, 'spec', 'replaces'));
  if (replaces !== '') checkName(csv, ['spec', 'replaces'], replaces, report);
};

function checkName(csv: BundleObject, path: FieldPath, name: string, { error }: Report<'csv'>): void {
  const problem = csvNameProblem(name);
  if (problem === undefined) return;
  const message = `${path.join('.')} ${JSON.stringify(name)} is not valid: ${problem}`;
  error('bundle/invalid-csv-name', [csv, path], message, 'write <package>.v<version>, at most 63 characters');
}

/** Source: operator-framework/api `csv.go` `validateVersionKind`. */
export const checkApiVersion: Check<'csv'> = ({ csv }, { error }) => {
  if (csv === undefined) return;
  const [group, version, more] = csv.apiVersion.split('/');
  const isGiven = more === undefined && (version ?? group) !== '';
  if (isGiven) return;
  const message = `the ClusterServiceVersion has the apiVersion ${JSON.stringify(csv.apiVersion)}, which names no version`;
  error('bundle/missing-field', [csv, ['apiVersion']], message, 'write operators.coreos.com/v1alpha1');
};

/** `spec.minKubeVersion`. Source: operator-framework/api `csv.go` `validateMinKubeVersion`. */
export const checkMinKubeVersion: Check<'csv'> = ({ csv }, report) => {
  if (csv !== undefined) reportMinKubeVersion(csv, report);
};

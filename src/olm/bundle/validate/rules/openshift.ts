import type { BundleObject, Settings } from '../types.ts';
import { usesOf122 } from '../removed-apis.ts';
import { annotationText } from '../annotations.ts';
import { fieldAt } from '../fields.ts';
import { isJsonMap } from '../../../../base/util/json-map.ts';
import { isAtLeast, parseTolerantVersion, type VersionNumbers } from '../semver.ts';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errnoOf, errnoText } from '../../../../base/util/fs.ts';
import { ruleModule, type BundleRules, type Check, type Report } from './rule.ts';
import type { SharedRules } from './shared.ts';

const rules = {
  'bundle/openshift-version': {
    validators: { community: 'either' },
    title: 'The bundle does not say up to which OpenShift it works',
    explain:
      'A bundle that uses APIs which Kubernetes 1.22 removed cannot be installed on OpenShift 4.9. The property olm.maxOpenShiftVersion, in the annotation olm.properties, keeps OpenShift from an upgrade while the operator is installed.',
  },
  'bundle/openshift-label': {
    validators: { community: 'either' },
    title: 'The index image does not say for which OpenShift the bundle is',
    explain:
      'The label com.redhat.openshift.versions of the Dockerfile that index-path names gives the versions of OpenShift that the bundle is distributed for; with APIs that Kubernetes 1.22 removed they end at 4.8.',
  },
} as const satisfies BundleRules;

type Rules = typeof rules & SharedRules;

/** First OpenShift version that lacks the APIs removed in Kubernetes 1.22. */
const firstWithout: VersionNumbers = { major: 4, minor: 9, patch: 0, isPrerelease: false };

const property = 'olm.maxOpenShiftVersion';

const label = 'com.redhat.openshift.versions';

/**
 * Checks a bundle that uses APIs which Kubernetes 1.22 removed: it must declare the OpenShift versions on which it can be installed.
 * Source: operator-framework/api `community.go`.
 */
const checkOpenShift: Check<Rules, 'community'> = async (bundle, report, settings) => {
  const { csv } = bundle;
  const uses = usesOf122(bundle).map(({ kind, name }) => `${kind} ${name}`);
  if (csv === undefined || uses.length === 0) return;
  const names = uses.join(', ');
  const refused = checkMaxVersion(csv, names, report, settings);
  await checkLabel(csv, names, refused, report, settings);
};

/**
 * Checks the maximum OpenShift version that the ClusterServiceVersion declares.
 * @returns the number of errors
 */
function checkMaxVersion(
  csv: BundleObject,
  names: string,
  { error, warn }: Report<Rules, 'community'>,
  { indexPath }: Settings,
): number {
  const path = ['metadata', 'annotations', 'olm.properties'];
  const place = [csv, path] as const;
  const example = `write olm.properties: '[{"type": "${property}", "value": "4.8"}]', or migrate the APIs`;
  const refuse = (message: string): number => {
    error('bundle/openshift-version', place, message, example);
    return 1;
  };
  const text = annotationText(fieldAt(csv.value, ...path)) ?? '';
  if (text === '')
    return refuse(`the bundle uses APIs that OpenShift 4.9 does not have (${names}), and no ${property}`);
  const properties = parse(text);
  if (properties === undefined)
    return refuse('the annotation olm.properties is not a list of types and values');
  const found = properties.find(({ type }) => type === property);
  if (found === undefined)
    return refuse(`the annotation olm.properties has no ${property}, which ${names} need`);
  const version = parseTolerantVersion(found.value);
  if (version === undefined) return refuse(`${property} ${JSON.stringify(found.value)} is not a version`);
  if (version.patch > 0 || version.isPrerelease) {
    const message = `${property} is ${found.value}; only its first two numbers count`;
    // Without the option `index-path`, do not warn here, because a single warning that the option is missing replaces all other warnings.
    if (indexPath !== '')
      warn('bundle/openshift-version', place, message, `write ${version.major}.${version.minor}`);
    return 0;
  }
  return isAtLeast(version, firstWithout)
    ? refuse(`${property} is ${found.value}; OpenShift has ${names} up to 4.8`)
    : 0;
}

function parse(text: string): readonly { readonly type: string; readonly value: string }[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    if (list === null) return [];
    if (!Array.isArray(list)) return undefined;
    const entries = list.map((item: unknown) =>
      isJsonMap(item) ? { type: item['type'] ?? '', value: item['value'] ?? '' } : undefined,
    );
    return entries.every(isProperty) ? entries : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isProperty(
  entry: { type: unknown; value: unknown } | undefined,
): entry is { type: string; value: string } {
  return typeof entry?.type === 'string' && typeof entry.value === 'string';
}

/** Checks the label `com.redhat.openshift.versions` in the file that the option `index-path` names. */
async function checkLabel(
  csv: BundleObject,
  names: string,
  refused: number,
  { error, warn }: Report<Rules, 'community'>,
  { indexPath, cwd }: Settings,
): Promise<void> {
  const place = [csv, ['metadata', 'annotations']] as const;
  const fix = `write LABEL ${label}="v4.6-v4.8", or migrate the APIs`;
  if (indexPath === '') {
    const message = `the bundle uses APIs that OpenShift 4.9 does not have (${names}), and index-path names no Dockerfile with the label ${label}`;
    const say = 'give --optional-values index-path=bundle.Dockerfile';
    warn('bundle/openshift-label', place, message, say);
    // After the errors, repeat each of them as a warning, like operator-framework's validator.
    for (let index = 0; index < refused; index++)
      warn('bundle/openshift-label', place, `${message}; this repeats the error`, say);
    return;
  }
  const text = await readLabels(resolve(cwd, indexPath));
  const problem = typeof text === 'string' ? labelProblem(text) : text.problem;
  if (problem !== undefined)
    error('bundle/openshift-label', { file: indexPath }, `${indexPath}: ${problem}`, fix);
}

async function readLabels(path: string): Promise<string | { readonly problem: string }> {
  try {
    // Refuse anything but a file, because reading a pipe would never end.
    if (!(await stat(path)).isFile()) return { problem: 'it is not a file' };
    return await readFile(path, 'utf8');
  } catch (error) {
    return { problem: errnoOf(error) === 'ENOENT' ? 'it does not exist' : errnoText(error) };
  }
}

/**
 * Checks the first line that contains the label. In the label, `=4.6` means one version, `4.6` means this version and all later versions,
 * and `4.6-4.8` means a range.
 */
function labelProblem(text: string): string | undefined {
  const line = text.split('\n').find((candidate) => candidate.includes(label));
  if (line === undefined) return `it has no label ${label}`;
  if (!line.includes('=')) return `the line ${JSON.stringify(line)} gives ${label} no value`;
  const [, second = '', third = ''] = line.split('=').map((part) => part.replace(/['"v]/g, ''));
  if (line.split('=').length > 2 && (line.split('=')[2] ?? '') !== '') return versionProblem(third);
  if (second.length < 2) return `${label} has no range`;
  const [, end] = second.split('-');
  return end === undefined
    ? `${label} allows ${second} and all that follow, 4.9 among them`
    : versionProblem(end);
}

function versionProblem(text: string): string | undefined {
  const version = parseTolerantVersion(text);
  if (version === undefined) return `${JSON.stringify(text)} of ${label} is not a version`;
  return isAtLeast(version, firstWithout)
    ? `${label} allows ${text}; OpenShift has the APIs up to 4.8`
    : undefined;
}

export const openshiftRules = ruleModule<typeof rules, Rules>(rules, { community: [checkOpenShift] });

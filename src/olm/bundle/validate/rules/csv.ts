import type { BundleObject, FieldPath } from '../types.ts';
import { reportAnnotationNames } from '../annotations.ts';
import { olmV1Problems } from '../../olm-v1.ts';
import { csvNameProblem } from '../owned-kinds.ts';
import { judgeDefinition } from '../crd-violations.ts';
import { reportMinKubeVersion, installModesOf, installModesPath } from '../csv-fields.ts';
import { fieldAt, listOf, mapOf, textOf, fieldName } from '../fields.ts';
import { parseTolerantVersion, isRelease, isSemver } from '../semver.ts';
import { shapeProblems } from '../csv-shape/shape-problems.ts';
import { isJsonMap } from '../../../../base/util/json-map.ts';
import { ruleModule, type BundleRules, type Check, type Report } from './rule.ts';
import type { DefinitionRules } from './definitions.ts';
import type { SharedRules } from './shared.ts';

const rules = {
  'bundle/install-modes': {
    validators: { csv: 'error', opsdk: 'error' },
    title: 'The install modes are not valid',
    explain:
      'spec.installModes says which namespaces the operator can watch: OwnNamespace, SingleNamespace, MultiNamespace, AllNamespaces, each once, at least one of them supported.',
  },
  'bundle/unknown-field': {
    validators: { opsdk: 'warning' },
    title: 'The ClusterServiceVersion has a field that OLM does not know',
    explain: 'OLM drops it silently. Usually the field is misspelt or at the wrong level.',
  },
  'bundle/not-for-olm-v1': {
    validators: { opsdk: 'warning' },
    title: 'OLM v1 would refuse the bundle',
    explain:
      'A warning. A ClusterExtension of OLM v1 installs operators that watch all namespaces, bring their kinds as CustomResourceDefinitions, and depend on no other package or kind. Bundles that differ are installed by OLM v0 only. Webhooks are possible where cert-manager is installed.',
  },
} as const satisfies BundleRules;

type Rules = typeof rules & SharedRules & Pick<DefinitionRules, 'crd/form'>;

/** Checks the names in `metadata.name` and `spec.replaces`. Source: operator-framework/api `csv.go` `parseCSVNameFormat`. */
const checkCsvNames: Check<Rules, 'csv'> = ({ csv }, report) => {
  if (csv === undefined) return;
  checkName(csv, ['metadata', 'name'], csv.name, report);
  const replaces = textOf(fieldAt(csv.value, 'spec', 'replaces'));
  if (replaces !== '') checkName(csv, ['spec', 'replaces'], replaces, report);
};

function checkName(csv: BundleObject, path: FieldPath, name: string, { error }: Report<Rules, 'csv'>): void {
  const problem = csvNameProblem(name);
  if (problem === undefined) return;
  const message = `${path.join('.')} ${JSON.stringify(name)} is not valid: ${problem}`;
  error('bundle/invalid-csv-name', [csv, path], message, 'write <package>.v<version>, at most 63 characters');
}

/** Checks the apiVersion of the ClusterServiceVersion. Source: operator-framework/api `csv.go` `validateVersionKind`. */
const checkApiVersion: Check<Rules, 'csv'> = ({ csv }, { error }) => {
  if (csv === undefined) return;
  const [group, version, more] = csv.apiVersion.split('/');
  const isGiven = more === undefined && (version ?? group) !== '';
  if (isGiven) return;
  const message = `the ClusterServiceVersion has the apiVersion ${JSON.stringify(csv.apiVersion)}, which names no version`;
  error('bundle/missing-field', [csv, ['apiVersion']], message, 'write operators.coreos.com/v1alpha1');
};

/** Checks `spec.minKubeVersion`. Source: operator-framework/api `csv.go` `validateMinKubeVersion`. */
const checkMinKubeVersion: Check<Rules, 'csv'> = ({ csv }, report) => {
  if (csv !== undefined) reportMinKubeVersion(csv, report);
};

/**
 * Checks `spec.installModes`. At least one mode must be supported; with conversion webhooks, only AllNamespaces may be supported. Source:
 * operator-framework/api `csv.go` `validateInstallModes`.
 */
const checkInstallModes: Check<Rules, 'csv'> = ({ csv }, { error }) => {
  if (csv === undefined) return;
  const modes = installModesOf(csv);
  if (modes.length === 0) {
    const message = 'spec.installModes is missing, so OLM cannot install the operator anywhere';
    error('bundle/install-modes', [csv, ['spec']], message, 'write {type: AllNamespaces, supported: true}');
    return;
  }
  if (!modes.some(({ supported }) => supported)) {
    const message = 'no install mode is supported, so OLM cannot install the operator anywhere';
    error('bundle/install-modes', [csv, installModesPath], message, 'write supported: true for one of them');
  }
  const isOnlyAll = modes.every(({ type, supported }) => supported === (type === 'AllNamespaces'));
  const webhooks = ['spec', 'webhookdefinitions'] as const;
  for (const [index, entry] of listOf(fieldAt(csv.value, ...webhooks)).entries()) {
    const { generateName, conversionCRDs } = mapOf(entry);
    if (isOnlyAll || listOf(conversionCRDs).length === 0) continue;
    error(
      'bundle/conversion-webhook',
      [csv, [...webhooks, index]],
      `the webhook ${textOf(generateName)} converts objects of all namespaces, so AllNamespaces must be the only supported install mode, and it is not`,
      'support the install mode AllNamespaces only',
    );
  }
};

/**
 * Reports values that Go cannot decode. Such values make the bundle unreadable to every tool that is written in Go. Source:
 * operator-framework/api `bundleloader.go` `loadBundle`.
 */
const checkDecoding: Check<Rules, 'format'> = ({ csv, crds }, { error }) => {
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
    const message = `spec.release ${JSON.stringify(release)} is not valid: expected identifiers with dots between them`;
    error('bundle/invalid-version', [csv, ['spec', 'release']], message, 'write a number, such as 1');
  }
};

const known = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'];

/**
 * Reports install modes that the CRD of ClusterServiceVersions does not allow. Also reports duplicate modes, because one of the duplicates
 * would be lost.
 */
const checkModes: Check<Rules, 'opsdk'> = ({ csv }, { error }) => {
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

/**
 * Reports the parts of a bundle that OLM v0 accepts but OLM v1 refuses. The reports are only warnings, because an operator may be intended
 * for OLM v0 alone.
 */
const checkOlmV1: Check<Rules, 'opsdk'> = ({ csv, dependencies, properties }, { warn }) => {
  if (csv === undefined) return;
  const documents = { csv, dependencies, properties };
  const problems = olmV1Problems({
    csv: csv.value,
    dependencies: dependencies?.value,
    properties: properties?.value,
  });
  for (const { document, path, message, fix } of problems)
    warn('bundle/not-for-olm-v1', [documents[document] ?? csv, path], message, ...fix);
};

/**
 * Checks the names of annotations in the ClusterServiceVersion. Source: operator-framework/api `annotations.go` `ValidateAnnotationNames`.
 */
const checkAnnotationNames: Check<Rules, 'csv'> = ({ csv }, report) => {
  if (csv !== undefined) reportAnnotationNames(csv, report);
};

/**
 * Checks that the required fields outside lists are present and not empty. Source: operator-framework/api `typecheck.go`
 * `checkEmptyFields`, over `v1alpha1.ClusterServiceVersion`.
 */
const checkRequiredFields: Check<Rules, 'csv'> = ({ csv }, { error }) => {
  if (csv === undefined) return;
  for (const path of missingFields(csv)) {
    const message = `${fieldName(path)} is missing or empty`;
    error('bundle/missing-field', [csv, path], message, `write ${String(path.at(-1))}`);
  }
};

function missingFields({ value }: BundleObject): readonly FieldPath[] {
  const { spec } = value;
  if (!isJsonMap(spec) || isZero(spec)) return [['spec']];
  const { install, displayName } = spec;
  const missing: FieldPath[] = [];
  if (!isJsonMap(install) || isZero(install)) missing.push(['spec', 'install']);
  else {
    if (isZero(install['strategy'])) missing.push(['spec', 'install', 'strategy']);
    const strategy = install['spec'];
    // An empty list of deployments counts as present.
    if (isJsonMap(strategy) && !isZero(strategy) && !Array.isArray(strategy['deployments']))
      missing.push(['spec', 'install', 'spec', 'deployments']);
  }
  if (isZero(displayName)) missing.push(['spec', 'displayName']);
  return missing;
}

/** Returns true if Go reads a value as the zero value of its type. An empty list does not count as a zero value. */
function isZero(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return true;
  return isJsonMap(value) && Object.values(value).every(isZero);
}

/**
 * Checks the fields of the ClusterServiceVersion. Reports fields that OLM would drop or that the API server would refuse, and problems of
 * `spec.version`.
 */
const checkShape: Check<Rules, 'opsdk'> = ({ csv: read, objects }, report) => {
  // Check the original object, not the one with corrected field names. Go accepts field names in another case, but the API server drops
  // such fields.
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
    const message = `the ClusterServiceVersion has the apiVersion ${csv.apiVersion}, which OLM does not know`;
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

function checkVersions(csv: BundleObject, { error }: Report<Rules, 'opsdk'>): void {
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

/** Maximum length of `spec.release` in characters; the CRD sets the same limit. Source: operator-framework/api `pkg/lib/release`. */
const MOST_OF_RELEASE = 20;

export const csvRules = ruleModule<typeof rules, Rules>(rules, {
  format: [checkDecoding],
  csv: [
    checkCsvNames,
    checkInstallModes,
    checkMinKubeVersion,
    checkRequiredFields,
    checkAnnotationNames,
    checkApiVersion,
  ],
  opsdk: [checkShape, checkModes, checkOlmV1],
});

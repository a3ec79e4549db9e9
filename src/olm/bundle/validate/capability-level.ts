import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errnoText } from '../../../base/util/fs.ts';
import { asText } from '../../../base/util/json-map.ts';
import { fieldAt, mapOf, textsOf, listOf, textOf } from './fields.ts';
import { annotationText } from './annotations.ts';
import type { BundleObject, Complain, Settings, FieldPath } from './types.ts';
import { isSemver } from './semver.ts';

/** From the least to the most. */
export const capabilityLevels = [
  'Basic Install',
  'Seamless Upgrades',
  'Full Lifecycle',
  'Deep Insights',
  'Auto Pilot',
];

/** The annotation `capabilities`. Source: operator-framework/api `standardcapabilities.go`. */
export function reportCapabilities(
  csv: BundleObject,
  { error }: { readonly error: Complain<'bundle/capability-level'> },
): void {
  const annotations = mapOf(fieldAt(csv.value, 'metadata', 'annotations'));
  if (!('capabilities' in annotations)) return;
  const level = annotationText(annotations['capabilities']) ?? '';
  if (capabilityLevels.includes(level)) return;
  error(
    'bundle/capability-level',
    [csv, ['metadata', 'annotations', 'capabilities']],
    `the capability level is ${JSON.stringify(level)}; expected one of ${capabilityLevels.join(', ')}`,
    'write one of them',
  );
}

const standard = [
  'AI/Machine Learning',
  'Application Runtime',
  'Big Data',
  'Cloud Provider',
  'Database',
  'Developer Tools',
  'Integration & Delivery',
  'Logging & Tracing',
  'Modernization & Migration',
  'Monitoring',
  'Networking',
  'Observability',
  'OpenShift Optional',
  'Security',
  'Storage',
  'Streaming & Messaging',
];

/** The annotation `categories`, names with commas between them. Source: operator-framework/api `standardcategories.go`. */
export async function reportCategories(
  csv: BundleObject,
  { error }: { readonly error: Complain<'bundle/category'> },
  { categoriesFile, cwd }: Settings,
): Promise<void> {
  const annotations = mapOf(fieldAt(csv.value, 'metadata', 'annotations'));
  if (!('categories' in annotations)) return;
  const place = [csv, ['metadata', 'annotations', 'categories']] as const;
  const known = categoriesFile === '' ? standard : await readCategories(resolve(cwd, categoriesFile));
  if (typeof known === 'string') {
    const message = `the categories of ${categoriesFile} cannot be read: ${known}`;
    error(
      'bundle/category',
      place,
      message,
      'correct OPERATOR_BUNDLE_CATEGORIES, or the file: {"categories": [names]}',
    );
    return;
  }
  for (const category of (annotationText(annotations['categories']) ?? '').split(',')) {
    if (known.includes(category.trim())) continue;
    const message = `unknown category ${JSON.stringify(category)}; expected one of ${known.join(', ')}`;
    error('bundle/category', place, message, 'write one of them, with commas between several');
  }
}

async function readCategories(path: string): Promise<readonly string[] | string> {
  try {
    return textsOf(mapOf(JSON.parse(await readFile(path, 'utf8')))['categories']);
  } catch (error) {
    return error instanceof SyntaxError ? error.message : errnoText(error);
  }
}

export const installModesPath = ['spec', 'installModes'] as const;

/** An entry of `spec.installModes`. */
interface InstallMode {
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

/** Where a ClusterServiceVersion lists its deployments. */
export const deploymentsPath = ['spec', 'install', 'spec', 'deployments'] as const;

/** A deployment of the ClusterServiceVersion. */
export interface CsvDeployment {
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly path: FieldPath;
}

/** `spec.install.spec.deployments`. */
export function csvDeployments(csv: BundleObject): readonly CsvDeployment[] {
  return listOf(fieldAt(csv.value, ...deploymentsPath)).map((entry, index) => {
    const { name, spec } = mapOf(entry);
    return { name: textOf(name), spec: mapOf(spec), path: [...deploymentsPath, index] };
  });
}

/** The ServiceAccount that the Pods of a deployment run as; `''` for the default one. */
export function serviceAccountOf({ spec }: CsvDeployment): string {
  return textOf(fieldAt(spec, 'template', 'spec', 'serviceAccountName'));
}

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

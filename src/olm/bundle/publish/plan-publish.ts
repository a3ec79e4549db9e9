import { isUtf8 } from 'node:buffer';
import { join, posix, relative, sep } from 'node:path';
import { FindingList, type Finding, OpSdkError } from '../../../base/errors/index.ts';
import { folderEntries, type Place } from '../../../images/index.ts';
import { readFileOf } from '../../../project/project/index.ts';
import {
  changeFor,
  isSameText,
  type WantedFile,
  type FilePlan,
  bundleDockerfileText,
  ciConfigText,
} from '../../../project/scaffold/index.ts';
import { pathExists } from '../../../base/util/fs.ts';
import {
  compareCodeUnits,
  isJsonMap,
  jsonListOf,
  jsonMapOf,
  jsonTextOf,
  asText,
} from '../../../base/util/json-map.ts';
import { bundleDockerfile, asBundleAnnotation, bundleFolders, isImageLabel } from '../metadata.ts';
import { readBundleMetadata, type BundleMetadata } from '../read-metadata.ts';
import { fieldAt, textOf, fieldName, listOf } from '../validate/fields.ts';
import { joinResults } from '../validate/findings/collect-findings.ts';
import type { ValidatorName } from '../validate/rules/validators.ts';
import { validateBundle } from '../validate/validate-bundle.ts';
import type { BundleObject, FieldPath } from '../validate/types.ts';
import { editYaml, parseYaml, addToYamlList } from '../../../kubernetes/yaml/index.ts';
import { catalogueVersion, publishedVersions } from './catalogue-version.ts';
import { checkAgainstPublished, type UpdatePolicy } from './check-published.ts';
import { placeholdersIn } from '../check-base.ts';

interface RequiredField {
  readonly path: FieldPath;
  readonly expected: string;
  readonly isThere: (value: unknown) => boolean;
}

const textOfLength =
  (least: number, most: number) =>
  (value: unknown): boolean => {
    const { length } = asText(value);
    return length >= least && length <= most;
  };

const notEmpty = (value: unknown): boolean => listOf(value).length > 0;

/**
 * Fields of a ClusterServiceVersion that the catalogue of OperatorHub.io requires but the validators do not. Source: operator-pipelines
 * `operatorcert/static_tests/community/bundle.py`.
 */
const required: readonly RequiredField[] = [
  { path: ['spec', 'displayName'], expected: '3 to 50 characters', isThere: textOfLength(3, 50) },
  { path: ['spec', 'description'], expected: '20 characters or more', isThere: textOfLength(20, Infinity) },
  {
    path: ['spec', 'provider', 'name'],
    expected: '3 characters or more',
    isThere: textOfLength(3, Infinity),
  },
  { path: ['spec', 'icon'], expected: 'an image', isThere: notEmpty },
  { path: ['spec', 'maintainers'], expected: 'a name and an email', isThere: notEmpty },
  { path: ['spec', 'links'], expected: 'a name and a url', isThere: notEmpty },
];

const fix = ['write it into the base ClusterServiceVersion, and run `op-sdk generate bundle`'];

/**
 * Returns a finding for each field that the catalogue of OperatorHub.io requires and the ClusterServiceVersion lacks, and for each
 * placeholder in the ClusterServiceVersion.
 */
function missingFields(csv: BundleObject): readonly Finding[] {
  const missing = required.filter(({ path, isThere }) => !isThere(fieldAt(csv.value, ...path)));
  const placeholders = placeholdersIn(fieldAt(csv.value, 'spec'), ['spec']);
  if (missing.length === 0 && placeholders.length === 0) return [];
  const document = csv.reread();
  return [
    ...missing.map(({ path, expected }) => ({
      code: 'bundle/publish-field' as const,
      message: `${fieldName(path)}: expected ${expected}`,
      where: document.locate(path),
      fix,
    })),
    ...placeholders.map((path) => ({
      code: 'bundle/placeholder' as const,
      message: `${fieldName(path)} is a placeholder that was not replaced`,
      where: document.locate(path),
      fix,
    })),
  ];
}

interface PublishOptions {
  readonly cwd: string;
  /** Location of the bundle's folder. */
  readonly bundle: Place;
  /**
   * The checkout of the catalogue. `root` is an existing folder; `folder` is a path below it that need not exist, or `''` for `root`
   * itself.
   */
  readonly catalogue: { readonly root: string; readonly folder: string };
  /** GitHub user names of the reviewers. */
  readonly reviewers: readonly string[];
}

interface PublishPlan {
  readonly plan: FilePlan;
  readonly warnings: readonly Finding[];
}

/**
 * Validators that the checks of the catalogue run in addition to the default validators: `suite=operatorframework`. The checks also run the
 * deprecated `operatorhub`, which combines three validators of this list. Source: operator-pipelines
 * `operatorcert/static_tests/community/bundle.py`.
 */
const suite: readonly ValidatorName[] = [
  'operatorhubv2',
  'capabilities',
  'categories',
  'alpha-deprecated-apis',
  'good-practices',
];

/**
 * Plans the files that a bundle adds to a checkout of the catalogue of OperatorHub.io: the folder `operators/<package>/<version>/`, and
 * `ci.yaml` in `operators/<package>/`.
 * @throws OpSdkError with all findings: problems that the catalogue's checks refuse, and an existing version with different content
 */
export async function planPublish({
  cwd,
  bundle,
  catalogue,
  reviewers,
}: PublishOptions): Promise<PublishPlan> {
  const verdict = await validateBundle(bundle.path, { cwd, optional: suite });
  const joined = joinResults(verdict.results);
  const findings = new FindingList();
  findings.add(...joined.filter(({ level }) => level === 'error'));
  const { packageName } = verdict;
  const csv = verdict.bundle?.csv;
  if (csv !== undefined) findings.add(...missingFields(csv));
  findings.add(...forbiddenKinds(verdict.bundle?.objects ?? []));
  findings.throwIfAny();
  // Earlier checks have reported a missing part. The package name can be used as a folder name, because it is valid.
  if (csv === undefined || packageName === undefined || verdict.bundle === undefined)
    throw new TypeError('an incomplete bundle has passed');
  const metadata = await readBundleMetadata(bundle.path, bundle.shown);
  const { root } = catalogue;
  const shown = (path: string): string => relative(cwd, join(root, path)).split(sep).join('/');
  const operator = posix.join(catalogue.folder, 'operators', packageName);
  const folder = `${operator}/${textOf(fieldAt(csv.value, 'spec', 'version'))}`;
  const files = await filesOf(bundle, metadata.folders, folder, findings);
  const path = `${operator}/ci.yaml`;
  const config = await findings.gather(async () =>
    ciConfig(await readFileOf(root, path), reviewers, shown(path)),
  );
  const isPublished = await pathExists(join(root, folder));
  if (isPublished) await checkUnchanged({ path: root, shown: shown('.') }, folder, files, findings);
  const warnings = new FindingList();
  const fresh = catalogueVersion(verdict.bundle, shown(folder));
  if (config !== undefined && fresh !== undefined) {
    const place = { path: join(root, operator), shown: shown(operator) };
    const published = await publishedVersions(place, posix.basename(folder));
    checkAgainstPublished(fresh, published, config, { findings, warnings });
  }
  findings.throwIfAny();
  const dockerfile = isPublished ? undefined : await versionDockerfile(bundle.path, metadata, cwd);
  const wanted = [
    ...files,
    ...(dockerfile === undefined ? [] : [{ path: `${folder}/${bundleDockerfile}`, content: dockerfile }]),
    { path, content: config?.text ?? '' },
  ];
  const changes = await Promise.all(wanted.map((file) => changeFor(root, file)));
  return {
    plan: { root, changes: changes.sort((a, b) => compareCodeUnits(a.path, b.path)) },
    warnings: [...joined.filter(({ level }) => level === 'warning'), ...metadata.warnings, ...warnings.all],
  };
}

interface TextFile extends WantedFile {
  readonly content: string;
}

async function filesOf(
  bundle: Place,
  folders: readonly string[],
  target: string,
  findings: FindingList,
): Promise<readonly TextFile[]> {
  const files: TextFile[] = [];
  for (const { path, content, linkTarget } of await folderEntries(bundle, folders, findings)) {
    const text = content === undefined ? undefined : decode(content);
    if (text !== undefined) files.push({ path: `${target}/${path}`, content: text });
    else if (content !== undefined || linkTarget !== undefined)
      findings.add({
        code: 'bundle/unexpected-file',
        message: `${bundle.shown}/${path}: expected a file of text`,
        where: { file: `${bundle.shown}/${path}` },
        fix: ['move it out of the bundle'],
      });
  }
  return files;
}

function decode(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : undefined;
}

/**
 * Reports changes to a version that is already published, because others may have installed it. Ignores the Dockerfile of the version,
 * because OLM installs nothing from it.
 */
async function checkUnchanged(
  root: Place,
  folder: string,
  files: readonly TextFile[],
  findings: FindingList,
): Promise<void> {
  const there = new Map<string, string | undefined>();
  for (const { path, content, linkTarget } of await folderEntries(root, [folder], findings))
    if (path !== `${folder}/${bundleDockerfile}` && (content !== undefined || linkTarget !== undefined))
      there.set(path, content === undefined ? undefined : decode(content));
  const wanted = new Map(files.map(({ path, content }) => [path, content]));
  for (const path of [...new Set([...there.keys(), ...wanted.keys()])].sort(compareCodeUnits)) {
    const [old, fresh] = [there.get(path), wanted.get(path)];
    if (old !== undefined && fresh !== undefined && isSameText(old, fresh)) continue;
    const what = there.has(path) ? (fresh === undefined ? 'is not in the bundle' : 'differs') : 'is missing';
    findings.add({
      code: 'bundle/version-published',
      message: `the catalogue already has this version, with other content: ${posix.relative(folder, path)} ${what}`,
      where: { file: posix.join(root.shown, path) },
      fix: ['publish a new version', 'delete the folder of the version, if it was never merged'],
    });
  }
}

/**
 * Returns a finding for each NetworkPolicy. OLM installs NetworkPolicies, but the checks of the catalogue refuse them. Source:
 * operator-pipelines `operatorcert/static_tests/common/bundle.py`, `check_network_policy_presence`.
 */
function forbiddenKinds(objects: readonly BundleObject[]): readonly Finding[] {
  return objects
    .filter(({ apiVersion, kind }) => kind === 'NetworkPolicy' && apiVersion.startsWith('networking.k8s.io/'))
    .map((object) => ({
      code: 'bundle/publish-kind',
      message: `the bundle has the NetworkPolicy ${object.name}; the catalogue does not accept bundles with a NetworkPolicy`,
      where: object.reread().locate(['kind']),
      fix: [
        'leave it out of the bundle, and let the operator create it, or describe it in the documentation',
      ],
    }));
}

/**
 * Returns the `bundle.Dockerfile` for the catalogue folder of a version, with paths relative to that folder. The catalogue accepts a bundle
 * with its own Dockerfile.
 * @param folder the bundle's folder, absolute
 * @param projectRoot absolute; used to find the project's own template
 * @returns undefined if the template does not fit: the bundle has other folders, or annotations that cannot be labels
 */
async function versionDockerfile(
  folder: string,
  { annotations, manifests }: BundleMetadata,
  projectRoot: string,
): Promise<string | undefined> {
  const labels = Object.entries(annotations).map(([key, value]) => asBundleAnnotation(key, value));
  if (!labels.every(({ key, value }) => isImageLabel(key, value))) return undefined;
  if (!isSameFolder(manifests, bundleFolders.manifests)) return undefined;
  if (labels.some(({ section }) => section === 'test')) {
    const tests = annotations['operators.operatorframework.io.test.config.v1'] ?? '';
    const isThere = await pathExists(join(folder, bundleFolders.scorecard));
    if (!isThere || !isSameFolder(tests, bundleFolders.scorecard)) return undefined;
  }
  return bundleDockerfileText(labels, '.', projectRoot);
}

function isSameFolder(a: string, b: string): boolean {
  return posix.join(a, '/') === posix.join(b, '/');
}

interface CiConfig extends UpdatePolicy {
  readonly text: string;
}

/**
 * Returns the text of `ci.yaml` with additional reviewers. Keeps everything in an existing file. Does not add reviewers that the file
 * already lists; names are compared case-insensitively.
 * @param file path as shown in findings
 * @throws OpSdkError `io/yaml-*`, `project/cannot-edit`, `bundle/publish-config`
 */
async function ciConfig(
  before: string | undefined,
  reviewers: readonly string[],
  file: string,
): Promise<CiConfig> {
  if (before === undefined)
    return { text: await ciConfigText(reviewers), isBySemver: false, isFileBased: false };
  const document = parseYaml(before, file);
  const { value } = document;
  if (!isJsonMap(value) && value !== null)
    throw new OpSdkError({
      code: 'bundle/publish-config',
      message: `${file}: expected a map`,
      where: document.locate([]),
      fix: ['correct the file, or delete it: op-sdk writes a new one'],
    });
  const mode = value?.['updateGraph'];
  if (mode !== undefined && !modes.includes(mode))
    throw new OpSdkError({
      code: 'bundle/publish-config',
      message: `updateGraph: expected ${modes.join(' or ')}, got ${JSON.stringify(mode)}`,
      where: document.locate(['updateGraph']),
      fix: [`write one of ${modes.join(', ')}`],
    });
  const known = new Set(jsonListOf(value?.['reviewers']).map((name) => jsonTextOf(name).toLowerCase()));
  const added = reviewers.filter((name) => !known.has(name.toLowerCase()));
  const byHand = `reviewers:\n${added.map((name) => `- ${name}`).join('\n')}`;
  const text = editYaml(file, byHand, () =>
    added.reduce((edited, name) => addToYamlList(edited, ['reviewers'], name), before),
  );
  return {
    text,
    isBySemver: mode === 'semver-mode',
    isFileBased: jsonMapOf(value?.['fbc'])['enabled'] === true,
  };
}

/**
 * Update modes that the checks of OperatorHub.io's catalogue accept in `ci.yaml`. Source: operator-pipelines `docs/users/static_checks.md`.
 */
const modes: readonly unknown[] = ['replaces-mode', 'semver-mode'];

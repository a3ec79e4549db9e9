import { isUtf8 } from 'node:buffer';
import { join, posix, relative, sep } from 'node:path';
import { FindingList, type Finding } from '../../../base/errors/index.ts';
import { folderEntries, type Place } from '../../../images/index.ts';
import { readFileOf } from '../../../project/project/index.ts';
import { changeFor, isSameText, type WantedFile } from '../../../project/scaffold/plan-files.ts';
import type { FilePlan } from '../../../project/scaffold/plan.ts';
import { pathExists } from '../../../base/util/fs.ts';
import { compareCodeUnits } from '../../../base/util/json-map.ts';
import { bundleDockerfile } from '../metadata.ts';
import { readBundleMetadata } from '../read-metadata.ts';
import { fieldAt, textOf } from '../validate/fields.ts';
import { joinResults } from '../validate/findings/join-results.ts';
import type { ValidatorName } from '../validate/rules/validators.ts';
import { validateBundle } from '../validate/validate-bundle.ts';
import { catalogueVersion, publishedVersions } from './catalogue-version.ts';
import { checkAgainstPublished } from './check-published.ts';
import { ciConfig } from './ci-config.ts';
import { forbiddenKinds } from './forbidden-kinds.ts';
import { missingFields } from './required-fields.ts';
import { versionDockerfile } from './version-dockerfile.ts';

export interface PublishOptions {
  readonly cwd: string;
  /** The folder of the bundle. */
  readonly bundle: Place;
  /** The checkout of the catalogue: a folder that exists, and the one below it that need not; `''` for the former. */
  readonly catalogue: { readonly root: string; readonly folder: string };
  /** Names on GitHub. */
  readonly reviewers: readonly string[];
}

export interface PublishPlan {
  readonly plan: FilePlan;
  readonly warnings: readonly Finding[];
}

/**
 * Validators that the checks of the catalogue run beside the default ones: `suite=operatorframework`. They run the deprecated `operatorhub` too,
 * which is three of these in one. Source: operator-pipelines `operatorcert/static_tests/community/bundle.py`.
 */
const suite: readonly ValidatorName[] = [
  'operatorhubv2',
  'capabilities',
  'categories',
  'alpha-deprecated-apis',
  'good-practices',
];

/**
 * Plans what a bundle adds to a checkout of the catalogue of OperatorHub.io: `operators/<package>/<version>/` and `ci.yaml` beside it.
 * @throws OpSdkError with all findings: what the catalogue's checks refuse, and a version that is there with other content
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
  // Missing only after a finding; the name of a package that passes is that of a folder, too.
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

/** A version that others may have installed never changes. Its Dockerfile is ignored: nothing that is installed comes from it. */
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
      message: `the version is in the catalogue with other content: ${posix.relative(folder, path)} ${what}`,
      where: { file: posix.join(root.shown, path) },
      fix: ['publish a new version', 'delete the folder of the version, if it was never merged'],
    });
  }
}

import { posix } from 'node:path';
import {
  contentHash,
  renderPreview,
  changeFor,
  type FileChange,
  type FilePlan,
} from '../../../project/scaffold/index.ts';
import { compareCodeUnits } from '../../../base/util/json-map.ts';
import { catalogueVersion, type CatalogueVersion } from '../publish/catalogue-version.ts';
import type { BundleVerdict } from '../validate/validate-bundle.ts';
import { FindingList } from '../../../base/errors/index.ts';
import { operatorTitle } from './operator-facts.ts';
import { renderChannels } from './render-channels.ts';
import { renderOperator, verdictInWords } from './render-operator.ts';

/** The files of a preview of bundles. */
export interface PreviewSite {
  /** Texts of the files by file name; `index.html` is the first page. */
  readonly files: ReadonlyMap<string, string>;
  /** Hash of all files. Each page contains this hash, and compares it with the current hash to detect changes. */
  readonly state: string;
}

/**
 * Renders the pages of bundles. One bundle gives one page; several bundles give an overview and a page for each bundle.
 * @param isLive true if the pages are served and reload themselves; false for plain files without a script
 */
export async function previewSite(verdicts: readonly BundleVerdict[], isLive: boolean): Promise<PreviewSite> {
  const bundles = named(verdicts);
  const versions = bundles.flatMap(({ version }) => (version === undefined ? [] : [version]));
  const pages = new Map<string, { readonly title: string; readonly body: string }>();
  if (bundles.length > 1)
    pages.set('index.html', { title: 'Bundles', body: await renderOverview(bundles, versions) });
  for (const { page, verdict, version } of bundles) {
    const siblings = versions.filter(({ packageName }) => packageName === version?.packageName);
    const { markup } = await renderOperator(verdict, version, siblings);
    pages.set(page, { title: operatorTitle(verdict.bundle, verdict.dir).title, body: markup });
  }
  const state = contentHash(JSON.stringify([...pages]));
  const files = new Map<string, string>();
  for (const [name, { title, body }] of pages) {
    const hasIndex = bundles.length > 1 && name !== 'index.html';
    const page = await renderPreview('page.html', { title, state, isLive, hasIndex, body: { markup: body } });
    files.set(name, page.markup);
  }
  files.set('page.css', (await renderPreview('page.css')).markup);
  if (isLive) files.set('page.js', (await renderPreview('page.js')).markup);
  return { files, state };
}

interface NamedBundle {
  readonly page: string;
  readonly verdict: BundleVerdict;
  readonly version: CatalogueVersion | undefined;
}

/** Assigns a page name to each bundle: the name of the ClusterServiceVersion, if the bundle has one. */
function named(verdicts: readonly BundleVerdict[]): readonly NamedBundle[] {
  const taken = new Set(['index']);
  return verdicts.map((verdict) => {
    const { bundle, dir } = verdict;
    const version = bundle === undefined ? undefined : catalogueVersion(bundle, dir);
    if (verdicts.length === 1) return { page: 'index.html', verdict, version };
    const wanted =
      (verdict.name ?? '')
        .replace(/[^\w.-]+/g, '-')
        .replace(/^[.-]+/, '')
        .slice(0, 100) || 'bundle';
    let name = wanted;
    // Compare names in lower case, because file systems may be case-insensitive.
    for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${wanted}-${count}`;
    taken.add(name.toLowerCase());
    return { page: `${name}.html`, verdict, version };
  });
}

async function renderOverview(
  bundles: readonly NamedBundle[],
  versions: readonly CatalogueVersion[],
): Promise<string> {
  const names = [...new Set(versions.map(({ packageName }) => packageName))].sort(compareCodeUnits);
  const packages = [];
  for (const name of names) {
    const own = versions.filter(({ packageName }) => packageName === name);
    // Draw channels only for several versions. A single version has no updates, and its own page shows its channels.
    if (own.length > 1) packages.push({ name, channels: await renderChannels(own) });
  }
  const { markup } = await renderPreview('overview.html', {
    bundles: bundles.map(({ page, verdict }) => ({
      ...operatorTitle(verdict.bundle, verdict.dir),
      ...{ page, verdict: verdictInWords(verdict) },
    })),
    packages,
  });
  return markup;
}

/** Text that occurs near the beginning of every file of a preview and identifies the file as one. */
const mark = 'op-sdk bundle preview';
const markWithin = 500;

/**
 * Plans the files of a preview in a folder. Files of an earlier preview are replaced; any other existing file is an error.
 * @param place `root` is an existing folder; `folder` is a path below it that need not exist, or `''` for `root` itself
 * @throws OpSdkError `scaffold/file-exists` for every existing file that does not belong to a preview
 */
export async function planPreview(
  { files }: PreviewSite,
  place: { readonly root: string; readonly folder: string },
): Promise<FilePlan> {
  const findings = new FindingList();
  const changes: FileChange[] = [];
  for (const [name, content] of files) {
    const path = posix.join(place.folder, name);
    const change = await changeFor(place.root, { path, content });
    if (change.action === 'update' && !change.before.slice(0, markWithin).includes(mark))
      findings.add({
        code: 'scaffold/file-exists',
        message: `${path} exists already, and was not written by ${mark}`,
        where: { file: path },
        fix: ['name another folder with --output-dir', 'move the file elsewhere'],
      });
    changes.push(change);
  }
  findings.throwIfAny();
  return { root: place.root, changes };
}

import { cp, lstat, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { FindingList, type Finding } from '../../base/errors/index.ts';
import {
  type FilePlan,
  applyPlan,
  type WantedFile,
  fitsMachineTemplate,
  renderMachineDocument,
  bundleDockerfileText,
} from '../../project/scaffold/index.ts';
import { pathExists } from '../../base/util/fs.ts';
import { leadsInside } from '../../base/util/folders.ts';
import { bundleDockerfile, bundleFiles, bundleFolders } from './metadata.ts';
import { validateBundle, type BundleVerdict } from './validate/validate-bundle.ts';
import type { GeneratedBundle } from './generate-bundle.ts';

/**
 * Validates a bundle as it will be after a plan has been applied, including existing files that the plan keeps. Works on a temporary copy
 * and does not write to the project.
 * @param folder the bundle's folder, relative to the plan's root, with forward slashes
 * @param overwrite true if annotations.yaml and bundle.Dockerfile are among the files that are written
 * @returns the errors in files that are kept unchanged, which do not prevent writing
 * @throws OpSdkError with all other errors of the default validators, located in the files of the bundle
 */
export async function checkPlanned(
  plan: FilePlan,
  rendered: RenderedBundle,
  { folder, overwrite }: { readonly folder: string; readonly overwrite: boolean },
): Promise<readonly Finding[]> {
  const { results } = await judgePlanned(plan, folder);
  const written = new Set(
    [...rendered.manifests, ...rendered.sources, ...(overwrite ? rendered.metadata : [])].map(
      ({ path }) => path,
    ),
  );
  const folders = new Set(parts.map((part) => `${folder}${part}`));
  const findings = new FindingList();
  const staying: Finding[] = [];
  for (const { level, rule, message, where, fix } of results) {
    if (level === 'warning') continue;
    const file = where !== undefined && 'file' in where ? where.file : folder;
    const source = rendered.sources.find(({ path }) => path === file)?.source;
    const place = source === undefined ? where : { file: source };
    const finding: Finding = { code: rule, message, fix, ...(place === undefined ? {} : { where: place }) };
    if (written.has(file) || folders.has(file)) findings.add(finding);
    else staying.push(finding);
  }
  findings.throwIfAny();
  return staying;
}

async function judgePlanned(plan: FilePlan, folder: string): Promise<BundleVerdict> {
  const scratch = await mkdtemp(join(await realpath(tmpdir()), 'op-sdk-bundle-'));
  try {
    for (const part of parts) await copyPart(plan.root, `${folder}${part}`, scratch, part === '');
    await copyPart(plan.root, bundleDockerfile, scratch, false);
    await applyPlan({ root: scratch, changes: plan.changes });
    return await validateBundle(folder, { cwd: scratch });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The bundle's folder and the subfolders to which op-sdk writes. Each of these folders may be a link to another folder of the project. */
const parts = ['', '/manifests', '/metadata', '/tests', '/tests/scorecard'];

/** Names of the entries in a bundle's folder that op-sdk reads. */
const topNames: ReadonlySet<string> = new Set(['manifests', 'metadata', 'tests', bundleDockerfile]);

/**
 * Copies a part of the bundle's folder from disk to `scratch`, unless the part has already been copied with its parent folder. A link to a
 * target outside the project is copied as a link.
 */
async function copyPart(root: string, path: string, scratch: string, isWhole: boolean): Promise<void> {
  const [source, target] = [join(root, path), join(scratch, path)];
  if (!(await pathExists(source))) return;
  const isLink = (await lstat(source)).isSymbolicLink();
  if (!isLink && (await pathExists(target))) return;
  // A link whose target does not exist is copied as a link, too.
  const isInside = await leadsInside(root, source).catch(() => false);
  await rm(target, { force: true });
  const copied = isInside ? await realpath(source) : source;
  await cp(copied, target, {
    recursive: true,
    verbatimSymlinks: true,
    // Skip pipes and sockets, because they cannot be copied. Skip entries at the top of the bundle's folder that op-sdk does not read,
    // because they may be of any size.
    filter: async (from) => {
      if (dirname(from) === copied && isWhole && !topNames.has(basename(from))) return false;
      const entry = await lstat(from);
      return entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
    },
  });
}

/** Name of the template for the files in `manifests/` and for the scorecard configuration; it fits objects of any kind. */
export const manifestTemplate = 'bundle-manifest';
/** Name of the template for a ClusterServiceVersion; the template spells out all fields. */
const csvTemplate = 'csv';

/** A bundle as files: paths with their texts. */
export interface RenderedBundle {
  /** Files of `manifests/` and `tests/scorecard/`. */
  readonly manifests: readonly WantedFile[];
  /** Files of `metadata/` that are copied from the folder of the base ClusterServiceVersion. `source` is the path of the original there. */
  readonly sources: readonly (WantedFile & { readonly source: string })[];
  /** Files `metadata/annotations.yaml` and `bundle.Dockerfile`. */
  readonly metadata: readonly WantedFile[];
}

/**
 * Renders the files of a bundle as texts, without writing them.
 * @param folder the bundle's folder, relative to the project, with forward slashes
 * @param projectRoot absolute; used to find the project's own template of the Dockerfile
 */
export async function renderBundle(
  bundle: GeneratedBundle,
  folder: string,
  projectRoot?: string,
): Promise<RenderedBundle> {
  const documents = [
    ...bundle.manifests.map(({ file, document }) => ({ path: `manifests/${file}`, document })),
    ...(bundle.scorecard === undefined ? [] : [{ path: bundleFiles.scorecard, document: bundle.scorecard }]),
  ];
  const manifests = documents.map(async ({ path, document }) => ({
    path: `${folder}/${path}`,
    content: await renderMachineDocument(templateOf(document), document),
  }));
  const sources = bundle.metadata.map(async ({ name, source, document }) => ({
    source,
    path: `${folder}/${bundleFolders.metadata}${name}`,
    content: await renderMachineDocument(manifestTemplate, document),
  }));
  const annotations = Object.fromEntries(bundle.annotations.map(({ key, value }) => [key, value]));
  return {
    manifests: await Promise.all(manifests),
    sources: await Promise.all(sources),
    metadata: [
      {
        path: `${folder}/${bundleFiles.annotations}`,
        content: await renderMachineDocument('annotations', { annotations }),
      },
      {
        path: bundleDockerfile,
        content: await bundleDockerfileText(bundle.annotations, folder, projectRoot),
      },
    ],
  };
}

/**
 * Returns the name of the template for a document. A ClusterServiceVersion with fields of later versions of OLM, which a base may have,
 * gets the template that fits objects of any kind.
 */
function templateOf(document: Readonly<Record<string, unknown>>): string {
  const isKnown = document['kind'] === 'ClusterServiceVersion' && fitsMachineTemplate(csvTemplate, document);
  return isKnown ? csvTemplate : manifestTemplate;
}

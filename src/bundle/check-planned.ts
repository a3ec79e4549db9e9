import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FindingList, type Finding } from '../errors/index.ts';
import type { FilePlan } from '../scaffold/index.ts';
import { applyPlan } from '../scaffold/writer.ts';
import { pathExists } from '../util/fs.ts';
import { bundleDockerfile } from './metadata.ts';
import type { RenderedBundle } from './render-bundle.ts';
import { validateBundle, type BundleVerdict } from './validate/validate-bundle.ts';

/**
 * Judges a bundle as it will be once a plan is carried out, before anything is written: with the files that stay.
 * @param folder the bundle's folder, relative to the plan's root, with forward slashes
 * @param overwrite whether annotations.yaml and bundle.Dockerfile are among the files that are written
 * @returns the errors of files that stay as they are: what is written does not make them worse
 * @throws OpSdkError with all other errors of the default validators; places are those in the bundle
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
  const findings = new FindingList();
  const staying: Finding[] = [];
  for (const { level, rule, message, where, fix } of results) {
    if (level === 'warning') continue;
    const file = where !== undefined && 'file' in where ? where.file : folder;
    const source = rendered.sources.find(({ path }) => path === file)?.source;
    const place = source === undefined ? where : { file: source };
    const finding: Finding = { code: rule, message, fix, ...(place === undefined ? {} : { where: place }) };
    if (written.has(file) || file === folder) findings.add(finding);
    else staying.push(finding);
  }
  findings.throwIfAny();
  return staying;
}

async function judgePlanned(plan: FilePlan, folder: string): Promise<BundleVerdict> {
  const scratch = await mkdtemp(join(await realpath(tmpdir()), 'op-sdk-bundle-'));
  try {
    for (const path of [folder, bundleDockerfile])
      if (await pathExists(join(plan.root, path)))
        await cp(join(plan.root, path), join(scratch, path), { recursive: true, verbatimSymlinks: true });
    await applyPlan({ root: scratch, changes: plan.changes });
    return await validateBundle(folder, { cwd: scratch });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

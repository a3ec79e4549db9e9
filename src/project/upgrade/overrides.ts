import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Finding } from '../../base/errors/index.ts';
import { statsAt } from '../../base/util/fs.ts';
import { layout } from '../project/index.ts';
import type { OpsdkPackage } from './packages.ts';

/**
 * Copies the project's template overrides, which the commands after `init` used. Overrides of templates that the version does not know are
 * left out, because it would refuse every command.
 */
export async function takeOverrides(pkg: OpsdkPackage, project: string, folder: string): Promise<void> {
  const [overrides, known] = await Promise.all([overridesIn(project), templatesOf(pkg)]);
  for (const path of overrides.filter((each) => known.has(each))) {
    const target = join(folder, layout.templateOverrides, path);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(project, layout.templateOverrides, path), target);
  }
}

/**
 * Returns a finding for each override of a template that the new version does not know. The finding names the templates that are new in
 * this version.
 */
export async function unknownOverrides(
  project: string,
  { base, target }: { readonly base: OpsdkPackage; readonly target: OpsdkPackage },
): Promise<readonly Finding[]> {
  const [overrides, former, known] = await Promise.all([
    overridesIn(project),
    templatesOf(base),
    templatesOf(target),
  ]);
  const added = [...known].filter((path) => !former.has(path)).sort();
  return overrides
    .filter((path) => !known.has(path))
    .map((path) => ({
      code: 'upgrade/unknown-override',
      message: `${layout.templateOverrides}/${path} overrides a template that op-sdk ${target.version} does not have, so the new version scaffolds without it`,
      where: { file: `${layout.templateOverrides}/${path}` },
      fix: [
        ...(added.length === 0 ? [] : [`override a new template in its place: ${added.join(', ')}`]),
        'remove it: commands that scaffold refuse an override without a template',
      ],
    }));
}

async function overridesIn(project: string): Promise<readonly string[]> {
  return filesBelow(join(project, layout.templateOverrides));
}

async function templatesOf({ root }: OpsdkPackage): Promise<ReadonlySet<string>> {
  const paths = await filesBelow(join(root, 'templates'));
  return new Set(paths.filter((path) => path.endsWith('.hbs')));
}

/**
 * Returns the paths of the regular files below a folder, and of links to such files, with forward slashes. Other entries are omitted,
 * because reading a pipe would block.
 */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths: string[] = [];
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    if ((await statsAt(file))?.isFile() === true) paths.push(relative(folder, file).split(sep).join('/'));
  }
  return paths.sort();
}

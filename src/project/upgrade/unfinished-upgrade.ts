import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { leadsInside } from '../../base/util/folders.ts';
import { jsonListOf, jsonMapOf } from '../../base/util/json-map.ts';
import { parseYaml } from '../../kubernetes/yaml/index.ts';
import { LAYOUT_KEY, layout, readFileOf, type LoadedProject } from '../project/index.ts';
import { contentHash } from '../scaffold/index.ts';
import { conflictsLeft } from './conflict-marks.ts';

/**
 * Upgrade whose files are written, but whose later steps may be missing: installing dependencies, generating manifests, reporting conflicts.
 */
export interface UnfinishedUpgrade {
  /** Version of op-sdk to which the project is upgraded. */
  readonly version: string;
  /** Paths of the files that the upgrade has written with conflict markers. */
  readonly conflicts: readonly string[];
}

/**
 * Records that an upgrade begins. Call it before the files are written, while holding the project's lock. PROJECT gets the new version
 * together with all other files, so the record takes effect once these are written, by the upgrade itself or by the recovery after a kill.
 * Until then the record of the former upgrade, which is kept beside it, stays in effect.
 * @param root absolute path of the project
 * @param project text of PROJECT before and after the upgrade
 * @returns a function that removes the record again, for an upgrade whose files could not be written
 */
export async function recordUnfinishedUpgrade(
  root: string,
  upgrade: UnfinishedUpgrade,
  project: { readonly before: string; readonly content: string },
): Promise<() => Promise<void>> {
  const present = jsonMapOf(parseYaml(project.before, layout.projectFile).value)['cliVersion'];
  const former = (await recordsIn(root)).find(({ version }) => version === present);
  const record = { ...upgrade, project: projectHash(project.content) };
  await write(root, former === undefined ? record : { ...record, former });
  return () => (former === undefined ? forgetUnfinishedUpgrade(root) : write(root, former));
}

/**
 * Returns the upgrade that was interrupted after its files were written; undefined if there is none. Ignores the record of an upgrade whose
 * files were not written, or were restored by version control: then PROJECT has another version, or differs otherwise from the one that the
 * upgrade wrote, and no file has conflict markers of the upgrade.
 */
export async function unfinishedUpgrade({
  root,
  cliVersion,
  text,
}: Pick<LoadedProject, 'root' | 'cliVersion' | 'text'>): Promise<UnfinishedUpgrade | undefined> {
  const record = (await recordsIn(root)).find(({ version }) => version === cliVersion);
  if (cliVersion === undefined || record === undefined) return undefined;
  const conflicts: string[] = [];
  for (const path of jsonListOf(record['conflicts']))
    if (typeof path === 'string' && (await isFileInside(root, path))) conflicts.push(path);
  const left = await conflictsLeft(conflicts, (path) => readFileOf(root, path));
  if (record['project'] !== projectHash(text) && left.length === 0) return undefined;
  return { version: cliVersion, conflicts };
}

/** Removes the record of an upgrade. Call it while holding the project's lock. */
export async function forgetUnfinishedUpgrade(root: string): Promise<void> {
  const file = recordIn(root);
  for (const each of [`${file}.new`, file]) await rm(each, { force: true });
}

/** Returns the record of the last upgrade and, if it is kept, that of the former one. */
async function recordsIn(root: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const text = await readFile(recordIn(root), 'utf8').catch(() => '{}');
  const { former, ...record } = jsonMapOf(parsed(text));
  return [record, jsonMapOf(former)].filter(({ version }) => typeof version === 'string');
}

async function write(root: string, record: object): Promise<void> {
  const file = recordIn(root);
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(record)}\n`);
  await rename(draft, file);
}

/** Returns the path of the record. Git ignores its folder, because a clone has no unfinished upgrade. */
function recordIn(root: string): string {
  return join(root, layout.state, 'upgrade.json');
}

/**
 * Returns a hash of the parts of PROJECT that the last steps of an upgrade do not change. These steps record hashes of generated files
 * there.
 */
function projectHash(text: string): string {
  const project = jsonMapOf(parseYaml(text, layout.projectFile).value);
  const plugins = jsonMapOf(project['plugins']);
  const { parts: _parts, templates: _templates, ...own } = jsonMapOf(plugins[LAYOUT_KEY]);
  return contentHash(JSON.stringify({ ...project, plugins: { ...plugins, [LAYOUT_KEY]: own } }));
}

async function isFileInside(root: string, path: string): Promise<boolean> {
  const file = join(root, path);
  try {
    return (await stat(file)).isFile() && (await leadsInside(root, file));
  } catch {
    return false;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // op-sdk renames a complete record into place, so any other text is not from op-sdk.
    return undefined;
  }
}

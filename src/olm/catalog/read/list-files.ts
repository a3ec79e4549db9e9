import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OpSdkError } from '../../../base/errors/index.ts';
import type { Place } from '../../../images/index.ts';
import { errnoText } from '../../../base/util/fs.ts';
import { compareCodeUnits } from '../../../base/util/json-map.ts';
import { isLeftover } from '../../../base/util/leftovers.ts';
import { leadsInside } from '../../../base/util/leads-inside.ts';
import { readRegularYamlFile } from '../../../kubernetes/yaml/index.ts';
import type { CatalogFindings } from '../findings.ts';
import { catalogLimits } from '../limits.ts';
import { ignoreRules, isIgnored, type IgnoreRules } from './ignore-rules.ts';

/** A file of a catalogue. */
export interface CatalogFile {
  /** Absolute. */
  readonly path: string;
  /** As findings name it. */
  readonly file: string;
  readonly size: number;
}

/** The name of files that list which others are passed over. Source: operator-registry `alpha/declcfg/load.go`. */
const ignoreFile = '.indexignore';

/** Folders inside of one another; people write one or two. */
const mostLevels = 32;

/**
 * The files of a catalogue, as opm reads them: all of a folder and those below, whatever they are called, but those that files named
 * `.indexignore` list, and but for what a killed command of op-sdk left there. A file is its own catalogue.
 * @throws OpSdkError `io/not-found`, `io/cannot-read`, `io/too-large`
 */
export async function listCatalogFiles(
  place: Place,
  findings: CatalogFindings,
): Promise<readonly CatalogFile[]> {
  const entry = await stat(place.path).catch(() => undefined);
  if (entry === undefined)
    throw new OpSdkError({
      code: 'io/not-found',
      message: `${place.shown} does not exist`,
      where: { file: place.shown },
      fix: ['name the folder or the file of a catalogue'],
    });
  const files: CatalogFile[] = [];
  if (!entry.isDirectory()) files.push({ path: place.path, file: place.shown, size: entry.size });
  else await walk(place, '', [], { root: place, files, findings });
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > catalogLimits.bytes)
    throw tooLarge(place, `its files have ${size} bytes; up to ${catalogLimits.bytes} are read`);
  return files;
}

interface Walk {
  readonly root: Place;
  readonly files: CatalogFile[];
  readonly findings: CatalogFindings;
}

async function walk(folder: Place, below: string, rules: readonly IgnoreRules[], all: Walk): Promise<void> {
  if (below.split('/').length > mostLevels)
    throw tooLarge(all.root, `its folders are nested more than ${mostLevels} deep`);
  const entries = await readdir(folder.path, { withFileTypes: true }).catch((error: unknown) => {
    const message = `cannot read ${folder.shown}: ${errnoText(error)}`;
    throw new OpSdkError({ code: 'io/cannot-read', message, where: { file: folder.shown } });
  });
  const own = entries.some(({ name }) => name === ignoreFile) ? [await readRules(folder, below)] : [];
  const active = [...rules, ...own];
  for (const entry of entries.sort((a, b) => compareCodeUnits(a.name, b.name))) {
    if (isLeftover(entry.name)) continue;
    const place = { path: join(folder.path, entry.name), shown: `${folder.shown}/${entry.name}` };
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) await walk(place, path, active, all);
    else if (entry.name !== ignoreFile && !isIgnored(path, active)) await addFile(place, all);
  }
}

async function addFile({ path, shown }: Place, { root, files, findings }: Walk): Promise<void> {
  const entry = await stat(path).catch(() => undefined);
  const isOwn = entry?.isFile() === true && (await leadsInside(root.path, path));
  if (!isOwn) {
    findings.addAll([
      {
        code: 'catalog/unexpected-file',
        message: `${shown} is not a regular file of the catalogue`,
        where: { file: shown },
        fix: ['remove it, or write the file itself', `list it in ${root.shown}/${ignoreFile}`],
      },
    ]);
    return;
  }
  files.push({ path, file: shown, size: entry.size });
  if (files.length > catalogLimits.files)
    throw tooLarge(root, `it has more than ${catalogLimits.files} files`);
}

async function readRules(folder: Place, below: string): Promise<IgnoreRules> {
  const file = `${folder.shown}/${ignoreFile}`;
  return ignoreRules(await readRegularYamlFile(join(folder.path, ignoreFile), file), below, file);
}

function tooLarge({ shown }: Place, why: string): OpSdkError {
  return new OpSdkError({
    code: 'io/too-large',
    message: `${shown} is too large for a catalogue: ${why}`,
    where: { file: shown },
    fix: ['name the folder of one catalogue', 'split the catalogue by its packages'],
  });
}

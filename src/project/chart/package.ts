import type { Stats } from 'node:fs';
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { valid } from 'semver';
import { FindingList, OpSdkError, type Finding } from '../../base/errors/index.ts';
import { gzipReproducibly } from '../../base/util/gzip.ts';
import { isJsonMap, jsonListOf, type JsonMap } from '../../base/util/json-map.ts';
import { tarBytes } from '../../base/util/write-tar.ts';
import { parseKubernetesYaml, toYaml } from '../../kubernetes/yaml/index.ts';
import { readBytesOf } from '../project/index.ts';
import type { FileChange } from '../scaffold/index.ts';
import { readHelmIgnore, type IsIgnored } from './helm-ignore.ts';

/** A packaged chart. */
export interface ChartPackage {
  readonly name: string;
  readonly version: string;
  /** Name of the file: `web-1.0.0.tgz`. */
  readonly file: string;
  /** The gzipped tar archive. It contains no times, so that equal files give equal bytes. */
  readonly bytes: Buffer;
  /** Content of Chart.yaml. */
  readonly metadata: JsonMap;
}

/** Files of a chart by their paths below its folder. */
type ChartContent = ReadonlyMap<string, Buffer>;

/** Files at the beginning of a package, in this order. */
const firstFiles = ['Chart.yaml', 'values.yaml', 'values.schema.json'];

/**
 * Packages a chart as `helm package` does: the files that .helmignore does not exclude, in Helm's order, and Chart.yaml in Helm's format.
 *
 * @param root absolute path of the folder that contains the chart's
 * @param folder path of the chart below `root`, as in the changes
 * @param changes of files that are not yet written, such as those of the chart
 * @throws OpSdkError `chart/cannot-package` with all findings
 */
export async function packageChart(
  root: string,
  folder: string,
  changes: readonly FileChange[],
): Promise<ChartPackage> {
  const findings = new FindingList();
  const planned = plannedContent(folder, changes);
  const ignored = await findings.gather(async () => ignoreRules(join(root, folder), folder, planned));
  findings.throwIfAny();
  const files = await chartContent(
    { root: join(root, folder), project: root, folder, planned, isIgnored: ignored ?? (() => false) },
    findings,
  );
  const metadata = metadataOf(files, folder, findings);
  for (const path of [...files.keys()].filter((each) => each.startsWith('charts/') || each === 'Chart.lock'))
    findings.add(dependency(`${folder}/${path}`, `${path} belongs to charts that this one depends on`));
  findings.throwIfAny();
  const { name, version } = metadata as { readonly name: string; readonly version: string };
  const entries = ordered(files).map((path) => ({
    path: `${name}/${path}`,
    content:
      path === 'Chart.yaml' ? Buffer.from(toYaml(metadata)) : withoutMark(files.get(path) ?? Buffer.alloc(0)),
  }));
  const bytes = gzipReproducibly(tarBytes(entries, { asGiven: true }));
  return { name, version, file: `${name}-${version}.tgz`, bytes, metadata };
}

/** Returns the planned contents of changed files of the chart; undefined for deleted files. */
function plannedContent(
  folder: string,
  changes: readonly FileChange[],
): ReadonlyMap<string, Buffer | undefined> {
  const below = changes.filter(({ action, path }) => action !== 'unchanged' && path.startsWith(`${folder}/`));
  return new Map(
    below.map((change) => [
      change.path.slice(folder.length + 1),
      'content' in change ? Buffer.from(change.content as string) : undefined,
    ]),
  );
}

async function ignoreRules(
  path: string,
  folder: string,
  planned: ReadonlyMap<string, Buffer | undefined>,
): Promise<IsIgnored> {
  const name = '.helmignore';
  const onDisk = planned.has(name) ? planned.get(name) : await readBytesOf(path, name);
  try {
    return readHelmIgnore(onDisk?.toString('utf8') ?? '');
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const file = `${folder}/${name}`;
    throw new OpSdkError(cannotPackage(file, `${file}, ${error.message}`, 'correct the line, or remove it'));
  }
}

interface ChartOnDisk {
  /** Absolute path of the chart. */
  readonly root: string;
  /** Absolute path of the folder that contains all permitted targets of links. */
  readonly project: string;
  readonly folder: string;
  readonly planned: ReadonlyMap<string, Buffer | undefined>;
  readonly isIgnored: IsIgnored;
}

/** Reads the files on disk that belong to the package, with the planned changes. */
async function chartContent(chart: ChartOnDisk, findings: FindingList): Promise<ChartContent> {
  const files = new Map<string, Buffer>();
  const { root, project, folder, planned, isIgnored } = chart;
  /** `around` are the real paths of the folders that the walk is in. */
  const walk = async (below: string, around: readonly string[]): Promise<void> => {
    const names = await readdir(join(root, below)).catch((error: unknown) => {
      // A chart that is not yet written has no folder.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    });
    for (const name of names) {
      const path = below === '' ? name : `${below}/${name}`;
      const entry = await followed(join(root, path), project, around);
      const isFolder = typeof entry === 'object' && entry.isDirectory();
      if (isIgnored(path, isFolder) || planned.has(path)) continue;
      if (isFolder) await walk(path, [...around, await realpath(join(root, path))]);
      else if (typeof entry === 'object' && entry.isFile()) files.set(path, await readFile(join(root, path)));
      else {
        const problem = typeof entry === 'object' ? 'is not a regular file' : entry;
        const file = `${folder}/${path}`;
        findings.add(cannotPackage(file, `${file} ${problem}`, 'delete it, or name it in .helmignore'));
      }
    }
  };
  await walk('', [await realpath(root).catch(() => root)]);
  for (const [path, content] of planned)
    if (content !== undefined && !isLeftOut(path, isIgnored)) files.set(path, content);
  return files;
}

/**
 * Returns the status of a file or, because Helm follows links, of the target of a link. Returns the problem of a link that leads nowhere,
 * to a folder that contains it, or out of the project, whose files must not get into a package.
 */
async function followed(path: string, project: string, around: readonly string[]): Promise<Stats | string> {
  const entry = await lstat(path);
  if (!entry.isSymbolicLink()) return entry;
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined) return 'is a symbolic link to nothing';
  if (!`${target}${sep}`.startsWith(`${await realpath(project)}${sep}`))
    return 'is a symbolic link that leads out of the project';
  if (around.some((folder) => `${folder}${sep}`.startsWith(`${target}${sep}`)))
    return 'is a symbolic link to a folder around it';
  return stat(path);
}

/** Returns true if a file, or one of the folders that contain it, is ignored. */
function isLeftOut(path: string, isIgnored: IsIgnored): boolean {
  const names = path.split('/');
  return names.some((_, index) => isIgnored(names.slice(0, index + 1).join('/'), index < names.length - 1));
}

/** Reads Chart.yaml, whose name and version become those of the package. */
function metadataOf(files: ChartContent, folder: string, findings: FindingList): JsonMap {
  const file = `${folder}/Chart.yaml`;
  const text = files.get('Chart.yaml')?.toString('utf8') ?? '';
  const parsed = parseKubernetesYaml(text, file)[0]?.value;
  const metadata = isJsonMap(parsed) ? parsed : {};
  const { name, version, appVersion = '', dependencies } = metadata;
  const add = (message: string, fix: string): void => {
    findings.add(cannotPackage(file, `${file}: ${message}`, fix));
  };
  if (typeof name !== 'string' || !/^[a-zA-Z0-9._-]+$/.test(name) || /^\.\.?$/.test(name))
    add(`name: expected letters, digits, dots and dashes, got ${shown(name)}`, 'write the name of the chart');
  if (typeof version !== 'string' || valid(version) !== version.replace(/\+.*$/, ''))
    add(`version: expected a semantic version, got ${shown(version)}`, 'write it as 1.2.3');
  if (typeof appVersion !== 'string')
    add(`appVersion: expected a text, got ${shown(appVersion)}`, 'write it between quotes');
  if (jsonListOf(dependencies).length > 0) findings.add(dependency(file, `${file} has dependencies`));
  return metadata;
}

const shown = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));

function dependency(file: string, message: string): Finding {
  return cannotPackage(
    file,
    message,
    'package it with helm package, which obtains the charts that it depends on',
  );
}

function cannotPackage(file: string, message: string, fix: string): Finding {
  return { code: 'chart/cannot-package', message, where: { file }, fix: [fix] };
}

/** Returns the paths of files in the order of Helm: templates first, then the others, each in the order of a walk through the folders. */
function ordered(files: ChartContent): readonly string[] {
  const rank = (path: string): number => {
    const first = firstFiles.indexOf(path);
    if (first !== -1) return first;
    return firstFiles.length + (path.startsWith('templates/') ? 0 : 1);
  };
  return [...files.keys()].sort((a, b) => rank(a) - rank(b) || compareWalked(a, b));
}

function compareWalked(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  const at = left.findIndex((name, index) => name !== right[index]);
  return Buffer.compare(Buffer.from(left[at] ?? ''), Buffer.from(right[at] ?? ''));
}

/** Returns the content of a file without a leading byte order mark, as Helm packages it. */
function withoutMark(content: Buffer): Buffer {
  return content.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? content.subarray(3) : content;
}

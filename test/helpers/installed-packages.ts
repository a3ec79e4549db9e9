import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The size of the packages that npm installs in a new project, by bytes of their files. 1 MB is 1,000,000 bytes. */
export interface InstalledSize {
  /** The release line of Node of the project: `init` chooses development tools by it. */
  readonly node: string;
  readonly platform: string;
  readonly totalMB: number;
  /** The ten largest packages, largest first. */
  readonly largest: readonly InstalledPackage[];
}

interface InstalledPackage {
  readonly name: string;
  readonly MB: number;
  /** What a project needs the package for; empty if nobody has said it yet. */
  readonly purpose: string;
}

/** The sum may be this much larger than the recorded one. */
const growth = 0.05;

/** Returns the bytes of each package that npm has installed in a project, by name. Copies of a package count together. */
export function packageBytes(project: string): ReadonlyMap<string, number> {
  const { packages } = JSON.parse(readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, unknown>>;
  };
  // npm lists packages for other platforms too, which are absent.
  const folders = Object.keys(packages).filter((path) => existsSync(join(project, path)));
  const nested = new Set(folders);
  const bytesOf = (folder: string): number =>
    readdirSync(join(project, folder), { withFileTypes: true }).reduce((sum, entry) => {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) return nested.has(path) ? sum : sum + bytesOf(path);
      return entry.isFile() ? sum + lstatSync(join(project, path)).size : sum;
    }, 0);
  const sizes = new Map<string, number>();
  for (const folder of folders) {
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    sizes.set(name, (sizes.get(name) ?? 0) + bytesOf(folder));
  }
  return sizes;
}

/** Returns the size of what is installed on this Node, with the purposes from the record. */
export function installedSize(sizes: ReadonlyMap<string, number>, record: InstalledSize): InstalledSize {
  const purposes = new Map(record.largest.map(({ name, purpose }) => [name, purpose]));
  const megabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10;
  return {
    node: process.versions.node.split('.')[0] ?? '',
    platform: `${process.platform}-${process.arch}`,
    totalMB: megabytes([...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)),
    largest: [...sizes]
      .sort(([, a], [, b]) => b - a)
      .slice(0, 10)
      .map(([name, bytes]) => ({ name, MB: megabytes(bytes), purpose: purposes.get(name) ?? '' })),
  };
}

/** Returns what to do about an installation that is larger than the record in `file` allows, or whose packages it does not explain. */
export function sizeFindings(
  installed: InstalledSize,
  {
    record,
    file,
    update,
  }: { readonly record: InstalledSize; readonly file: string; readonly update: string },
): readonly string[] {
  const most = record.totalMB * (1 + growth);
  const grown =
    installed.totalMB > most
      ? [
          `node_modules of a new project: expected at most ${most.toFixed(1)} MB (5 % over the recorded ${record.totalMB} MB), got ${installed.totalMB} MB. Remove what it does not need, or raise the record with \`${update}\` and give the reason in the body of the commit`,
        ]
      : [];
  const unexplained = installed.largest
    .filter(({ purpose }) => purpose === '')
    .map(
      ({ name, MB }) =>
        `${name}, ${MB} MB, is among the ten largest packages of a new project: say what it is for. \`${update}\` adds it to ${file}; write its "purpose" there, and the reason into the body of the commit`,
    );
  return [...grown, ...unexplained];
}

/** Returns the ten largest packages as lines for people. */
export function sizeTable({ totalMB, largest }: InstalledSize): string {
  const rows = largest.map(
    ({ name, MB, purpose }) => `${MB.toFixed(1).padStart(7)}  ${name.padEnd(34)}  ${purpose}`,
  );
  return [`MB of node_modules of a new project: ${totalMB.toFixed(1)}`, ...rows].join('\n');
}

/**
 * Holds the packages that npm has installed in a new project against the record in `file`, and prints the largest. `UPDATE_GOLDEN=1` writes
 * the record. On other Nodes and platforms other tools are installed, so that nothing is compared there.
 * @param update command that writes the record
 * @returns the findings
 */
export function checkInstalledSize(
  project: string,
  { file, update }: { readonly file: string; readonly update: string },
): readonly string[] {
  const record = JSON.parse(readFileSync(file, 'utf8')) as InstalledSize;
  const installed = installedSize(packageBytes(project), record);
  console.log(sizeTable(installed));
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, `${JSON.stringify(installed, null, 2)}\n`);
  else if (installed.node !== record.node || installed.platform !== record.platform) {
    console.log(`not compared: ${file} has the sizes of Node ${record.node} on ${record.platform}`);
    return [];
  }
  const allowed = process.env['UPDATE_GOLDEN'] === '1' ? installed : record;
  return sizeFindings(installed, { record: allowed, file, update });
}

import path from 'node:path';
import { readdirSync, readFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import type { Finding } from '../../base/errors/index.ts';
import { errnoOf } from '../../base/util/fs.ts';
import { isJsonMap, type JsonMap } from '../../base/util/json-map.ts';

/** A package of which code is in the bundle of an operator. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** License as the package states it, usually an SPDX expression; undefined if it states none. */
  readonly license?: string;
  /** Address of the package's sources or, without one, of its home page. */
  readonly address?: string;
  /** Texts of its licenses and notices, in the order of the file names. */
  readonly texts: readonly LicenseText[];
  /** Packages of the bundle that it imports, as `name@version`, sorted. */
  readonly imports: readonly string[];
}

interface LicenseText {
  /** Name of the file, such as `LICENSE`. */
  readonly file: string;
  readonly text: string;
}

/** Packages of a bundle. */
interface BundledPackages {
  /** All packages, sorted by name and version. */
  readonly packages: readonly BundledPackage[];
  /** Packages that the operator's own code imports, as `name@version`, sorted. */
  readonly direct: readonly string[];
  /** Packages that state no license. */
  readonly warnings: readonly Finding[];
}

/**
 * Lists the packages of which code is in a bundle, with their licenses. Modules of which the bundler kept nothing do not count. Packages of
 * the operator's own workspace, which are linked, belong to the operator.
 * @param projectDir absolute path of the project, to which the paths of the metafile are relative
 */
export function bundledPackages(metafile: Metafile, projectDir: string): BundledPackages {
  const folders = new Map<string, PackageFolder | undefined>();
  const ownerOf = (input: string): PackageFolder | undefined =>
    packageOf(path.dirname(path.resolve(projectDir, input)), folders);
  const found = new Map<string, PackageFolder>();
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const owner = bytesInOutput > 0 ? ownerOf(input) : undefined;
      if (owner !== undefined) found.set(idOf(owner), owner);
    }
  }
  // Imports are followed through modules of which nothing was kept too, since a package's index often only exports from its other modules.
  const imports = new Map<string, Set<string>>();
  for (const [input, { imports: steps }] of Object.entries(metafile.inputs)) {
    const owner = ownerOf(input);
    const importer = owner === undefined ? operatorId : idOf(owner);
    const targets = steps.flatMap((step) => ownerOf(step.path) ?? []).map(idOf);
    const imported = imports.get(importer) ?? new Set();
    for (const target of targets) if (target !== importer && found.has(target)) imported.add(target);
    imports.set(importer, imported);
  }
  const importsOf = (id: string): readonly string[] => [...(imports.get(id) ?? [])].sort();
  const packages = [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, folder]) => ({ ...describe(folder), imports: importsOf(id) }));
  const unlicensed = packages.filter(({ license, texts }) => license === undefined && texts.length === 0);
  return { packages, direct: importsOf(operatorId), warnings: unlicensed.map(noLicense) };
}

/** Stands for the operator's own code where packages are named `name@version`. */
const operatorId = '';

/** Folder of an installed package. */
interface PackageFolder {
  readonly path: string;
  readonly manifest: JsonMap & { readonly name: string; readonly version: string };
}

/** Returns the identity of a package in a bundle: `name@version`. */
function idOf({ manifest }: PackageFolder): string {
  return `${manifest.name}@${manifest.version}`;
}

/**
 * Returns the installed package that contains a folder: the nearest `package.json` above it that has a name and a version, since packages
 * may contain others that only say how their modules are read.
 * @param known cache of the answers by folder
 * @returns undefined for code of the operator
 */
function packageOf(folder: string, known: Map<string, PackageFolder | undefined>): PackageFolder | undefined {
  if (known.has(folder)) return known.get(folder);
  const parent = path.dirname(folder);
  const manifest = readManifest(folder) ?? manifestByPath(folder);
  const isOther = manifest === undefined && parent !== folder;
  const isPackage = manifest !== undefined && (isInstalled(folder) || manifest.name === 'opsdk');
  const found = isOther ? packageOf(parent, known) : isPackage ? { path: folder, manifest } : undefined;
  known.set(folder, found);
  return found;
}

function isInstalled(folder: string): boolean {
  return folder.split(path.sep).includes('node_modules');
}

function readManifest(folder: string): PackageFolder['manifest'] | undefined {
  const manifest = parsed(orNothing(() => readFileSync(path.join(folder, 'package.json'), 'utf8')) ?? '');
  if (!isJsonMap(manifest)) return undefined;
  const { name, version } = manifest;
  return typeof name === 'string' && typeof version === 'string' ? { ...manifest, name, version } : undefined;
}

/**
 * Returns the name of the package that is installed in a folder, for packages whose `package.json` cannot be read or names no version: they
 * must not pass for code of the operator.
 */
function manifestByPath(folder: string): PackageFolder['manifest'] | undefined {
  const name = /[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^@.\\/][^\\/]*)$/.exec(folder)?.[1];
  return name === undefined ? undefined : { name: name.replace('\\', '/'), version: 'unknown' };
}

/** Returns undefined if a file or folder cannot be read. */
function orNothing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function describe({ path: folder, manifest }: PackageFolder): Omit<BundledPackage, 'imports'> {
  const license = licenseOf(manifest);
  const address = addressOf(manifest);
  return {
    name: manifest.name,
    version: manifest.version,
    ...(license === undefined ? {} : { license }),
    ...(address === undefined ? {} : { address }),
    texts: licenseTexts(folder, license),
  };
}

/**
 * Returns the license that a package states.
 * @see https://docs.npmjs.com/cli/configuring-npm/package-json#license, which also describes the older forms
 */
function licenseOf({ license, licenses }: JsonMap): string | undefined {
  const types = [license, ...(Array.isArray(licenses) ? (licenses as readonly unknown[]) : [licenses])]
    .map((each) => (isJsonMap(each) ? each['type'] : each))
    .filter((each): each is string => typeof each === 'string' && each.trim() !== '')
    .map((each) => each.trim());
  // A list of licenses, a form that npm no longer accepts, offers a choice.
  return types.length < 2 ? types[0] : `(${types.join(' OR ')})`;
}

function addressOf({ repository, homepage }: JsonMap): string | undefined {
  const stated = isJsonMap(repository) ? repository['url'] : repository;
  const address = [stated, homepage].find((each) => typeof each === 'string' && each !== '');
  return typeof address === 'string' ? address.replace(/^git\+/, '') : undefined;
}

const licenseFile = /^(?:un)?licen[cs]e|^copying|^copyright|^notice|^third-?party-?(?:licen[cs]e|notice)/i;

/**
 * Reads the license files in the folder of a package. Follows no links: a link could put any file of this machine into the operator's
 * image.
 */
function licenseTexts(folder: string, license: string | undefined): readonly LicenseText[] {
  const named = /^see licen[cs]e in (?:\.\/)?(.+)$/i.exec(license ?? '')?.[1];
  return (orNothing(() => readdirSync(folder, { withFileTypes: true })) ?? [])
    .filter((entry) => entry.isFile() && (entry.name === named || isText(entry.name)))
    .map(({ name }) => name)
    .sort()
    .map((file) => ({
      file,
      text: readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim(),
    }))
    .filter(({ text }) => text !== '');
}

/** Returns true for the names of license texts, not for code such as `license-check.js`. */
function isText(name: string): boolean {
  return licenseFile.test(name) && !/\.(?:[cm]?[jt]sx?|json|map|ya?ml)$/i.test(name);
}

function noLicense({ name, version }: BundledPackage): Finding {
  return {
    code: 'build/no-license',
    message: `the bundle contains ${name} ${version}, which states no license`,
    fix: ['ask its authors for one, or remove the import'],
  };
}

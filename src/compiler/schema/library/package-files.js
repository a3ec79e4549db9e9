// Finds the files of schema libraries for the bundler, as Node would, and looks at nothing else on the disk: a specifier names a package of
// a real node_modules folder, and every file that is read lies inside the package that it was asked from once every link is followed.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, sep } from 'node:path';
import { isInsideFolder } from '../../../base/util/inside-folder.js';

/**
 * @typedef {{ root: string, name: string, manifest: Record<string, unknown> }} Package
 * @typedef {{ path: string, sideEffects?: false }} Found
 */

/** An import that leads to no file, or to one that must not be read. */
export class ResolveError extends Error {
  /**
   * @param {string} message
   * @param {boolean} isOutside whether the import leads somewhere that must not be read, rather than nowhere
   */
  constructor(message, isOutside = false) {
    super(message);
    this.isOutside = isOutside;
  }
}

/** Packages that may be linked from another node_modules folder, such as a store that projects share: they are published code. */
const linkable = /^(?:zod|valibot|@valibot\/to-json-schema|arktype|arkregex|@ark\/[\w-]+)$/;

/** The package and the path in it that a specifier names; nothing else is a bare specifier, no URL and no absolute path either. */
const bareSpecifier = /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(\/.*)?$/i;

const endings = ['', '.js', '.mjs', '.cjs', '.json', '/index.js', '/index.cjs'];

/** Files of packages, each known with its package once it was resolved. */
export class PackageFiles {
  /** @type {Map<string, Package>} */
  #owners = new Map();
  /** @type {Map<string, Package>} */
  #packages = new Map();

  /**
   * Adds a folder without a package, whose files may import each other.
   * @param {string} file one of them
   */
  addFolderOf(file) {
    const path = realpathSync.native(file);
    this.#owners.set(path, { root: dirname(path), name: 'opsdk', manifest: {} });
    return path;
  }

  /**
   * @param {string} specifier
   * @param {string} importer the real path of a file
   * @param {boolean} isRequire
   * @returns {Found}
   */
  resolve(specifier, importer, isRequire) {
    const owner = this.#owners.get(importer);
    if (specifier.startsWith('.')) {
      if (owner === undefined) throw missing(specifier);
      return this.#file(owner, join(dirname(importer), specifier), specifier, endings);
    }
    const conditions = new Set([isRequire ? 'require' : 'import', 'module', 'default']);
    if (specifier.startsWith('#') && owner !== undefined) {
      const target = mapped(owner.manifest['imports'], specifier, conditions, true);
      if (target === undefined) throw missing(specifier);
      return target.startsWith('./')
        ? this.#file(owner, join(owner.root, target), specifier)
        : this.#inPackage(target, join(owner.root, 'package.json'), conditions);
    }
    return this.#inPackage(specifier, importer, conditions);
  }

  /** @param {string} specifier @param {string} importer @param {ReadonlySet<string>} conditions */
  #inPackage(specifier, importer, conditions) {
    const [, name, path = ''] = bareSpecifier.exec(specifier) ?? [];
    if (name === undefined)
      throw new ResolveError(`'${specifier}' is not the name of a package, and no path inside of one`, true);
    if (path.split(/[/\\]/).slice(1).some(isClimbing))
      throw new ResolveError(`'${specifier}' leads out of the package ${name}`, true);
    const found = this.#package(name, importer);
    if (found === undefined) throw missing(specifier);
    const { manifest, root } = found;
    if (manifest['exports'] !== undefined && manifest['exports'] !== null) {
      const target = mapped(manifest['exports'], `.${path}`, conditions, false);
      if (target === undefined) throw missing(specifier);
      return this.#file(found, join(root, target), specifier);
    }
    if (path !== '') return this.#file(found, join(root, path), specifier, endings);
    const main = [manifest['module'], manifest['main']].find(
      (each) => typeof each === 'string' && each !== '',
    );
    return this.#file(found, join(root, typeof main === 'string' ? main : 'index.js'), specifier, endings);
  }

  /**
   * The package of a name in the nearest node_modules folder above a file.
   * @param {string} name
   * @param {string} importer
   */
  #package(name, importer) {
    for (let folder = dirname(importer); ; folder = dirname(folder)) {
      if (basename(folder) !== 'node_modules') {
        const root = realPath(join(folder, 'node_modules', name));
        if (root !== undefined) return this.#allowed(name, root, importer);
      }
      if (folder === dirname(folder)) return undefined;
    }
  }

  /** @param {string} name @param {string} root @param {string} importer */
  #allowed(name, root, importer) {
    const known = this.#packages.get(root);
    if (known !== undefined) return known;
    // The folder that an importer sees may be a link. The one that counts is where the link leads, if that is a node_modules folder.
    const isInstalled = nodeModulesAbove(importer).some((folder) => isInsideFolder(folder, root));
    const isLinked = linkable.test(name) && root.endsWith(join(sep, 'node_modules', name));
    if (!isInstalled && !isLinked)
      throw new ResolveError(`the package ${name} is a link to a folder outside of node_modules`, true);
    const manifest = readManifest(root, name);
    if (!isInstalled && manifest['name'] !== name)
      throw new ResolveError(`the package ${name} is a link to another package`, true);
    const found = { root, name, manifest };
    this.#packages.set(root, found);
    return found;
  }

  /**
   * @param {Package} owner
   * @param {string} path
   * @param {string} specifier
   * @param {readonly string[]} [tried]
   * @returns {Found}
   */
  #file(owner, path, specifier, tried = ['']) {
    for (const ending of tried) {
      const file = realPath(path + ending);
      if (file !== undefined && !isInsideFolder(owner.root, file))
        throw new ResolveError(`'${specifier}' leads out of the package ${owner.name}`, true);
      if (file === undefined || !statSync(file).isFile()) continue;
      this.#owners.set(file, owner);
      return { path: file, ...(owner.manifest['sideEffects'] === false ? { sideEffects: false } : {}) };
    }
    throw missing(specifier);
  }

  /**
   * The text of a file that was resolved, and how it is read.
   * @param {string} path
   * @returns {{ contents: string, loader: 'js' | 'json' | 'ts' }}
   */
  read(path) {
    const owner = this.#owners.get(path);
    if (owner === undefined) throw new ResolveError(`${basename(path)} is not a file of a package`, true);
    const loader = loaders[extname(path)];
    if (loader === undefined || (loader === 'ts' && owner.name !== 'opsdk'))
      throw new ResolveError(`${basename(path)} of the package ${owner.name} is neither JavaScript nor JSON`);
    return { contents: readFileSync(path, 'utf8'), loader };
  }
}

/** @type {Readonly<Record<string, 'js' | 'json' | 'ts'>>} */
const loaders = { '.js': 'js', '.mjs': 'js', '.cjs': 'js', '.json': 'json', '.ts': 'ts' };

/** @param {string} specifier */
function missing(specifier) {
  return new ResolveError(`Could not resolve ${JSON.stringify(specifier)}`);
}

/** @param {string} segment */
function isClimbing(segment) {
  return segment === '..' || segment === '.' || segment === 'node_modules';
}

/**
 * The real node_modules folders in which Node looks for what a file imports.
 * @param {string} file
 */
function nodeModulesAbove(file) {
  const found = [];
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const real = realPath(basename(folder) === 'node_modules' ? folder : join(folder, 'node_modules'));
    if (real !== undefined && basename(real) === 'node_modules') found.push(real);
    if (folder === dirname(folder)) return found;
  }
}

/** @param {string} path */
function realPath(path) {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/**
 * @param {string} root
 * @param {string} name
 * @returns {Record<string, unknown>}
 */
function readManifest(root, name) {
  const file = realPath(join(root, 'package.json'));
  if (file !== undefined && !isInsideFolder(root, file))
    throw new ResolveError(`the package.json of ${name} is a link that leads out of the package`, true);
  try {
    const manifest = JSON.parse(readFileSync(file ?? '', 'utf8'));
    if (typeof manifest === 'object' && manifest !== null && !Array.isArray(manifest)) return manifest;
  } catch {
    // What the parser says quotes the file.
  }
  throw new ResolveError(`the package ${name} has no package.json that can be read`);
}

/**
 * Resolves a path by `exports` or `imports` of a package.json: Node's PACKAGE_IMPORTS_EXPORTS_RESOLVE.
 * @param {unknown} map
 * @param {string} path
 * @param {ReadonlySet<string>} conditions
 * @param {boolean} isInternal
 * @returns {string | undefined}
 */
function mapped(map, path, conditions, isInternal) {
  const isSugar =
    typeof map !== 'object' ||
    map === null ||
    Array.isArray(map) ||
    !Object.keys(map).some((key) => key.startsWith('.'));
  /** @type {Record<string, unknown>} */
  const table = isSugar && !isInternal ? { '.': map } : Object(map);
  if (Object.hasOwn(table, path) && !path.includes('*'))
    return targetOf(table[path], '', conditions, isInternal);
  const patterns = Object.keys(table)
    .filter((key) => key.split('*').length === 2)
    .sort((a, b) => b.indexOf('*') - a.indexOf('*') || b.length - a.length);
  for (const key of patterns) {
    const [start = '', end = ''] = key.split('*');
    if (!path.startsWith(start) || !path.endsWith(end) || path.length < key.length) continue;
    return targetOf(table[key], path.slice(start.length, path.length - end.length), conditions, isInternal);
  }
  return undefined;
}

/**
 * @param {unknown} target
 * @param {string} matched what stands for `*`
 * @param {ReadonlySet<string>} conditions
 * @param {boolean} isInternal
 * @returns {string | undefined}
 */
function targetOf(target, matched, conditions, isInternal) {
  if (typeof target === 'string') {
    const path = target.replaceAll('*', () => matched);
    if (!path.startsWith('./')) {
      if (isInternal && bareSpecifier.test(path)) return path;
      throw new ResolveError(`the package.json of a package names '${path}', which is outside of it`, true);
    }
    if (path.split(/[/\\]/).slice(1).some(isClimbing))
      throw new ResolveError(`the package.json of a package names '${path}', which is outside of it`, true);
    return path;
  }
  if (Array.isArray(target)) {
    for (const each of target) {
      const found = targetOf(each, matched, conditions, isInternal);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (typeof target !== 'object' || target === null) return undefined;
  for (const [condition, inner] of Object.entries(target)) {
    if (!conditions.has(condition)) continue;
    const found = targetOf(inner, matched, conditions, isInternal);
    if (found !== undefined) return found;
  }
  return undefined;
}

import { isDeepStrictEqual } from 'node:util';
import { OpSdkError } from '../../base/errors/index.ts';
import { isJsonMap, jsonMapOf, type JsonMap } from '../../base/util/json-map.ts';
import { layout } from '../project/index.ts';
import type { TextVersions } from '../scaffold/index.ts';
import { spliceJson } from './json-splice.ts';

/** A merged package.json. */
export interface MergedPackageJson {
  readonly text: string;
  /** Notes about entries that both the new version and the user have changed. The user's entries are kept. */
  readonly notes: readonly string[];
}

/**
 * Merges package.json entry by entry. An entry that the new version has changed is changed in the project, too, if the project's entry
 * equals that of the old version. A dependency that the project lists in another section stays there; the dependency on opsdk is changed by
 * {@link withDependency}. The rest of the text keeps its format.
 * @throws OpSdkError `project/cannot-edit` if the project's file is not a JSON object
 */
export function mergePackageJson({ base, edited, generated }: TextVersions): MergedPackageJson {
  parseManifest(edited);
  const versions = { base: parseManifest(base), next: parseManifest(generated) };
  const merger = new Merger(edited, versions);
  merger.object([], versions.base, versions.next);
  return { text: merger.text, notes: merger.notes };
}

/**
 * Sections of dependencies. If several sections list the same package, package managers install the version of the first one in this order.
 */
const sections = ['optionalDependencies', 'dependencies', 'devDependencies', 'peerDependencies'];

/**
 * Sets the version or path of the dependency on opsdk, in each section in which the project lists it. Keeps the operator of a range:
 * `~1.2.0` becomes `~1.3.0`.
 * @returns undefined if the project does not list it, or only in a form that the user has to change, such as `workspace:*`
 */
export function withDependency(text: string, spec: string): string | undefined {
  let changed: string | undefined;
  for (const { section, value } of dependenciesIn(text)) {
    const wanted = movedSpec(value, spec);
    if (wanted !== undefined) changed = spliceJson(changed ?? text, [section, 'opsdk'], wanted);
  }
  return changed;
}

function movedSpec(present: string, spec: string): string | undefined {
  const operator = /^([~^]?)\d+\.\d+\.\d+(?:-[\w.-]+)?$/.exec(present)?.[1];
  if (operator === undefined && packedArchive(present) === undefined)
    return present === spec ? spec : undefined;
  return operator !== undefined && spec.startsWith('^') ? `${operator}${spec.slice(1)}` : spec;
}

/** Returns the path and the version of the archive in the project to which a dependency on opsdk leads; undefined for another dependency. */
export function packedArchive(spec: string): { readonly path: string; readonly version: string } | undefined {
  const [, path, version] = /^file:(?:\.\/)?(\.op-sdk\/opsdk-([^/]+)\.tgz)$/.exec(spec) ?? [];
  return path === undefined || version === undefined ? undefined : { path, version };
}

/** Returns the dependency on opsdk that package managers install, and its section. */
export function dependencyIn(text: string): Dependency | undefined {
  return dependenciesIn(text)[0];
}

interface Dependency {
  readonly section: string;
  readonly value: string;
}

function dependenciesIn(text: string): readonly Dependency[] {
  const manifest = parseManifest(text);
  return sections.flatMap((section) => {
    const value = jsonMapOf(manifest[section])['opsdk'];
    return typeof value === 'string' ? [{ section, value }] : [];
  });
}

/** Returns true if `scripts` of a package.json has an entry. */
export function hasScript(text: string, name: string): boolean {
  return jsonMapOf(parseManifest(text)['scripts'])[name] !== undefined;
}

/**
 * Parses a package.json.
 * @throws OpSdkError `project/cannot-edit` if it is not a JSON object
 */
export function parseManifest(text: string): JsonMap {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (isJsonMap(value)) return value;
  } catch {
    // Reported below.
  }
  throw new OpSdkError({
    code: 'project/cannot-edit',
    message: `${layout.packageJson} cannot be edited: expected a JSON object`,
    where: { file: layout.packageJson },
    fix: ['correct it, and run the command again'],
  });
}

class Merger {
  text: string;
  readonly notes: string[] = [];
  readonly #base: JsonMap;
  readonly #next: JsonMap;

  constructor(text: string, versions: { readonly base: JsonMap; readonly next: JsonMap }) {
    this.text = text;
    this.#base = versions.base;
    this.#next = versions.next;
  }

  object(path: readonly string[], base: JsonMap, next: JsonMap): void {
    for (const key of new Set([...Object.keys(base), ...Object.keys(next)])) {
      const [from, to] = [valueOf(base, key), valueOf(next, key)];
      if (isDeepStrictEqual(from, to)) continue;
      const place = [...path, key];
      // `withDependency` moves the dependency on opsdk.
      if (path.length === 1 && key === 'opsdk' && sections.includes(path[0] ?? '')) continue;
      const present = this.#valueAt(place);
      if (isDeepStrictEqual(present, to)) continue;
      const isSection = path.length === 0 && sections.includes(key);
      const map = isSection && present === undefined ? {} : present;
      if (isJsonMap(to) && isJsonMap(map) && (from === undefined || isJsonMap(from)))
        this.object(place, from ?? {}, to);
      else if (!isDeepStrictEqual(present, from)) this.#keep(place, present);
      else if (to === undefined || !this.#isElsewhere(place)) this.#set(place, to, before(next, key));
    }
  }

  /** Keeps an entry that the user has changed or removed, and adds a note about it. */
  #keep(path: readonly string[], present: unknown): void {
    const entry = path.join('.');
    if (present !== undefined)
      this.notes.push(`${layout.packageJson} keeps your ${entry}, which the new version has changed.`);
    else if (!this.#isElsewhere(path))
      this.notes.push(
        `${entry} was removed from ${layout.packageJson} and stays so; the new version has changed it.`,
      );
  }

  /** Returns true, and adds a note, if the project lists a dependency in another section than the new version. */
  #isElsewhere([section = '', name, ...more]: readonly string[]): boolean {
    if (name === undefined || more.length > 0 || !sections.includes(section)) return false;
    const other = sections.find((each) => {
      const present = each === section ? undefined : this.#valueAt([each, name]);
      const [from, to] = [this.#base, this.#next].map((map) => valueOf(jsonMapOf(map[each]), name));
      // A dependency that the new version itself has moved was not moved by the user.
      return present !== undefined && to === undefined && !isDeepStrictEqual(present, from);
    });
    if (other !== undefined)
      this.notes.push(
        `${layout.packageJson} keeps ${name} in your ${other}; the new version has another one in ${section}.`,
      );
    return other !== undefined;
  }

  #set(path: readonly string[], value: unknown, after: string | undefined): void {
    const [section = '', ...inner] = path;
    const isNew = inner.length === 1 && this.#valueAt([section]) === undefined;
    if (isNew) this.text = spliceJson(this.text, [section], {}, before(this.#next, section)) ?? this.text;
    this.text = spliceJson(this.text, path, value, after) ?? this.text;
    if (isDeepStrictEqual(this.#valueAt(path), value)) return;
    throw new Error(`${layout.packageJson}: ${path.join('.')} was not written`);
  }

  #valueAt(path: readonly string[]): unknown {
    return path.reduce<unknown>((value, key) => valueOf(jsonMapOf(value), key), parseManifest(this.text));
  }
}

function valueOf(map: JsonMap, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Returns the key before another one. */
function before(map: JsonMap, key: string): string | undefined {
  const keys = Object.keys(map);
  return keys[keys.indexOf(key) - 1];
}

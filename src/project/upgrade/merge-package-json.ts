import { isDeepStrictEqual } from 'node:util';
import { OpSdkError } from '../../base/errors/index.ts';
import { isJsonMap, jsonMapOf, type JsonMap } from '../../base/util/json-map.ts';
import { layout } from '../project/index.ts';
import type { TextVersions } from '../scaffold/index.ts';
import { spliceJson } from './json-splice.ts';

/** A merged package.json. */
export interface MergedPackageJson {
  readonly text: string;
  /** Entries, such as `scripts.test`, that the new version has changed and that differ from the old version in the project. */
  readonly kept: readonly string[];
}

/**
 * Merges package.json entry by entry: what the new version changes is changed in the project if its entry is as the old version wrote it.
 * The rest of the text keeps its format.
 * @throws OpSdkError `project/cannot-edit` if the project's file is not a JSON object
 */
export function mergePackageJson({ base, edited, generated }: TextVersions): MergedPackageJson {
  parseManifest(edited);
  const merger = new Merger(edited);
  merger.object([], parseManifest(base), parseManifest(generated));
  return { text: merger.text, kept: merger.kept };
}

/**
 * Sets the version or path of the dependency on opsdk, where the project lists it. Keeps the operator of a range: `~1.2.0` becomes `~1.3.0`.
 * @returns undefined if the project does not list it, or lists it in a way that only people can change, such as `workspace:*`
 */
export function withDependency(text: string, spec: string): string | undefined {
  const present = dependencyIn(text);
  if (present === undefined) return undefined;
  const { section, value } = present;
  const operator = /^([~^]?)\d+\.\d+\.\d+(?:-[\w.-]+)?$/.exec(value)?.[1];
  if (operator === undefined && packedArchive(value) === undefined) return value === spec ? text : undefined;
  const wanted = operator !== undefined && spec.startsWith('^') ? `${operator}${spec.slice(1)}` : spec;
  return spliceJson(text, [section, 'opsdk'], wanted);
}

/** Returns the path and the version of the archive in the project to which a dependency on opsdk leads; undefined for another dependency. */
export function packedArchive(spec: string): { readonly path: string; readonly version: string } | undefined {
  const [, path, version] = /^file:(?:\.\/)?(\.op-sdk\/opsdk-([^/]+)\.tgz)$/.exec(spec) ?? [];
  return path === undefined || version === undefined ? undefined : { path, version };
}

/** Returns the dependency of a project on opsdk, and the section that lists it. */
export function dependencyIn(text: string): { readonly section: string; readonly value: string } | undefined {
  const manifest = parseManifest(text);
  for (const section of ['dependencies', 'devDependencies', 'peerDependencies']) {
    const value = jsonMapOf(manifest[section])['opsdk'];
    if (typeof value === 'string') return { section, value };
  }
  return undefined;
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
  readonly kept: string[] = [];

  constructor(text: string) {
    this.text = text;
  }

  object(path: readonly string[], base: JsonMap, next: JsonMap): void {
    for (const key of new Set([...Object.keys(base), ...Object.keys(next)])) {
      const [from, to] = [valueOf(base, key), valueOf(next, key)];
      if (isDeepStrictEqual(from, to)) continue;
      const present = this.#valueAt([...path, key]);
      if (isDeepStrictEqual(present, to)) continue;
      if (isJsonMap(to) && isJsonMap(present) && (from === undefined || isJsonMap(from)))
        this.object([...path, key], from ?? {}, to);
      else if (isDeepStrictEqual(present, from)) this.#set([...path, key], to, before(next, key));
      // An entry that somebody has removed stays so.
      else if (present !== undefined) this.kept.push([...path, key].join('.'));
    }
  }

  #set(path: readonly string[], value: unknown, after: string | undefined): void {
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

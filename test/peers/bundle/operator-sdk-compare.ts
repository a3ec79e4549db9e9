import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonMap } from '../../../src/base/util/json-map.ts';
import { parseYaml } from '../../../src/kubernetes/yaml/read-yaml.ts';

/** A place where two bundles say different things. */
export interface Difference {
  /** The file and the field: `csv spec.version`, or the file alone if only one bundle has it. */
  readonly path: string;
  /** What operator-sdk writes; undefined where it writes nothing. */
  readonly theirs: unknown;
  /** What op-sdk writes; undefined where it writes nothing. */
  readonly ours: unknown;
}

/** All places where two values differ in meaning. Lists are compared item by item. */
export function compareValues(theirs: unknown, ours: unknown, path: string): readonly Difference[] {
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    const length = Math.max(theirs.length, ours.length);
    return Array.from({ length }, (_, index) =>
      compareValues(theirs[index], ours[index], `${path}[${index}]`),
    ).flat();
  }
  if (isJsonMap(theirs) && isJsonMap(ours)) {
    const keys = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].sort();
    const dot = path.endsWith(' ') ? '' : '.';
    return keys.flatMap((key) => compareValues(theirs[key], ours[key], `${path}${dot}${key}`));
  }
  return Object.is(theirs, ours) ? [] : [{ path, theirs, ours }];
}

/** All places where two bundles differ, `bundle.Dockerfile` included. The ClusterServiceVersion is called `csv`. */
export function compareBundles(theirs: string, ours: string): readonly Difference[] {
  const [left, right] = [filesOf(theirs), filesOf(ours)];
  const names = [...new Set([...left.keys(), ...right.keys()])].sort();
  return names.flatMap((name) => {
    const [a, b] = [left.get(name), right.get(name)];
    if (a === undefined || b === undefined)
      return [{ path: name, theirs: a !== undefined, ours: b !== undefined }];
    const shown = name.endsWith('.clusterserviceversion.yaml') ? 'csv' : name;
    return compareValues(a, b, `${shown} `);
  });
}

/** The files of the bundle in a project, parsed. */
function filesOf(project: string): ReadonlyMap<string, unknown> {
  const files = new Map<string, unknown>();
  for (const folder of ['manifests', 'metadata', 'tests/scorecard']) {
    const path = join(project, 'bundle', folder);
    if (!existsSync(path)) continue;
    for (const name of readdirSync(path)) {
      const file = `${folder}/${name}`;
      files.set(file, parseYaml(readFileSync(join(path, name), 'utf8'), file).value);
    }
  }
  const dockerfile = readFileSync(join(project, 'bundle.Dockerfile'), 'utf8');
  const instructions = dockerfile.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  files.set('bundle.Dockerfile', Object.fromEntries(instructions.map((line) => [line, true])));
  return files;
}

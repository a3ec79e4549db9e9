import { isDeepStrictEqual } from 'node:util';
import { OpSdkError } from '../../base/errors/index.ts';
import { layout } from '../project/index.ts';
import { isJsonMap, jsonMapOf, type JsonMap } from '../../base/util/json-map.ts';

/**
 * Adds a development dependency to the text of package.json, in alphabetical order. An existing entry is not changed.
 * @throws OpSdkError `project/cannot-edit`, with the text to add by hand
 */
export function withDevDependency(text: string, name: string, range: string): string {
  const entry = `${JSON.stringify(name)}: ${JSON.stringify(range)}`;
  const values = devDependenciesIn(text);
  if (values !== undefined && Object.hasOwn(values, name)) return text;
  const edited = inserted(text, name, entry);
  // The search may have found another object than the real devDependencies of package.json, so the result is verified.
  if (values !== undefined && isDeepStrictEqual(devDependenciesIn(edited), { ...values, [name]: range }))
    return edited;
  throw new OpSdkError({
    code: 'project/cannot-edit',
    message: `${layout.packageJson} cannot be edited: expected an object of devDependencies on its own lines`,
    where: { file: layout.packageJson },
    fix: [`add this to its devDependencies, and run the command again:\n${entry}`],
  });
}

function devDependenciesIn(text: string): JsonMap | undefined {
  try {
    const { devDependencies } = jsonMapOf(JSON.parse(text));
    return isJsonMap(devDependencies) ? devDependencies : undefined;
  } catch {
    return undefined;
  }
}

/** Inserts the entry into the first text that looks like the devDependencies object. */
function inserted(text: string, name: string, entry: string): string {
  const key = /^[ \t]*"devDependencies"\s*:\s*\{/m.exec(text);
  if (key === null) return text;
  const start = key.index + key[0].length;
  const inner = text.slice(start, text.indexOf('}', start));
  const entries = [...inner.matchAll(/"((?:[^"\\]|\\.)*)"\s*:\s*"(?:[^"\\]|\\.)*"/g)];
  const next = entries.find(([, other = '']) => other > name);
  const last = entries.at(-1);
  // Indent the entry like its neighbours.
  if (next !== undefined) {
    const at = start + next.index;
    const gap = /\s*$/.exec(text.slice(0, at))?.[0] ?? '';
    return `${text.slice(0, at)}${entry},${gap}${text.slice(at)}`;
  }
  if (last === undefined) return `${text.slice(0, start)} ${entry} ${text.slice(start + inner.length)}`;
  const at = start + last.index + last[0].length;
  const gap = /\s*$/.exec(text.slice(0, start + last.index))?.[0] ?? '';
  return `${text.slice(0, at)},${gap}${entry}${text.slice(at)}`;
}

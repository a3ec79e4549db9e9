import path from 'node:path';
import { parseYaml } from '../../kubernetes/yaml/read-yaml.ts';

/** Entries of `resources` of a kustomization, normalized; undefined if that cannot be known: it cannot be read, or has components. */
export function kustomizationEntries(text: string, file: string): readonly string[] | undefined {
  let value: unknown;
  try {
    ({ value } = parseYaml(text, file));
  } catch {
    // Rendering it says what is wrong.
    return undefined;
  }
  const { resources = [], components } = (value ?? {}) as {
    readonly resources?: unknown;
    readonly components?: unknown;
  };
  if (!Array.isArray(resources) || components !== undefined) return undefined;
  return resources.map((each) => path.posix.normalize(String(each)));
}

/** True if a comment that begins with these characters holds a text: somebody has switched it off. */
export function isCommentedOut(text: string, comment: string, wanted: string): boolean {
  return text.split('\n').some((line) => {
    const at = line.indexOf(comment);
    return at >= 0 && line.includes(wanted, at);
  });
}

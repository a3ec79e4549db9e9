import { toYaml } from './to-yaml.ts';

/**
 * The lines of one entry of a map or list, as `toYaml` writes them at that place of a larger document: where text is folded depends on
 * the column.
 *
 * @param label what the first line begins with: two blanks for each level, then a key with its colon or the dash of an item, such as
 *   `  names:` or `  -`. Items are at the column of the key of their list.
 * @returns without a line break at the end
 * @throws TypeError for another label, and as `toYaml` does
 */
export function yamlEntry(label: string, value: unknown): string {
  const [match, indentation = '', key] = /^((?: {2})*)(?:-|(\w+):)$/.exec(label) ?? [];
  if (match === undefined)
    throw new TypeError(`expected a label such as "  names:" or "  -", got ${JSON.stringify(label)}`);
  const levels = indentation.length / 2;
  let document: unknown = key === undefined ? { a: [value] } : { [key]: value };
  for (let level = 0; level < levels; level++) document = { a: document };
  // The lines above it are those of the levels.
  const above = levels + (key === undefined ? 1 : 0);
  return toYaml(document).split('\n').slice(above).join('\n').slice(0, -1);
}

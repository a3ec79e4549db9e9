import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every file below a folder with a hash of its content, folders too: equal trees are equal objects. */
export function treeOf(folder: string, skip: readonly string[] = ['node_modules']): Record<string, string> {
  const tree: Record<string, string> = {};
  const walk = (relative: string): void => {
    for (const name of readdirSync(join(folder, relative)).sort()) {
      if (skip.includes(name)) continue;
      const path = relative === '' ? name : `${relative}/${name}`;
      const stat = lstatSync(join(folder, path));
      if (stat.isDirectory()) {
        tree[`${path}/`] = 'folder';
        walk(path);
      } else {
        tree[path] = createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex');
      }
    }
  };
  walk('');
  return tree;
}

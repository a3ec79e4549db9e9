import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pushLayerImage } from './layer-image.ts';
import { accountFiles, copiesOf, linkedLibraries } from './linked-files.ts';

/** Pushes a base for operators from what this machine has: Node, the libraries that it is linked to, and the user 65532. */
export async function pushNodeBaseImage(reference: string): Promise<void> {
  const node = realpathSync(process.execPath);
  const libraries = linkedLibraries([node]);
  // Looked up by name, not linked to.
  const libc = libraries.find((path) => /\/libc\.so/.test(path)) ?? '';
  const lookups = ['libnss_dns.so.2', 'libnss_files.so.2']
    .map((name) => join(libc, '..', name))
    .filter((path) => existsSync(path));
  await pushLayerImage({
    reference,
    files: [
      { path: 'usr/local/bin/node', content: readFileSync(node), mode: 0o755 },
      ...copiesOf([...libraries, ...lookups]),
      ...accountFiles,
      { path: 'tmp', mode: 0o1777 },
    ],
    config: { Env: ['PATH=/usr/local/bin'] },
  });
}

import { join } from 'node:path';
import { OpSdkError } from '../../../base/errors/index.ts';
import { pathExists } from '../../../base/util/fs.ts';
import { kustomizationNames } from '../load/load-folder.ts';

/**
 * The kustomization of a folder.
 *
 * @param folder absolute
 * @param shown the folder as findings name it
 * @returns its name
 * @throws OpSdkError unless there is exactly one
 */
export async function findKustomization(folder: string, shown: string): Promise<string> {
  const present = await Promise.all(
    kustomizationNames.map(async (name) => ((await pathExists(join(folder, name))) ? [name] : [])),
  );
  const [first, ...others] = present.flat();
  if (first !== undefined && others.length === 0) return first;
  throw new OpSdkError({
    code: 'kustomize/no-kustomization',
    message:
      first === undefined
        ? `${shown} holds no kustomization.yaml`
        : `${shown} holds several kustomizations: ${[first, ...others].join(', ')}`,
    where: { file: shown },
    fix: [first === undefined ? 'go to its folder, or name it by --dir' : 'keep one of them'],
  });
}

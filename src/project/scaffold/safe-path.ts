import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Finding } from '../../base/errors/index.ts';
import { errnoOf } from '../../base/util/fs.ts';

/**
 * Where a path of a plan really lies: symbolic links are followed as long as they stay inside `root`.
 * @param root absolute
 * @param path relative to `root`, with forward slashes
 * @returns the absolute path of the file to write, or a finding if the path leads out of `root`
 */
export async function resolveInside(
  root: string,
  path: string,
): Promise<{ target: string } | { finding: Finding }> {
  const outside = (message: string): { finding: Finding } => ({
    finding: {
      code: 'scaffold/outside-project',
      message,
      where: { file: path },
      fix: ['replace the link by a file or folder of the project'],
    },
  });
  const steps = path.split('/');
  if (isAbsolute(path) || steps.some((step) => step === '' || step === '.' || step === '..')) {
    return outside(`${JSON.stringify(path)} is not a path inside the project`);
  }
  const realRoot = await realpath(root);
  const wanted = join(realRoot, ...steps);
  const existing = await deepestExisting(wanted);
  let real: string;
  try {
    real = await realpath(existing);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    return outside(`${path} is or passes through a symbolic link to nothing`);
  }
  if (real !== realRoot && !real.startsWith(realRoot + sep)) {
    return outside(`${path} passes through a symbolic link that leads out of the project`);
  }
  return { target: join(real, relative(existing, wanted)) };
}

async function deepestExisting(path: string): Promise<string> {
  try {
    await lstat(path);
    return path;
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) throw error;
    return deepestExisting(dirname(path));
  }
}

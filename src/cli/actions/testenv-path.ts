import { OpSdkError } from '../../base/errors/index.ts';
import { missingAssets } from '../../testing/index.ts';
import type { Action } from '../command.ts';
import type { command } from '../commands/testenv-path.ts';

/** `op-sdk testenv path`. */
export const run: Action<typeof command> = async ({ env }, options) => {
  const requested = options.version;
  const wanted = requested === undefined ? {} : { version: requested };
  const { version, folder, missing } = await missingAssets({ ...wanted, env });
  if (missing.length === 0) return { result: { version, folder }, text: folder };
  throw new OpSdkError({
    code: 'testenv/not-installed',
    message: `Kubernetes ${version} is not installed`,
    where: { file: folder },
    fix: [`op-sdk testenv install --version ${version}`],
  });
};

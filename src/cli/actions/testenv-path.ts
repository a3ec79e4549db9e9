import { OpSdkError } from '../../base/errors/index.ts';
import { missingAssets } from '../../testing/assets/install-assets.ts';
import type { Action } from '../command.ts';

/** `op-sdk testenv path`. */
export const run: Action = async ({ env }, options) => {
  const requested = options['version'] as string | undefined;
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

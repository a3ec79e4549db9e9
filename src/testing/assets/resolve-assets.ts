import { resolve } from 'node:path';
import { OpSdkError } from '../../base/errors/index.ts';
import { missingBinaries, requiredBinaries } from './binaries.ts';
import { installAssets, type AssetsRequest } from './install-assets.ts';

/** A folder with binaries, and who says so. */
export interface ResolvedAssets {
  /** Absolute. */
  readonly folder: string;
  /** The option `folder`, the variable, or the cache. */
  readonly from: 'given' | 'KUBEBUILDER_ASSETS' | 'cache';
}

/**
 * Finds the binaries of a control plane: in the given folder, in KUBEBUILDER_ASSETS if that is set, else in the cache, into
 * which they are installed if need be.
 * @throws OpSdkError testenv/missing-binaries, and those of {@link installAssets}
 */
export async function resolveAssets(
  request: AssetsRequest & { readonly folder?: string } = {},
): Promise<ResolvedAssets> {
  if (request.folder !== undefined) return { folder: await checked(request.folder, request), from: 'given' };
  const variable = (request.env ?? process.env)['KUBEBUILDER_ASSETS'] ?? '';
  if (variable !== '') return { folder: await checked(variable, request), from: 'KUBEBUILDER_ASSETS' };
  return { folder: (await installAssets(request)).folder, from: 'cache' };
}

async function checked(
  given: string,
  request: AssetsRequest & { readonly folder?: string },
): Promise<string> {
  const folder = resolve(given);
  const missing = await missingBinaries(folder, requiredBinaries(request.controllerManager ?? false));
  if (missing.length === 0) return folder;
  const name = request.folder === undefined ? 'KUBEBUILDER_ASSETS' : 'the folder for the binaries';
  throw new OpSdkError({
    code: 'testenv/missing-binaries',
    message: `${name} is ${given}, which holds no executable ${missing.join(', ')}`,
    where: { file: given },
    fix: [
      'put the missing binaries there',
      request.folder === undefined
        ? 'unset KUBEBUILDER_ASSETS and run: op-sdk testenv install'
        : 'give no folder and run: op-sdk testenv install',
    ],
  });
}

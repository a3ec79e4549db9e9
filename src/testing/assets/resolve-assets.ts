import { resolve } from 'node:path';
import { OpSdkError } from '../../errors/index.ts';
import { missingBinaries, requiredBinaries } from './binaries.ts';

/** Which binaries are wanted. */
export interface AssetsRequest {
  /** Default: {@link defaultVersion}. */
  readonly version?: string;
  /** Whether kube-controller-manager is needed too. */
  readonly controllerManager?: boolean;
  /** Told what happens, line by line. Default: lines on stderr. */
  readonly progress?: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** A folder with binaries. */
export interface Assets {
  readonly folder: string;
}

/**
 * Finds the binaries of a control plane.
 * @throws OpSdkError testenv/missing-binaries, testenv/no-binaries
 */
export async function resolveAssets(request: AssetsRequest = {}): Promise<Assets> {
  const required = requiredBinaries(request.controllerManager ?? false);
  const given = process.env['KUBEBUILDER_ASSETS'] ?? '';
  if (given !== '') {
    const folder = resolve(given);
    const missing = await missingBinaries(folder, required);
    if (missing.length === 0) return { folder };
    throw new OpSdkError({
      code: 'testenv/missing-binaries',
      message: `KUBEBUILDER_ASSETS is ${given}, which holds no executable ${missing.join(', ')}`,
      where: { file: given },
      fix: ['put the missing binaries there', 'unset KUBEBUILDER_ASSETS and run: op-sdk testenv install'],
    });
  }
  throw new OpSdkError({
    code: 'testenv/no-binaries',
    message: 'no binaries',
    fix: ['set KUBEBUILDER_ASSETS'],
  });
}

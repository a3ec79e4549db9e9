import { OpSdkError, type Where } from '../../../base/errors/index.ts';
import { limits } from '../load/limits.ts';
import type { Json } from '../resource.ts';
import { copyJson } from './copy-json.ts';

/** Copies JSON values, up to the limit of a build. */
export type Copy = <T extends Json>(value: T) => T;

/**
 * A copier for one step of a build: patches and replacements can copy what they have copied, and so multiply without end.
 *
 * @param where asked for the place that the error names
 * @returns throws OpSdkError `kustomize/too-large` once all copies together hold too many values
 */
export function copier(where: () => Where): Copy {
  let values = 0;
  const count = (): void => {
    if (++values <= limits.values) return;
    throw new OpSdkError({
      code: 'kustomize/too-large',
      message: `patches or replacements copy more than ${limits.values} values`,
      where: where(),
      fix: ['split the build, or take out what does not belong in it'],
    });
  };
  return (value) => copyJson(value, count);
}

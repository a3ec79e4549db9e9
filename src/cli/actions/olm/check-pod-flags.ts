import { FindingList } from '../../../base/errors/index.ts';
import { defaultIndexImage } from '../../../olm/run/index.ts';
import type { RunBundleOptions } from '../../flags/run-bundle-flags.ts';
import { invalidFlag } from '../input/flag-values.ts';
import type { BundleToRun } from './open-bundle-to-run.ts';

/**
 * Refuses flags that say nothing: those of the Pod that serves the catalogue where there is none, and the repository for images where
 * none is pushed.
 *
 * @throws OpSdkError `cli/invalid-value`, one finding for each flag
 */
export function checkPodFlags(
  options: RunBundleOptions,
  { isServedByPod, bundle }: { readonly isServedByPod: boolean; readonly bundle: BundleToRun },
): void {
  const findings = new FindingList();
  if (isServedByPod && !bundle.isFolder && options.pushTo !== undefined)
    findings.add(
      invalidFlag(
        '--push-to',
        'nothing is pushed: the bundle is an image, and ConfigMaps hold its catalogue',
        'leave --push-to out',
      ),
    );
  if (!isServedByPod)
    for (const [flag, value] of [
      ['--decompression-image', options.decompressionImage],
      ['--image-pull-policy', options.imagePullPolicy],
      ['--service-account', options.serviceAccount],
    ] as const)
      if (value !== undefined)
        findings.add(
          invalidFlag(
            flag,
            `${flag} is for the Pod of --index-image`,
            `leave it out, or have a Pod serve the catalogue: --index-image ${defaultIndexImage}`,
          ),
        );
  findings.throwIfAny();
}

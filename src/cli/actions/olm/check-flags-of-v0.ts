import type { OlmVersion } from '../../../olm/catalog/index.ts';
import { FindingList } from '../../../base/errors/index.ts';
import type { RunBundleOptions } from '../../flags/run-bundle-flags.ts';

/**
 * Refuses what only OLM v0 knows.
 *
 * @throws OpSdkError `olm/flag-of-other-version`, one finding for each flag
 */
export function checkFlagsOfV0(
  olm: OlmVersion,
  options: RunBundleOptions & { readonly installMode?: string },
): void {
  if (olm === 'v0') return;
  const findings = new FindingList();
  for (const [flag, value, fix] of [
    ['--install-mode', options.installMode, 'leave it out: OLM v1 installs operators for all namespaces'],
    ...podFlags(options).map(
      ([flag, value]) =>
        [flag, value, 'leave it out: OLM v1 reads catalogues from images; push one with --push-to'] as const,
    ),
    [
      '--pull-secret-name',
      options.pullSecretName,
      'leave it out: OLM v1 pulls by the pull secrets of its own namespace and of its ServiceAccounts',
    ],
    [
      '--security-context-config',
      options.securityContextConfig,
      'leave it out: OLM v1 reads catalogues without a Pod for each',
    ],
  ] as const)
    if (value !== undefined)
      findings.add({
        code: 'olm/flag-of-other-version',
        message: `${flag} is for OLM v0; this installation is by OLM v1`,
        where: { flag },
        fix: [fix],
      });
  findings.throwIfAny();
}

/** The flags of the Pod that serves a catalogue of ConfigMaps, and their values. */
function podFlags({ indexImage, decompressionImage, imagePullPolicy, serviceAccount }: RunBundleOptions) {
  return [
    ['--index-image', indexImage],
    ['--decompression-image', decompressionImage],
    ['--image-pull-policy', imagePullPolicy],
    ['--service-account', serviceAccount],
  ] as const;
}

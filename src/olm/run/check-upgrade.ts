import type { KubeObject } from '../../sdk/api/index.ts';
import { compareSemver, parseSemver } from '../catalog/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { isRunCatalog } from './run-label.ts';
import { runNames } from './run-names.ts';

/** Installed operator, by either version of OLM. */
interface Installed {
  /** The name of its catalogue; `''` if it may come from any. */
  readonly source: string;
  readonly catalog: KubeObject | undefined;
  readonly csv: string;
  readonly version: string;
}

/** Tells a catalogue of `run bundle` from those of others; one that was deleted by its name. */
export function isOwnCatalog(
  { packageName }: { readonly packageName: string },
  { source, catalog }: Pick<Installed, 'source' | 'catalog'>,
): boolean {
  return catalog === undefined ? source === runNames(packageName, '').catalog : isRunCatalog(catalog);
}

/**
 * Checks that a bundle can be the update of what is installed.
 *
 * @throws OpSdkError `olm/not-installed-yet`, `olm/foreign-catalog`, `olm/not-newer`
 */
export function checkUpgrade(
  bundle: { readonly packageName: string; readonly csv: string; readonly version: string },
  { source, catalog, csv, version }: Installed,
): void {
  const { packageName } = bundle;
  if (!isOwnCatalog(bundle, { source, catalog })) {
    const from = source === '' ? 'from any catalogue that has it' : `from the catalogue ${source}`;
    throw new OpSdkError({
      code: 'olm/foreign-catalog',
      message: `${packageName} is installed ${from}; expected a catalogue of \`op-sdk run bundle\``,
      where: { object: source === '' ? packageName : source },
      fix: [
        'add the bundle to its catalogue and push that: op-sdk catalog add, op-sdk catalog push',
        `or remove the operator, and install it by op-sdk run bundle: op-sdk cleanup ${packageName}`,
      ],
    });
  }
  if (csv === '' || version === '')
    throw new OpSdkError({
      code: 'olm/not-installed-yet',
      message: `OLM has not installed ${packageName} yet, and only what is installed can be upgraded`,
      where: { object: packageName },
      fix: [
        'continue its installation: op-sdk run bundle BUNDLE, with the bundle that it was begun with',
        `or remove it, and install the new version at once: op-sdk cleanup ${packageName}`,
      ],
    });
  const [before, after] = [parseSemver(version), parseSemver(bundle.version)];
  if (before === undefined || after === undefined || compareSemver(after, before) > 0) return;
  throw new OpSdkError({
    code: 'olm/not-newer',
    message: `${bundle.csv} is ${bundle.version}; the installed ${csv} is ${version}, and OLM goes to later versions only`,
    where: { object: bundle.csv },
    fix: [
      'give the bundle a later version: op-sdk generate bundle --version VERSION',
      `or remove the operator, and install this version: op-sdk cleanup ${packageName}`,
    ],
  });
}

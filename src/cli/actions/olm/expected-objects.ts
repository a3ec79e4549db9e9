import { isOpSdkError, OpSdkError, type Finding } from '../../../base/errors/index.ts';
import {
  checkRelease,
  knownObjects,
  olmFacts,
  releaseMajors,
  type InstalledOlm,
} from '../../../olm/install/index.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import { downloadRelease, manifestObjects, type WantedRelease } from './olm-release.ts';

/** Objects with which those on a cluster are compared. */
export interface ExpectedObjects {
  /** @throws OpSdkError `olm/other-version` if the cluster has another version than the flags name */
  of(installed: InstalledOlm): Promise<readonly PlacedObject[]>;
  /** Warnings about parts that could not be compared. */
  readonly warnings: readonly Finding[];
}

/**
 * The objects of releases: those of `--manifests`, else those of the installed version, downloaded once, else those that every
 * release has.
 *
 * @throws OpSdkError for `--manifests` that cannot be read, or are not those of OLM
 */
export async function expectedObjects(context: CliContext, wanted: WantedRelease): Promise<ExpectedObjects> {
  const { olm, version, manifests, sha256 } = wanted;
  const given = manifests.length === 0 ? [] : await manifestObjects(context, wanted);
  const majors = olm === undefined ? releaseMajors(given) : [olm];
  const releases = manifests.length === 0 ? [] : majors.map((major) => checkRelease(major, given));
  if (manifests.length > 0 && releases.length === 0) checkRelease('v0', given);
  const known = new Map<string, Promise<readonly PlacedObject[]>>();
  const warnings: Finding[] = [];
  const without = (installed: InstalledOlm, reason: string): readonly PlacedObject[] => {
    warnings.push({
      code: 'olm/no-manifests',
      message: `OLM ${installed.olm}: only the objects that every release has are checked: ${reason}`,
      fix: ['name the manifests of the release with --manifests'],
    });
    return knownObjects(installed);
  };
  const read = async (installed: InstalledOlm): Promise<readonly PlacedObject[]> => {
    const release = releases.find((each) => each.olm === installed.olm);
    if (release !== undefined) return release.objects;
    if (installed.version === undefined) return without(installed, 'its version is unknown');
    // Platforms bring an OLM of their own, from other manifests.
    if (installed.namespace !== undefined && installed.namespace !== olmFacts[installed.olm].namespace)
      return without(installed, `it is in the namespace ${installed.namespace}, where no release puts it`);
    try {
      const objects = await downloadRelease(context, installed.olm, {
        ...{ version: installed.version, sha256, isUsed: false, retry: false },
      });
      return checkRelease(installed.olm, objects).objects;
    } catch (error) {
      if (!isOpSdkError(error)) throw error;
      return without(installed, error.findings[0].message);
    }
  };
  return {
    warnings,
    of(installed) {
      const expected = version ?? releases.find((each) => each.olm === installed.olm)?.version;
      if (expected !== undefined && installed.version !== undefined && installed.version !== expected)
        throw otherVersion(installed, expected);
      const key = `${installed.olm} ${installed.version ?? ''} ${installed.namespace ?? ''}`;
      const objects = known.get(key) ?? read(installed);
      known.set(key, objects);
      return objects;
    },
  };
}

function otherVersion({ olm, version }: InstalledOlm, expected: string): OpSdkError {
  return new OpSdkError({
    code: 'olm/other-version',
    message: `OLM ${olm} is installed in version ${version ?? ''}, expected ${expected}`,
    fix: ['leave --version and --manifests out, to see the release that is installed'],
  });
}

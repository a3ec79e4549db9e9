import { defineCommand, type CliContext } from '../command.ts';
import { olmFlags } from '../flags/olm-flags.ts';
import type { OlmVersion } from '../../olm/catalog/index.ts';
import { pollCluster } from '../../cluster/index.ts';
import { type Finding, isOpSdkError, OpSdkError } from '../../base/errors/index.ts';
import {
  findOlms,
  healthText,
  nameOf,
  olmState,
  stateFindings,
  type OlmState,
  checkRelease,
  knownObjects,
  olmFacts,
  releaseMajors,
  type InstalledOlm,
} from '../../olm/install/index.ts';
import { textTable } from '../ui/object-lines.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import { connect } from '../actions/cluster/connect.ts';
import { durationFlag } from '../actions/input/flag-values.ts';
import {
  wantedRelease,
  downloadRelease,
  manifestObjects,
  type WantedRelease,
} from '../actions/olm/olm-release.ts';

export const command = defineCommand({
  flags: {
    ...olmFlags({
      olm: 'those on the cluster',
      version: 'that on the cluster',
      timeout: 'wait so long for OLM to be healthy (default: do not wait)',
    }),
  },
  help: `
Shows which OLM the cluster has, in which version, each object of its release, and its catalogues. Exits 1 if OLM is not
there, or an object is missing or unhealthy. A catalogue that is not served is a warning.

The objects are those of the manifests of the release. If these cannot be downloaded, the objects that every release has
are shown.`,
  async run(context, options) {
    const wanted = wantedRelease(options);
    const timeout = durationFlag('--timeout', options.timeout, 0);
    const { signal, report } = context;
    const step = (line: string): void => report.step(line);
    const client = await connect(context, options);
    try {
      const expected = await expectedObjects(context, wanted);
      let states: readonly OlmState[] = [];
      const look = async (): Promise<true | undefined> => {
        const found = (await findOlms(client, { signal })).filter(
          ({ olm }) => wanted.olm === undefined || olm === wanted.olm,
        );
        const seen: OlmState[] = [];
        for (const olm of found) seen.push(await olmState(client, olm, await expected.of(olm), { signal }));
        states = seen;
        const isHealthy =
          states.length > 0 && states.every((each) => stateFindings(each).errors.length === 0);
        if (!isHealthy && timeout > 0) step('waiting for OLM to be healthy');
        return isHealthy ? true : undefined;
      };
      await pollCluster(look, { timeout, interval: 2_000, signal, onProgress: step });
      const findings = states.map(stateFindings);
      return {
        result: { olms: states },
        ...(states.length === 0 ? {} : { text: states.map(textOf).join('\n\n') }),
        warnings: [...expected.warnings, ...findings.flatMap((each) => each.warnings)],
        errors: states.length === 0 ? [notInstalled(wanted.olm)] : findings.flatMap((each) => each.errors),
      };
    } finally {
      await client.close();
    }
  },
});

/** Expected objects of OLM, with which the objects on a cluster are compared. */
export interface ExpectedObjects {
  /**
   * Returns the expected objects for an installed OLM. @throws OpSdkError `olm/other-version` if the cluster has another version than the
   * flags name
   */
  of(installed: InstalledOlm): Promise<readonly PlacedObject[]>;
  /** Warnings about parts of the OLM installation that could not be compared. */
  readonly warnings: readonly Finding[];
}

/**
 * Determines the objects with which an installation is compared: the objects of `--manifests`; without this flag, the objects of the
 * installed release, downloaded once; if these are not available, the objects that every release has.
 *
 * @throws OpSdkError for `--manifests` that cannot be read, or that are not manifests of OLM
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
      message: `OLM ${installed.olm}: the objects of the installed release are unknown, so only those that every release has are checked: ${reason}`,
      fix: ['name the manifests of the release with --manifests'],
    });
    return knownObjects(installed);
  };
  const read = async (installed: InstalledOlm): Promise<readonly PlacedObject[]> => {
    const release = releases.find((each) => each.olm === installed.olm);
    if (release !== undefined) return release.objects;
    if (installed.version === undefined) return without(installed, 'its version is unknown');
    // Some platforms include their own OLM, which is installed from other manifests and cannot be compared with a release.
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

function notInstalled(olm: OlmVersion | undefined): Finding {
  return {
    code: 'olm/not-installed',
    message: `${olm === undefined ? 'OLM' : `OLM ${olm}`} is not on the cluster`,
    fix: [`install it: op-sdk olm install --olm ${olm ?? 'v0'}`],
  };
}

function textOf({ olm, version, namespace, objects, catalogues }: OlmState): string {
  const title = [
    `OLM ${olm}`,
    version ?? 'of an unknown version',
    ...(namespace === undefined ? [] : [`in namespace ${namespace}`]),
  ].join(' ');
  const rows = objects.map((each) => [each.name, each.namespace ?? '', each.kind, healthText(each)]);
  const served = catalogues.map((each) => [nameOf(each), each.serving ? 'served' : 'not served', each.state]);
  return [
    title,
    '',
    textTable([['NAME', 'NAMESPACE', 'KIND', 'STATUS'], ...rows]),
    ...(served.length === 0 ? [] : ['', textTable([['CATALOGUE', 'SERVED', 'STATE'], ...served])]),
  ].join('\n');
}

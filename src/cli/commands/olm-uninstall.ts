import { defineCommand, type CliContext, type CommandOutcome, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { serverDryRunFlag } from '../flags/common.ts';
import { olmFlags } from '../flags/olm-flags.ts';
import type { OlmVersion } from '../../olm/catalog/index.ts';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import {
  checkRelease,
  findOlms,
  releaseMajors,
  uninstallOlm,
  type InstalledOlm,
  type OlmRelease,
} from '../../olm/install/index.ts';
import { Interrupted } from '../ui/interrupted.ts';
import { objectLog } from '../ui/object-lines.ts';
import { askYesOrNo } from '../ui/prompts.ts';
import { connect } from '../actions/cluster/connect.ts';
import { missingFlag, durationFlag } from '../actions/input/flag-values.ts';
import {
  downloadRelease,
  manifestObjects,
  wantedRelease,
  type WantedRelease,
} from '../actions/olm/olm-release.ts';

const flags = {
  ...olmFlags({
    olm: 'the one on the cluster',
    version: 'that on the cluster',
    timeout: 'how long to wait in each step (default: 2m)',
  }),
  yes: flag.boolean('remove OLM without asking'),
  force: flag.boolean('remove also the operators that OLM has installed, and finalizers'),
  ...serverDryRunFlag,
};

export const command = defineCommand({
  flags,
  help: `
Deletes everything that op-sdk olm install applies, and what OLM has made for itself elsewhere. Refuses while Subscriptions,
ClusterServiceVersions or ClusterExtensions exist, and lists them; --force deletes them too. CustomResourceDefinitions of operators that OLM v0
has installed stay.

Asks on a terminal; without a terminal it needs --yes, and --sha256 for each downloaded file that op-sdk does not know.`,
  async run(context, options) {
    const wanted = wantedRelease(options);
    const timeout = durationFlag('--timeout', options.timeout, defaultTimeout);
    const dryRun = options.dryRun === true;
    const client = await connect(context, options);
    try {
      const installed = await findOlms(client, { signal: context.signal });
      const release = await releaseToRemove(context, wanted, installed, !dryRun);
      if (release === undefined) return notThere(context, wanted, dryRun);
      const log = objectLog(context, { dryRun, json: options.output === 'json' });
      const { olm, version = null } = release;
      const result = { olm, version, dryRun, objects: log.outcomes };
      try {
        await uninstallOlm({
          client,
          release,
          dryRun,
          force: options.force === true,
          timeout,
          signal: context.signal,
          onConfirm: async (losses) => {
            for (const warning of await confirm(context, options, release, losses)) log.warning(warning);
          },
          onOutcome: (outcome, title) => log.outcome(outcome, title),
          onProgress: (line) => context.report.step(line),
        });
        return { result, warnings: log.warnings };
      } catch (error) {
        return log.failed(error, result);
      }
    } finally {
      await client.close();
    }
  },
});

type Options = ParsedOptions<typeof flags>;

/** Default of `--timeout`, in milliseconds. */
const defaultTimeout = 120_000;

function notThere(context: CliContext, { olm }: WantedRelease, dryRun: boolean): CommandOutcome {
  const name = olm === undefined ? 'OLM' : `OLM ${olm}`;
  context.report.info(
    `${name} is not on the cluster; to delete what is left of an incomplete removal, pass --olm and --version`,
  );
  return { result: { olm: olm ?? null, version: null, dryRun, objects: [] } };
}

/** Returns the release of OLM to remove. @returns undefined if the flags name no release, and OLM is not on the cluster */
async function releaseToRemove(
  context: CliContext,
  given: WantedRelease,
  installed: readonly InstalledOlm[],
  isUsed: boolean,
): Promise<OlmRelease | undefined> {
  const { olm, version, manifests, sha256 } = given;
  const objects = manifests.length === 0 ? undefined : await manifestObjects(context, given);
  const major = olm ?? (objects === undefined ? onlyMajor(installed) : onlyMajor(majorsOf(objects)));
  if (objects !== undefined) return matching(checkRelease(major ?? 'v0', objects), installed);
  if (major === undefined) return undefined;
  const found = installed.find((each) => each.olm === major);
  if (found === undefined && version === undefined) return undefined;
  const wanted = version ?? found?.version;
  if (wanted === undefined)
    throw new OpSdkError({
      code: 'olm/unknown-release',
      message: `the version of OLM ${major} on the cluster is unknown, so op-sdk cannot determine which objects to delete`,
      fix: ['name the release with --version, or its manifests with --manifests'],
    });
  const downloaded = await downloadRelease(context, major, { version: wanted, sha256, isUsed });
  return matching(checkRelease(major, downloaded), installed);
}

function majorsOf(objects: Parameters<typeof releaseMajors>[0]): readonly { readonly olm: OlmVersion }[] {
  return releaseMajors(objects).map((olm) => ({ olm }));
}

/**
 * Returns the only installed version of OLM; undefined if none is installed. @throws OpSdkError `cli/missing-value` if two are installed
 */
function onlyMajor(found: readonly { readonly olm: OlmVersion }[]): OlmVersion | undefined {
  if (found.length > 1)
    throw new OpSdkError(
      missingFlag('--olm', 'expected --olm: there are OLM v0 and OLM v1', 'pass --olm v0 or --olm v1'),
    );
  return found[0]?.olm;
}

/**
 * Returns the release if it matches the installed one. @throws OpSdkError `olm/other-version` if the cluster has another release, because
 * objects that exist only in that release would not be deleted
 */
function matching(release: OlmRelease, installed: readonly InstalledOlm[]): OlmRelease {
  const there = installed.find(({ olm }) => olm === release.olm)?.version;
  const { olm, version } = release;
  if (there === undefined || version === undefined || there === version) return release;
  throw new OpSdkError({
    code: 'olm/other-version',
    message: `the manifests do not fit the installed OLM ${olm}: expected version ${there}, got ${version}`,
    fix: [`use the release that is installed: --version ${there}`],
  });
}

/** Asks the user to confirm the deletion. @returns warnings about the effects of the deletion, if no prompt was shown */
async function confirm(
  context: CliContext,
  { yes, dryRun }: Options,
  { olm, version }: OlmRelease,
  losses: readonly Finding[],
): Promise<readonly Finding[]> {
  if (yes === true || dryRun === true) return losses;
  const name = ['OLM', olm, version].filter(Boolean).join(' ');
  if (!context.interactive)
    throw new OpSdkError([
      {
        code: 'olm/not-confirmed',
        message: `${name} would be removed, with everything in its namespaces`,
        fix: ['pass --yes to remove it', 'or first list what would be deleted: --dry-run'],
      },
      ...losses,
    ]);
  for (const warning of losses) context.report.warn(warning);
  const message = `Remove ${name} with everything in its namespaces? This cannot be undone.`;
  if ((await askYesOrNo(context, message, false)) !== true) throw new Interrupted();
  return [];
}

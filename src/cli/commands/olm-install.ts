import { defineCommand } from '../command.ts';
import { serverDryRunFlag } from '../flags/common.ts';
import { olmFlags } from '../flags/olm-flags.ts';
import { checkRelease, installOlm, olmFacts } from '../../olm/install/index.ts';
import { objectLog } from '../ui/object-lines.ts';
import { connect } from '../actions/cluster/connect.ts';
import { durationFlag } from '../actions/input/flag-values.ts';
import { downloadRelease, manifestObjects, wantedRelease } from '../actions/olm/olm-release.ts';

export const command = defineCommand({
  flags: {
    ...olmFlags({
      olm: 'v0',
      version: '0.46.0 of v0, 1.11.0 of v1',
      timeout: 'how long to wait for OLM to run (default: 5m)',
    }),
    ...serverDryRunFlag,
  },
  help: `
Applies the manifests of a release of OLM: CustomResourceDefinitions first, the rest once they are served. Then waits until
its operators run: of v0 also its package server, of v1 the webhook that admits its catalogues. Installing the same
release again changes nothing; another one is refused.

Downloaded files whose SHA-256 op-sdk does not know are shown and asked about on a terminal; without a terminal they need
--sha256, once for each file.

OLM v1 needs cert-manager on the cluster. Without access to GitHub, download the files of the release and name them:
  op-sdk olm install --manifests crds.yaml --manifests olm.yaml`,
  async run(context, options) {
    const wanted = wantedRelease(options);
    const { olm = 'v0', version = olmFacts[olm].defaultVersion, manifests, sha256 } = wanted;
    const timeout = durationFlag('--timeout', options.timeout, defaultTimeout);
    const dryRun = options.dryRun === true;
    const client = await connect(context, options);
    try {
      const objects =
        manifests.length > 0
          ? await manifestObjects(context, wanted)
          : await downloadRelease(context, olm, { version, sha256, isUsed: !dryRun });
      const release = checkRelease(olm, objects);
      const log = objectLog(context, { dryRun, json: options.output === 'json' });
      const result = { olm, version: release.version ?? null, dryRun, objects: log.outcomes };
      try {
        await installOlm({
          client,
          release,
          dryRun,
          timeout,
          signal: context.signal,
          onOutcome: (outcome, { title }) => log.outcome(outcome, title),
          onWarning: (warning) => log.warning(warning),
          onProgress: (line) => context.report.step(line),
        });
        return {
          result,
          warnings: log.warnings,
          ...(dryRun ? {} : { next: [`op-sdk olm status --olm ${olm}`] }),
        };
      } catch (error) {
        return log.failed(error, result);
      }
    } finally {
      await client.close();
    }
  },
});

/** Default of `--timeout`, in milliseconds. It includes the time to pull images. */
const defaultTimeout = 300_000;

import { checkRelease, installOlm, olmFacts } from '../../olm/install/index.ts';
import type { Action } from '../command.ts';
import type { command } from '../commands/olm-install.ts';
import { objectLog } from '../ui/object-lines.ts';
import { connect } from './cluster/connect.ts';
import { durationFlag } from './input/flag-values.ts';
import { downloadRelease, manifestObjects, wantedRelease } from './olm/olm-release.ts';

/** Milliseconds: images have to be pulled. */
const defaultTimeout = 300_000;

/** `op-sdk olm install`. */
export const run: Action<typeof command> = async (context, options) => {
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
};

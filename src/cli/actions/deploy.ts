import { defaultImageWarnings, waitRollout, formerOperatorFinding } from '../../cluster/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import type { Action } from '../command.ts';
import type { command } from '../commands/deploy.ts';
import { applyManifest, type ManifestToApply } from './cluster/apply-manifest.ts';
import { bringInventory, settleInventory } from './cluster/deploy-inventory.ts';
import { refuseUnusedImage, withManagerImage } from './cluster/manager-image.ts';
import { durationFlag } from './input/flag-values.ts';
import { deployedFolder, manifestInput } from './input/manifests.ts';

/** Milliseconds. */
const defaultTimeout = 120_000;

/** `op-sdk deploy`. */
export const run: Action<typeof command> = async (context, options) => {
  const timeout = durationFlag('--timeout', options.timeout, defaultTimeout);
  refuseUnusedImage(options);
  const folder = await deployedFolder(context, options);
  const noted: Finding[] = [];
  const onWarning = (warning: Finding): number => noted.push(warning);
  const render = () => manifestInput(context, options, { folder, pipeInto: 'op-sdk deploy -f -', onWarning });
  const prepare = async (client: KubeClient): Promise<ManifestToApply> => {
    const { objects, files } = await withManagerImage(context, options, render);
    const { inventory, warnings } = await bringInventory(context, options, { client, objects });
    const former = inventory?.formerOperators ?? [];
    return {
      ...{ objects, files, inventory },
      warnings: [
        ...noted,
        ...defaultImageWarnings(objects),
        ...warnings,
        ...former.map((each) => formerOperatorFinding(each)),
      ],
    };
  };
  return applyManifest(context, options, prepare, async (client, manifest) => {
    if (options.wait !== false && options.dryRun !== true)
      await waitRollout({
        client,
        objects: manifest.applied.map(({ object }) => object),
        timeout,
        signal: context.signal,
        onProgress: (line) => context.report.step(line),
      });
    // What the former version of the operator needs goes only once the new one runs.
    await settleInventory(context, options, client, manifest);
  });
};

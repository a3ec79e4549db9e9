import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { clusterFlags, manifestFlag, namespaceFlag, pruneFlag } from '../flags/cluster-flags.ts';
import { serverDryRunFlag } from '../flags/common.ts';
import { imageFlag } from '../flags/registry-flags.ts';
import {
  defaultImageWarnings,
  waitRollout,
  formerOperatorFinding,
  withoutUnservedMonitoring,
} from '../../cluster/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import { applyManifest, type ManifestToApply } from '../actions/cluster/apply-manifest.ts';
import { bringInventory, settleInventory } from '../actions/cluster/deploy-inventory.ts';
import { refuseUnusedImage, withManagerImage } from '../actions/cluster/manager-image.ts';
import { durationFlag } from '../actions/input/flag-values.ts';
import { deployedFolder, manifestInput } from '../actions/input/manifests.ts';

export const command = defineCommand({
  flags: {
    ...manifestFlag,
    dir: flag.text('folder', 'the kustomization to deploy (default: config/default)'),
    ...imageFlag,
    wait: flag.negated('return without waiting for the rollout'),
    timeout: flag.text(
      'duration',
      'how long to wait for the operator to run (default: 2m), and for definitions to be served (default: 30s)',
    ),
    prune: pruneFlag(
      'delete what earlier deploys have written and the manifests no longer name, without asking; --no-prune: keep it',
    ),
    'take-over': flag.boolean(
      'take over objects that another operator or tool has deployed, after a move to another namespace or name',
    ),
    ...namespaceFlag,
    ...clusterFlags,
    ...serverDryRunFlag,
  },
  help: `
Applies the objects of config/default: CustomResourceDefinitions first, the rest once they are served. Everything is
checked before anything is written, and a second deploy changes nothing. Fields are written by server-side apply with
the field manager op-sdk, which takes over fields that others have set to other values, and all that
kubectl apply has set without --server-side. op-sdk diff, or --dry-run, shows what would change.
Generated files must be up to date: run op-sdk generate manifests first, or make deploy.

What tells a Prometheus about the operator (ServiceMonitor, PodMonitor, Probe, ScrapeConfig, PrometheusRule) is left out,
with a warning, if the cluster does not have the Prometheus Operator.

An inventory beside the operator, a Secret, remembers what was applied. What has left the manifests is listed: on a
terminal op-sdk asks whether to delete it, in a script --prune deletes it. Namespaces, CustomResourceDefinitions and
PersistentVolumeClaims are never deleted, only named.

With another kustomize:
  kustomize build config/default | op-sdk deploy -f -`,
  async run(context, options) {
    const timeout = durationFlag('--timeout', options.timeout, defaultTimeout);
    refuseUnusedImage(options);
    const folder = await deployedFolder(context, options);
    const noted: Finding[] = [];
    const onWarning = (warning: Finding): number => noted.push(warning);
    const render = () =>
      manifestInput(context, options, { folder, pipeInto: 'op-sdk deploy -f -', onWarning });
    const prepare = async (client: KubeClient): Promise<ManifestToApply> => {
      const { objects: rendered, files } = await withManagerImage(context, options, render);
      const { signal } = context;
      const { objects, warning } = await withoutUnservedMonitoring(client, rendered, { signal });
      const { inventory, warnings } = await bringInventory(context, options, { client, objects });
      const former = inventory?.formerOperators ?? [];
      return {
        ...{ objects, files, inventory },
        warnings: [
          ...noted,
          ...(warning === undefined ? [] : [warning]),
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
      // Objects that only the former version of the operator needs are deleted once the new version runs.
      await settleInventory(context, options, client, manifest);
    });
  },
});

/** Default of `--timeout`, in milliseconds. */
const defaultTimeout = 120_000;

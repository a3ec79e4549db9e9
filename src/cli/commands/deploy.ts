import { OpSdkError } from '../../errors/index.ts';
import type { CommandModule } from '../command.ts';
import { booleanFlag } from '../flags.ts';
import type { ApplyManifestOptions, ManifestToApply } from './shared/apply-manifest.ts';
import { clusterFlags } from './shared/cluster-flags.ts';
import { durationFlag } from './shared/duration-flag.ts';
import { imageFlag, withManagerImage } from './shared/manager-image.ts';
import { manifestFlag, type ManifestOptions } from './shared/manifest-input.ts';

interface Options extends ApplyManifestOptions, ManifestOptions {
  readonly dir?: string;
  readonly image?: string;
  readonly wait?: boolean;
}

/** Milliseconds. */
const defaultTimeout = 120_000;

/** `op-sdk deploy`. */
export const command: CommandModule = {
  configure(command) {
    manifestFlag(command);
    command.option('--dir <folder>', 'the kustomization to deploy (default: config/default)');
    imageFlag(command);
    booleanFlag(command, 'wait', 'wait until the operator runs', true);
    command.option(
      '--timeout <duration>',
      'how long to wait for the operator to run (default: 2m), and for definitions to be served (default: 30s)',
    );
    clusterFlags(command);
    booleanFlag(command, 'dry-run', 'ask the API server for everything, write nothing', false);
    command.addHelpText(
      'after',
      `
Applies the objects of config/default: CustomResourceDefinitions first, the rest once they are served. Everything is
checked before anything is written, and a second deploy changes nothing. Fields are written by server-side apply as
the field manager op-sdk, which takes over what others have set in them.
What is generated must be up to date: op-sdk generate manifests, or make deploy.
With another kustomize: kustomize build config/default | op-sdk deploy -f -`,
    );
  },
  async run(context, given) {
    const options = given as Options;
    const timeout = durationFlag('--timeout', options.timeout, defaultTimeout);
    const { deployedFolder } = await import('./shared/deployed-folder.ts');
    const { manifestInput } = await import('./shared/manifest-input.ts');
    const { applyManifest } = await import('./shared/apply-manifest.ts');
    const { defaultImageWarnings, waitRollout } = await import('../../cluster/index.ts');
    if (options.image !== undefined && options.filename !== undefined) {
      throw new OpSdkError({
        code: 'cli/invalid-value',
        message: '--image is written into config/manager, which --filename does not read',
        where: { flag: '--image' },
        fix: ['leave one of them out'],
      });
    }
    const folder = await deployedFolder(context, options);
    const render = () => manifestInput(context, options, { folder, pipeInto: 'op-sdk deploy -f -' });
    const prepare = async (): Promise<ManifestToApply> => {
      const { objects, files } = await withManagerImage(context, options, render);
      return { objects, files, warnings: defaultImageWarnings(objects) };
    };
    return applyManifest(context, options, prepare, async (client, applied) => {
      if (options.wait === false) return;
      await waitRollout({
        client,
        objects: applied.map(({ object }) => object),
        timeout,
        signal: context.signal,
        onProgress: (line) => context.report.step(line),
      });
    });
  },
};

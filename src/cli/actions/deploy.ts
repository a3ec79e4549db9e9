import { defaultImageWarnings, waitRollout } from '../../cluster/index.ts';
import type { Action } from '../command.ts';
import type { ManifestOptions } from '../flags/manifest-flag.ts';
import { applyManifest, type ApplyManifestOptions, type ManifestToApply } from './cluster/apply-manifest.ts';
import { refuseUnusedImage, withManagerImage } from './cluster/manager-image.ts';
import { deployedFolder } from './input/deployed-folder.ts';
import { durationFlag } from './input/duration-flag.ts';
import { manifestInput } from './input/manifest-input.ts';

interface Options extends ApplyManifestOptions, ManifestOptions {
  readonly dir?: string;
  readonly image?: string;
  readonly wait?: boolean;
  readonly timeout?: string;
}

/** Milliseconds. */
const defaultTimeout = 120_000;

/** `op-sdk deploy`. */
export const run: Action = async (context, parsed) => {
  const options = parsed as Options;
  const timeout = durationFlag('--timeout', options.timeout, defaultTimeout);
  refuseUnusedImage(options);
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
};

import { diffObjects, type ObjectDiff } from '../../cluster/index.ts';
import type { Finding } from '../../errors/index.ts';
import type { Action } from '../command.ts';
import type { ClusterOptions } from '../flags/cluster-flags.ts';
import type { ManifestOptions } from '../flags/manifest-flag.ts';
import type { NamespaceOptions } from '../flags/namespace-flag.ts';
import { objectDiffsText, objectDiffResult } from '../ui/object-diffs.ts';
import { connect } from './cluster/connect.ts';
import { refuseUnusedImage, renderWithImage } from './cluster/manager-image.ts';
import { deployedFolder } from './input/deployed-folder.ts';
import { manifestInput } from './input/manifest-input.ts';
import { namespaceInput } from './input/namespace-input.ts';

interface Options extends ClusterOptions, ManifestOptions, NamespaceOptions {
  readonly dir?: string;
  readonly image?: string;
}

/** `op-sdk diff`. */
export const run: Action = async (context, parsed) => {
  const options = parsed as Options;
  refuseUnusedImage(options);
  const namespace = namespaceInput(options);
  const folder = await deployedFolder(context, options);
  const render = () => manifestInput(context, options, { folder, pipeInto: 'op-sdk diff -f -' });
  const client = await connect(context, options);
  try {
    const objects = await renderWithImage(context, options.image, render);
    const warnings: Finding[] = [];
    const diffs = await diffObjects({
      client,
      objects,
      namespace,
      signal: context.signal,
      onWarning: (warning) => warnings.push(warning),
    });
    const differs = ({ action }: ObjectDiff): boolean => action !== 'unchanged';
    return {
      result: objectDiffResult(diffs),
      text: objectDiffsText(diffs),
      warnings,
      exitCode: diffs.some(differs) ? 1 : 0,
    };
  } finally {
    await client.close();
  }
};

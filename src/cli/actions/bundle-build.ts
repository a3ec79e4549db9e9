import { readdir } from 'node:fs/promises';
import { readBundleMetadata, type BundleMetadata } from '../../bundle/read-metadata.ts';
import { FindingList, type Finding } from '../../errors/index.ts';
import {
  buildImage,
  createLayer,
  folderEntries,
  resolvePlace,
  type Layer,
  type Place,
} from '../../oci/index.ts';
import type { Action } from '../command.ts';
import type { OutputOptions } from '../flags/image-output-flags.ts';
import { decideOutput, imageOutcome, writeOutput } from './images/output.ts';

/** `op-sdk bundle build`. */
export const run: Action = async (context, parsed, [folder = 'bundle']) => {
  const options = parsed as OutputOptions;
  const findings = new FindingList();
  const output = await decideOutput(context.cwd, options, findings);
  const bundle = await readBundle(resolvePlace(context.cwd, folder), findings);
  findings.throwIfAny();
  // Each of them is missing only after a finding.
  if (output === undefined || bundle === undefined) throw new TypeError('a check failed without a reason');
  const { content } = buildImage({
    format: output.format,
    platform: { os: 'linux', architecture: 'amd64' },
    layers: [bundle.layer],
    config: { Labels: bundle.metadata.annotations },
  });
  const written = await writeOutput(context, output, content, options.dryRun === true);
  return imageOutcome(written, output, {
    warnings: bundle.warnings,
    next: [`op-sdk bundle push ${written.image}`],
  });
};

/** What becomes of a bundle's folder. */
interface ReadBundle {
  readonly metadata: BundleMetadata;
  readonly layer: Layer;
  readonly warnings: readonly Finding[];
}

async function readBundle(folder: Place, findings: FindingList): Promise<ReadBundle | undefined> {
  const metadata = await findings.gather(() => readBundleMetadata(folder.path, folder.shown));
  if (metadata === undefined) return undefined;
  const { manifests, folders } = metadata;
  const entries = await folderEntries(folder, folders, findings);
  if (!entries.some(({ path, content }) => path.startsWith(`${manifests}/`) && content !== undefined)) {
    findings.add({
      code: 'bundle/empty',
      message: `${folder.shown}/${manifests} has no files, so the bundle would install nothing`,
      where: { file: `${folder.shown}/${manifests}` },
      fix: ['create the bundle with `op-sdk generate bundle`'],
    });
  }
  if (!findings.isEmpty) return undefined;
  return {
    metadata,
    layer: createLayer(entries, 'op-sdk bundle build'),
    warnings: [...metadata.warnings, ...(await leftOut(folder, folders))],
  };
}

/** What lies in the folder but not in the image, as bundle.Dockerfile would leave it out, too. */
async function leftOut(folder: Place, folders: readonly string[]): Promise<readonly Finding[]> {
  const names = (await readdir(folder.path)).sort();
  return names
    .filter((name) => !folders.some((path) => path === name || path.startsWith(`${name}/`)))
    .map((name) => ({
      code: 'oci/left-out',
      message: `${folder.shown}/${name} is not part of the image, which holds ${folders.join(', ')} only`,
      where: { file: `${folder.shown}/${name}` },
      fix: ['move it out of the bundle if it does not belong there'],
    }));
}

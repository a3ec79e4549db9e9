import { defineCommand } from '../command.ts';
import { outputFlags } from '../flags/registry-flags.ts';
import { FindingList } from '../../base/errors/index.ts';
import { resolvePlace } from '../../images/index.ts';
import { inProjectLock } from '../project-lock.ts';
import {
  decideOutput,
  imageOutcome,
  writeOutput,
  labelledImage,
  bundleLayer,
} from '../actions/images/output.ts';

export const command = defineCommand({
  arguments: [['[folder]', 'the folder of the bundle (default: bundle)']],
  flags: {
    ...outputFlags,
  },
  help: `
Builds the image that bundle.Dockerfile describes, without docker: the folders manifests, metadata
and tests, and the annotations of metadata/annotations.yaml as labels. The same bundle gives an
image with the same bytes. Prints the name of the image with its digest.`,
  async run(context, options, [folder = 'bundle']) {
    const findings = new FindingList();
    const output = await decideOutput(context.cwd, options, findings);
    const place = resolvePlace(context.cwd, folder);
    const dryRun = options.dryRun === true;
    const bundle = await inProjectLock(context, { folder: place.path, writes: !dryRun }, () =>
      bundleLayer(place, findings),
    );
    findings.throwIfAny();
    // Without findings, neither value can be undefined.
    if (output === undefined || bundle === undefined) throw new TypeError('a check failed without a reason');
    const content = labelledImage(bundle.layer, bundle.metadata.annotations, output.format);
    const written = await writeOutput(context, output, content, dryRun);
    return imageOutcome(written, output, {
      warnings: bundle.warnings,
      next: [`op-sdk bundle push ${written.image}`],
    });
  },
});

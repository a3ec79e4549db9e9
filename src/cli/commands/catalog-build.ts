import { defineCommand } from '../command.ts';
import { outputFlags } from '../flags/registry-flags.ts';
import { catalogLabels, catalogLayer, judgeCatalog, noPackages } from '../../olm/catalog/index.ts';
import { FindingList, OpSdkError } from '../../base/errors/index.ts';
import { resolvePlace, type Place } from '../../images/index.ts';
import { inProjectLock } from '../project-lock.ts';
import { decideOutput, imageOutcome, writeOutput, labelledImage } from '../actions/images/output.ts';

export const command = defineCommand({
  arguments: [['[catalog]', 'the folder of the catalogue (default: catalog)']],
  flags: {
    ...outputFlags,
  },
  help: `
Builds the image of a file-based catalogue, without docker: its files in /configs, and the label
by which OLM finds them. One image serves OLM v0 and v1. A catalogue that \`op-sdk catalog validate\`
refuses is not built; files that .indexignore lists are left out. The same catalogue gives an image
with the same bytes. Prints the name of the image with its digest.`,
  async run(context, options, [folder = 'catalog']) {
    const findings = new FindingList();
    const output = await decideOutput(context.cwd, options, findings);
    const place = resolvePlace(context.cwd, folder);
    const dryRun = options.dryRun === true;
    const { warnings, layer } = await inProjectLock(
      context,
      { folder: place.path, writes: !dryRun },
      async () => ({
        warnings: await findings.gather(() => checked(place)),
        layer: await findings.gather(() => catalogLayer(place)),
      }),
    );
    findings.throwIfAny();
    // Without findings, neither value can be undefined.
    if (output === undefined || layer === undefined) throw new TypeError('a check failed without a reason');
    const content = labelledImage(layer, catalogLabels, output.format);
    const written = await writeOutput(context, output, content, dryRun);
    return imageOutcome(written, output, {
      warnings: warnings ?? [],
      next: [`op-sdk catalog push ${written.image}`],
    });
  },
});

async function checked(place: Place) {
  const { catalog, errors, warnings } = await judgeCatalog(place);
  if (errors.length > 0) throw new OpSdkError(errors);
  if (catalog.packages.length === 0) throw noPackages(place.shown, warnings);
  return warnings;
}

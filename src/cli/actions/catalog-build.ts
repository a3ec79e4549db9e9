import { catalogLabels, catalogLayer, judgeCatalog, noPackages } from '../../olm/catalog/index.ts';
import { FindingList, OpSdkError } from '../../base/errors/index.ts';
import { resolvePlace, type Place } from '../../images/index.ts';
import type { Action } from '../command.ts';
import type { command } from '../commands/catalog-build.ts';
import { inProjectLock } from '../project-lock.ts';
import { decideOutput, imageOutcome, writeOutput, labelledImage } from './images/output.ts';

/** `op-sdk catalog build`. */
export const run: Action<typeof command> = async (context, options, [folder = 'catalog']) => {
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
  // Each of them is missing only after a finding.
  if (output === undefined || layer === undefined) throw new TypeError('a check failed without a reason');
  const content = labelledImage(layer, catalogLabels, output.format);
  const written = await writeOutput(context, output, content, dryRun);
  return imageOutcome(written, output, {
    warnings: warnings ?? [],
    next: [`op-sdk catalog push ${written.image}`],
  });
};

async function checked(place: Place) {
  const { catalog, errors, warnings } = await judgeCatalog(place);
  if (errors.length > 0) throw new OpSdkError(errors);
  if (catalog.packages.length === 0) throw noPackages(place.shown, warnings);
  return warnings;
}

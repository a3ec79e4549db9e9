import { channelGraph, drawGraph, judgeCatalog, packagesOf } from '../../olm/catalog/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { resolvePlace } from '../../images/index.ts';
import type { Action } from '../command.ts';
import type { command } from '../commands/catalog-validate.ts';
import { invalidFlag } from './input/flag-values.ts';

/** `op-sdk catalog validate`. */
export const run: Action<typeof command> = async (context, parsed, [folder = 'catalog']) => {
  const { graph, package: only, strict } = parsed;
  const { catalog, errors, warnings } = await judgeCatalog(resolvePlace(context.cwd, folder));
  const packages = packagesOf(catalog);
  if (only !== undefined && !packages.has(only))
    throw new OpSdkError(
      invalidFlag(
        '--package',
        `--package: unknown package ${JSON.stringify(only)}`,
        'write one of the catalogue',
      ),
    );
  const counts = {
    packages: packages.size,
    channels: catalog.channels.length,
    bundles: catalog.bundles.length,
  };
  const failed = errors.length > 0 || (strict && warnings.length > 0);
  const graphs = [...packages.values()]
    .filter(({ definition }) => only === undefined || definition.name === only)
    .flatMap(({ channels, bundles }) =>
      [...channels.values()].map((channel) => channelGraph(channel, bundles)),
    );
  const picture = graph === undefined ? undefined : drawGraph(graphs, graph);
  const text = picture?.trimEnd() ?? (failed ? undefined : `The catalogue is valid: ${countsText(counts)}`);
  return {
    result: { valid: !failed, ...counts, ...(picture === undefined ? {} : { graph: picture }) },
    ...(text === undefined ? {} : { text }),
    warnings,
    errors,
    ...(failed ? { exitCode: 1 } : {}),
  };
};

function countsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count} ${count === 1 ? what.slice(0, -1) : what}`)
    .join(', ');
}

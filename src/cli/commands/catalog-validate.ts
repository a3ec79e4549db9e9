import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { channelGraph, drawGraph, judgeCatalog, packagesOf } from '../../olm/catalog/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { resolvePlace } from '../../images/index.ts';
import { invalidFlag } from '../actions/input/flag-values.ts';

export const command = defineCommand({
  arguments: [['[catalog]', 'the folder or the file of a catalogue (default: catalog)']],
  flags: {
    graph: flag.choice('format', ['mermaid', 'dot'], 'print a picture of the updates, too'),
    package: flag.text('name', 'draw the channels of this package only'),
    strict: flag.boolean('fail on warnings, too'),
  },
  help: `
Checks a file-based catalogue by the rules of \`opm validate\`, and reports all that breaks one, with
its line. All files of a folder and of those below are read, but those that .indexignore lists.
Warnings are about updates that OLM takes, but that lead elsewhere than people expect: a version
that a skipRange hides, or an update to an older version. It needs no cluster.

  op-sdk catalog validate catalog --graph mermaid > updates.mmd`,
  async run(context, parsed, [folder = 'catalog']) {
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
  },
});

function countsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count} ${count === 1 ? what.slice(0, -1) : what}`)
    .join(', ');
}

import { defineCommand, type CliContext, type CommandOutcome } from '../command.ts';
import { pullFlags, type RegistryFlags } from '../flags/registry-flags.ts';
import {
  listedChannels,
  loadCatalog,
  summaryOf,
  type ListedChannel,
  type PackageSummary,
} from '../../olm/catalog/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { closestName, printable } from '../../base/util/terminal-words.ts';
import { textTable } from '../ui/object-lines.ts';
import { openSource } from '../actions/catalog/sources.ts';

export const command = defineCommand({
  arguments: [
    ['[catalog]', 'a folder, a file or an image; oci:DIR for a layout (default: catalog)'],
    ['[package]', 'list the versions of this package'],
  ],
  flags: {
    ...pullFlags,
  },
  help: `
Lists the packages and channels of a file-based catalogue; with a package its versions, and from
which of them OLM updates to each: by replaces, skips and skipRange.

  op-sdk catalog list registry.example.com/team/catalog:latest memcached-operator`,
  async run(context, parsed, [source = 'catalog', name]) {
    return await list(context, source, name, parsed);
  },
});

/** Formats rows of untrusted text as columns: control characters are escaped, and each cell is a single line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return textTable([head, ...rows].map((row) => row.map((cell) => printable(cell).replace(/\s/g, ' '))));
}

/**
 * Lists a catalogue. This function contains no `import()`, because TypeScript 5.9 does not rewrite the `.ts` of an `import()` in a function
 * with a lowered `using`.
 */
async function list(
  context: CliContext,
  source: string,
  name: string | undefined,
  flags: RegistryFlags,
): Promise<CommandOutcome> {
  await using opened = await openSource(context, source, flags);
  const packages = await loadCatalog(opened.place);
  if (packages.size === 0) throw new OpSdkError(empty(source));
  if (name === undefined) {
    const summaries = [...packages.values()].map(summaryOf);
    return { result: { packages: summaries }, text: summaryText(summaries) };
  }
  const own = packages.get(name);
  if (own === undefined) throw new OpSdkError(unknown(name, [...packages.keys()]));
  const channels = listedChannels(own);
  const rows = channels.flatMap((channel) =>
    channel.versions.map((version) => [
      channel.isDefault ? `${channel.name} (default)` : channel.name,
      version.version,
      version.name,
      [
        ...version.updatesFrom,
        ...version.updatesFromOtherChannels.map((from) => `${from} (${channelsOf(from, channels)})`),
      ].join(' '),
    ]),
  );
  return {
    result: { package: summaryOf(own), channels },
    text: table(['CHANNEL', 'VERSION', 'BUNDLE', 'UPDATES FROM'], rows),
  };
}

/**
 * Returns the names of the channels that contain a bundle. Used if a version updates from a bundle that is not in the channel of the
 * version.
 */
function channelsOf(bundle: string, channels: readonly ListedChannel[]): string {
  const names = channels.filter(({ versions }) => versions.some(({ name }) => name === bundle));
  return names.length === 0 ? 'no channel' : names.map(({ name }) => name).join(', ');
}

function summaryText(packages: readonly PackageSummary[]): string {
  const rows = packages.flatMap(({ name, defaultChannel, channels }) =>
    channels.map((channel) => [
      name,
      channel.name === defaultChannel ? `${channel.name} (default)` : channel.name,
      channel.heads.join(' '),
      String(channel.versions),
    ]),
  );
  return table(['PACKAGE', 'CHANNEL', 'NEWEST', 'VERSIONS'], rows);
}

function empty(source: string) {
  return {
    code: 'catalog/empty',
    message: `${source} has no packages`,
    where: { file: source },
    fix: ['name a catalogue: its folder, file or image'],
  } as const;
}

function unknown(name: string, names: readonly string[]) {
  const meant = closestName(name, names);
  return {
    code: 'cli/invalid-value',
    message: `unknown package ${JSON.stringify(name)}`,
    where: { flag: '[package]' },
    fix: [meant === undefined ? 'leave out the name to list all packages' : `did you mean ${meant}?`],
  } as const;
}

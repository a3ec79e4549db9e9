import type { CatalogFindings } from '../findings.ts';
import { channelGraph } from '../graph/channel-graph.ts';
import { checkUpdates } from '../graph/check-updates.ts';
import { catalogLimits } from '../limits.ts';
import type { CatalogChannel } from '../types.ts';
import { parseVersionRange } from '../versions/range.ts';
import type { WholePackage } from './packages-of.ts';

/** The entries of a channel, and the updates between them. */
export function checkEntries(channel: CatalogChannel, known: WholePackage, findings: CatalogFindings): void {
  const { source, name, entries } = channel;
  if (entries.length > catalogLimits.channelEntries) {
    findings.addAll([
      {
        code: 'io/too-large',
        message: `the channel ${name} has ${entries.length} entries; up to ${catalogLimits.channelEntries} are read`,
        where: { file: source.file, line: source.line, column: 1 },
        fix: ['split the channel, or remove old entries'],
      },
    ]);
    return;
  }
  const names = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const at = (...path: readonly (string | number)[]) => [source, ['entries', index, ...path]] as const;
    if (entry.name === '')
      findings.add(
        'catalog/missing-name',
        at(),
        `entries[${index}] of the channel ${name} has no name`,
        'write the name of a bundle',
      );
    else if (names.has(entry.name))
      findings.add(
        'catalog/duplicate',
        at('name'),
        `the channel ${name} has the entry ${entry.name} twice`,
        'remove one of them',
      );
    names.add(entry.name);
    const empty = entry.skips.indexOf('');
    if (empty !== -1)
      findings.add(
        'catalog/invalid-skip',
        at('skips', empty),
        `skips[${empty}] of ${entry.name} is empty`,
        'remove it',
      );
    if (entry.skipRange !== '' && parseVersionRange(entry.skipRange) === undefined)
      findings.add(
        'catalog/invalid-skip',
        at('skipRange'),
        `the skipRange ${JSON.stringify(entry.skipRange)} of ${entry.name} is not a range of versions`,
        'write a range such as ">=1.2.0 <2.0.0"',
      );
  }
  // Entries that are there twice have been reported, and would be two ends of one update.
  if (entries.length > 0 && names.size === entries.length)
    checkUpdates(channelGraph(channel, known.bundles), findings);
}

import { defineCommand, type CliContext, type CommandOutcome, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { pullFlags } from '../flags/registry-flags.ts';
import { diffDocuments, documentsIn, type CatalogChange } from '../../olm/catalog/index.ts';
import { FindingList, OpSdkError } from '../../base/errors/index.ts';
import { printable } from '../../base/util/terminal-words.ts';
import { openSource, type OpenSource } from '../actions/catalog/sources.ts';

const flags = {
  'fail-on': flag.choice('changes', ['any', 'none'], 'exit 1 for any difference, or for none', {
    default: 'none',
  }),
  ...pullFlags,
};

export const command = defineCommand({
  arguments: [
    ['<old>', 'a catalogue: a folder, a file or an image; oci:DIR for a layout'],
    ['<new>', 'another one'],
  ],
  flags,
  help: `
Compares two file-based catalogues: their packages, channels, entries of channels, bundles and
other documents, whatever their order and form are. + is only in the second, - only in the first,
~ in both, with the fields that differ.`,
  async run(context, parsed, [old = '', now = '']) {
    return await diff(context, old, now, parsed);
  },
});

type Options = ParsedOptions<typeof flags>;

/**
 * Compares two catalogues. This function contains no `import()`, because TypeScript 5.9 does not rewrite the `.ts` of an `import()` in a
 * function with a lowered `using`.
 */
async function diff(
  context: CliContext,
  old: string,
  now: string,
  options: Options,
): Promise<CommandOutcome> {
  await using before = await openSource(context, old, options);
  await using after = await openSource(context, now, options);
  const findings = new FindingList();
  const was = await findings.gather(() => documentsOf(before));
  const is = await findings.gather(() => documentsOf(after));
  findings.throwIfAny();
  const changes = await diffDocuments(was ?? [], is ?? []);
  return {
    result: { changes },
    text: changes.length === 0 ? 'No differences' : changes.map(lineOf).join('\n'),
    exitCode: options.failOn === 'any' && changes.length > 0 ? 1 : 0,
  };
}

async function documentsOf({ kind, place }: OpenSource) {
  if (kind === 'catalog') return await documentsIn(place);
  throw new OpSdkError({
    code: 'catalog/not-renderable',
    message: `${place.shown} is a bundle; expected a catalogue`,
    where: { file: place.shown },
    fix: ['compare the output of `op-sdk catalog render` for the bundle instead'],
  });
}

const signs = { added: '+', removed: '-', changed: '~' } as const;

function lineOf({ change, schema, package: packageName, name, fields = [] }: CatalogChange): string {
  const what = schema.replace(/^olm\./, '');
  const names = schema === 'olm.package' ? [name] : [packageName, name];
  const about = [what, ...names.filter((each) => each !== '')].join(' ');
  return printable(`${signs[change]} ${about}${fields.length === 0 ? '' : `: ${fields.join(', ')}`}`);
}

import { defineCommand, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { pullFlags } from '../flags/registry-flags.ts';
import { dryRunFlag } from '../flags/common.ts';
import { resolve } from 'node:path';
import { annotationKeys, annotationOf, fieldAt, textOf, textsOf } from '../../olm/bundle/index.ts';
import { planAddition, type CatalogueBundle } from '../../olm/catalog/index.ts';
import { FindingList, OpSdkError } from '../../base/errors/index.ts';
import { resolvePlace } from '../../images/index.ts';
import { pathExists } from '../../base/util/fs.ts';
import { renderReference } from '../actions/catalog/sources.ts';
import { planAndCarryOut } from '../actions/files/apply-plan.ts';
import { outputPlace } from '../actions/files/output-place.ts';
import { checkChannel, readReleaseFlags } from '../actions/input/bundle-flags.ts';
import { checkFlag, missingFlag, commaList } from '../actions/input/flag-values.ts';

const flags = {
  channels: flag.text('list', 'channels to add it to, separated by commas (default: those of the bundle)'),
  'default-channel': flag.text('name', 'the default channel of a new package (default: that of the bundle)'),
  replaces: flag.text('name', 'the bundle that this one is the update of'),
  skips: flag.text('list', 'bundles that this one replaces too, separated by commas'),
  'skip-range': flag.text('range', 'versions that this one is the update of, such as ">=1.0.0 <1.2.0"'),
  image: flag.text(
    'reference',
    'the image of a bundle that is a folder; {{.Package}}, {{.Name}} and {{.Version}} are replaced',
  ),
  ...pullFlags,
  ...dryRunFlag,
};

export const command = defineCommand({
  arguments: [
    ['<bundle>', 'the folder or the image of a bundle; oci:DIR for a layout'],
    ['[catalog]', 'the folder of the catalogue (default: catalog)'],
  ],
  flags,
  help: `
Adds a bundle to a file-based catalogue: the bundle, an entry in each of its channels, and what is
missing of the package, in CATALOG/PACKAGE/catalog.yaml or where the package is already. Comments,
order and form of everything else stay. Without flags, the bundle says itself what it replaces and
skips. Nothing is written if the catalogue would break a rule of \`op-sdk catalog validate\`. A
second run changes nothing.`,
  async run(context, options, [source = '', folder = 'catalog']) {
    const findings = new FindingList();
    const release = readReleaseFlags(findings, options);
    const flags = [
      ...(options.channels === undefined ? [] : commaList(options.channels)),
      ...(options.defaultChannel === undefined ? [] : [options.defaultChannel]),
    ];
    for (const channel of flags)
      checkFlag(findings, '--channels', channel, checkChannel, ['write a name such as stable']);
    findings.throwIfAny();
    const place = resolvePlace(context.cwd, folder);
    // The lock protects reading a bundle folder, which another command may have half written. An image is pulled before the lock is
    // acquired, because a pull takes time.
    const isFolder = await pathExists(resolve(context.cwd, source));
    const pulled = isFolder ? undefined : await renderReference(context, source, options);
    const result = await planAndCarryOut(context, place.path, { dryRun: options.dryRun }, async (locked) => {
      const bundle = pulled ?? (await renderReference(locked, source, options));
      const { root, folder: path } = outputPlace(context.cwd, folder);
      return planAddition({
        folder: { root, path, shown: place.shown },
        bundle,
        ...channelsOf(bundle, options),
        entry: { ...ownEntry(bundle), ...release, name: bundle.csv.name },
      });
    });
    return { result };
  },
});

type Options = ParsedOptions<typeof flags>;

/** Returns the channels that the flags name; by default the channels of the bundle. */
function channelsOf({ bundle }: CatalogueBundle, options: Options) {
  const own = annotationOf(bundle, annotationKeys.channels) ?? '';
  const channels = [...new Set(commaList(options.channels ?? own))];
  const [first] = channels;
  if (first === undefined)
    throw new OpSdkError(
      missingFlag(
        '--channels',
        'the bundle names no channels',
        'name those to which it belongs, such as --channels stable',
      ),
    );
  const ownDefault = annotationOf(bundle, annotationKeys.defaultChannel) ?? '';
  const defaultChannel = options.defaultChannel ?? (channels.includes(ownDefault) ? ownDefault : first);
  return { channels, defaultChannel };
}

/** Returns the bundle's own channel entry, with the earlier versions that it replaces or skips. */
function ownEntry({ csv }: CatalogueBundle) {
  return {
    replaces: textOf(fieldAt(csv.value, 'spec', 'replaces')),
    skips: textsOf(fieldAt(csv.value, 'spec', 'skips')),
    skipRange: textOf(fieldAt(csv.value, 'metadata', 'annotations', 'olm.skipRange')),
  };
}

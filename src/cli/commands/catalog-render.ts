import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { pullFlags } from '../flags/registry-flags.ts';
import { inWrittenOrder, printDocument, type RenderedDocument } from '../../olm/catalog/index.ts';
import { FindingList } from '../../base/errors/index.ts';
import { openSource, type OpenSource, readSource } from '../actions/catalog/sources.ts';

export const command = defineCommand({
  formats: ['yaml'],
  arguments: [
    [
      '<source...>',
      'folders and images of bundles, catalogues (folders, files, images), templates; oci:DIR for a layout',
    ],
  ],
  flags: {
    image: flag.text(
      'reference',
      'the image of bundles that are folders; {{.Package}}, {{.Name}} and {{.Version}} are replaced',
    ),
    ...pullFlags,
  },
  help: `
Prints all of it as one file-based catalogue, in the form and the order of opm: packages, channels,
bundles with their properties and related images. A file with schema: olm.semver is a template: its
channels follow from the versions of its bundles. Nothing is pulled of the image of a catalogue but
the layers that may have its files.

  -o yaml   documents of YAML (default)
  -o json   objects of JSON, one after the other`,
  async run(context, options, texts) {
    const findings = new FindingList();
    const sources: OpenSource[] = [];
    const dispose = async (): Promise<void> => {
      for (const source of sources.splice(0)) await source[Symbol.asyncDispose]();
    };
    try {
      const all: RenderedDocument[] = [];
      for (const text of texts) {
        const source = await findings.gather(() => openSource(context, text, options));
        if (source === undefined) continue;
        sources.push(source);
        all.push(...((await findings.gather(() => readSource(context, source, options))) ?? []));
      }
      findings.throwIfAny();
      const format = options.output === 'json' ? 'json' : 'yaml';
      const warnings = all.map(({ unknown }) => unknown).filter((finding) => finding !== undefined);
      return { result: null, stream: printed(inWrittenOrder(all), format, dispose), warnings };
    } catch (error) {
      await dispose();
      throw error;
    }
  },
});

/** Prints the documents. The documents are loaded one by one, so their sources are disposed of only after the last document. */
async function* printed(
  documents: readonly RenderedDocument[],
  format: 'yaml' | 'json',
  dispose: () => Promise<void>,
): AsyncGenerator<string> {
  try {
    for (const document of documents) yield printDocument(await document.load(), format);
  } finally {
    await dispose();
  }
}

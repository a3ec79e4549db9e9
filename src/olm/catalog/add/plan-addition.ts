import { join, posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fieldAt, textOf } from '../../bundle/index.ts';
import { OpSdkError, severityOf } from '../../../base/errors/index.ts';
import type { Place } from '../../../images/index.ts';
import { renderMachineDocument, changeFor, type FilePlan } from '../../../project/scaffold/index.ts';
import { pathExists } from '../../../base/util/fs.ts';
import { jsonTextOf, type JsonMap, jsonListOf, jsonMapOf } from '../../../base/util/json-map.ts';
import { readRegularYamlFile, editYaml, addToYamlList, toYaml } from '../../../kubernetes/yaml/index.ts';
import { CatalogFindings } from '../findings.ts';
import { readCatalog } from '../read/read-catalog.ts';
import type { CatalogueBundle } from '../render/render-bundle.ts';
import { packageIcon } from '../render/render-template.ts';
import { checkCatalog } from '../rules/check-catalog.ts';
import {
  type Catalog,
  type CatalogChannel,
  type ChannelEntry,
  type DocumentSource,
  catalogLimits,
} from '../types.ts';
import { parseDocument, documentText, packageProperty, type BundleProperty } from '../read/parse-document.ts';
import { knownDocument } from '../render/known-document.ts';

/** A bundle to add to a catalogue, with its channels. */
interface Addition {
  /** Location of the catalogue's folder, which need not exist yet. */
  readonly folder: { readonly root: string; readonly path: string; readonly shown: string };
  readonly bundle: CatalogueBundle;
  readonly channels: readonly string[];
  readonly defaultChannel: string;
  /** Entry for the bundle in each of `channels`. It names the versions that the bundle replaces and skips. */
  readonly entry: ChannelEntry;
}

/**
 * Plans the changes that add a bundle to a catalogue. Existing channels get a new entry. New documents are added after the other documents
 * of the package, or in a new file. All other contents of the files are kept byte for byte; documents and entries that already exist are
 * not changed.
 * @throws OpSdkError with all findings of the resulting catalogue; nothing is changed then
 */
export async function planAddition(addition: Addition): Promise<FilePlan> {
  const { folder, bundle, channels, entry } = addition;
  const place = { path: join(folder.root, folder.path), shown: folder.shown };
  const catalog = await readBefore(place);
  const packageName = jsonTextOf(bundle.document['package']);
  const own = catalog.packages.find(({ name }) => name === packageName);
  const path = own === undefined ? join(place.path, packageName, 'catalog.yaml') : own.source.path;
  const fresh: JsonMap[] = own === undefined ? [newPackage(addition, packageName)] : [];
  const edited: CatalogChannel[] = [];
  for (const name of channels) {
    const known = catalog.channels.find(
      (channel) => channel.packageName === packageName && channel.name === name,
    );
    if (known === undefined)
      fresh.push({ schema: 'olm.channel', package: packageName, name, entries: [writtenEntry(entry)] });
    else if (!known.entries.some((present) => present.name === entry.name)) edited.push(known);
  }
  if (!(await isInCatalog(catalog, bundle.document))) fresh.push(bundle.document);
  const shown = own?.source.file ?? posix.join(place.shown, packageName, 'catalog.yaml');
  await checkAfter(withAddition(catalog, { fresh, edited, entry, file: { path, file: shown } }), entry.name);
  const texts = await editedTexts(edited, entry);
  if (fresh.length > 0) {
    const before = texts.get(path) ?? (await readText({ path, file: shown }));
    texts.set(path, await withDocuments(before, fresh));
  }
  const changes = [...texts].map(([file, content]) =>
    changeFor(folder.root, { path: posix.join(folder.path, posix.relative(place.path, file)), content }),
  );
  return { root: folder.root, changes: await Promise.all(changes) };
}

async function readBefore(place: Place): Promise<Catalog> {
  if (!(await pathExists(place.path))) return nothingYet;
  const findings = new CatalogFindings();
  const catalog = await readCatalog(place, findings);
  const all = await findings.finish();
  if (all.length > 0) throw new OpSdkError(all);
  return catalog;
}

/** Checks the resulting catalogue for errors. Ignores warnings, because the command `catalog validate` reports them. */
async function checkAfter(catalog: Catalog, added: string): Promise<void> {
  const findings = new CatalogFindings();
  checkCatalog(catalog, findings);
  const errors = (await findings.finish()).filter(({ code }) => severityOf(code) === 'error');
  if (errors.length === 0) return;
  throw new OpSdkError(
    errors.map((finding) => {
      if (finding.code !== 'catalog/several-heads') return finding;
      const fix = `name the version that ${added} replaces: --replaces, --skips, or spec.replaces of its ClusterServiceVersion`;
      return { ...finding, fix: [fix, ...(finding.fix ?? [])] };
    }),
  );
}

/** Returns a channel entry as a map for writing, without empty fields. */
function writtenEntry({ name, replaces, skips, skipRange }: ChannelEntry): JsonMap {
  return {
    name,
    ...(replaces === '' ? {} : { replaces }),
    ...(skips.length === 0 ? {} : { skips }),
    ...(skipRange === '' ? {} : { skipRange }),
  };
}

/** Adds the entry to each channel. Returns the new texts of the files that contain the channels, by path. */
async function editedTexts(
  channels: readonly CatalogChannel[],
  entry: ChannelEntry,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  // Edit the last document of each file first, so that the offsets of the documents before it stay valid.
  for (const { source } of [...channels].sort((a, b) => b.source.start - a.source.start)) {
    const { path, file, start, length } = source;
    const bytes = Buffer.from(texts.get(path) ?? (await readText(source)));
    const document = bytes.toString('utf8', start, start + length);
    const item = writtenEntry(entry);
    const after = editYaml(file, toYaml({ entries: [item] }), () =>
      addToYamlList(document, ['entries'], item),
    );
    texts.set(
      path,
      Buffer.concat([
        bytes.subarray(0, start),
        Buffer.from(after),
        bytes.subarray(start + length),
      ]).toString(),
    );
  }
  return texts;
}

async function readText({ path, file }: Pick<DocumentSource, 'path' | 'file'>): Promise<string> {
  return (await pathExists(path)) ? await readRegularYamlFile(path, file) : '';
}

async function withDocuments(before: string, documents: readonly JsonMap[]): Promise<string> {
  const written = await Promise.all(
    documents.map((document) => renderMachineDocument('catalog-document', document)),
  );
  const start = before === '' || before.endsWith('\n') ? before : `${before}\n`;
  return start + written.map((text) => `---\n${text}`).join('');
}

/** Returns the package document for a new package, with the description and the icon of the bundle that is added first. */
function newPackage({ bundle, defaultChannel }: Addition, name: string): JsonMap {
  const icon = packageIcon(bundle.csv.value);
  const description = textOf(fieldAt(bundle.csv.value, 'spec', 'description'));
  return {
    schema: 'olm.package',
    name,
    defaultChannel,
    ...(icon === undefined ? {} : { icon }),
    ...(description === '' ? {} : { description }),
  };
}

/**
 * Returns true if a catalogue already contains a bundle.
 * @throws OpSdkError `catalog/duplicate` if the catalogue contains a different bundle of the same name
 */
async function isInCatalog({ bundles }: Catalog, document: JsonMap): Promise<boolean> {
  const [packageName, name] = [jsonTextOf(document['package']), jsonTextOf(document['name'])];
  const known = bundles.find((bundle) => bundle.packageName === packageName && bundle.name === name);
  if (known === undefined) return false;
  const { source } = known;
  const bytes = { bytes: Buffer.from(await documentText(source)), line: source.line, start: source.start };
  const budget = { left: catalogLimits.documentValues };
  const [value] = parseDocument(bytes, source.file, { budget, exact: true });
  const [before, after] = [value, document].map((each) => knownDocument('olm.bundle', each as JsonMap));
  if (isDeepStrictEqual(before, after)) return true;
  throw new OpSdkError({
    code: 'catalog/duplicate',
    message: `the catalogue has the bundle ${name} already, with other content`,
    where: { file: source.file, line: source.line, column: 1 },
    fix: [
      'give the bundle a new version, because clusters may have installed the one in the catalogue',
      'or remove its document from the catalogue, and run the command again',
    ],
  });
}

/** An empty catalogue, used if the catalogue's folder does not exist yet. */
const nothingYet: Catalog = {
  packages: [],
  channels: [],
  bundles: [],
  deprecations: [],
  unknown: [],
  others: 0,
};

interface Added {
  readonly fresh: readonly JsonMap[];
  /** Existing channels to which `entry` is added. */
  readonly edited: readonly CatalogChannel[];
  readonly entry: ChannelEntry;
  /** The file to which the new documents are written. */
  readonly file: Pick<DocumentSource, 'path' | 'file'>;
}

/** Returns the catalogue as it will be with the additional documents and entries. */
function withAddition(catalog: Catalog, { fresh, edited, entry, file }: Added): Catalog {
  const source: DocumentSource = { ...file, start: 0, length: 0, line: 1 };
  const all = (schema: string): readonly JsonMap[] =>
    fresh.filter((document) => document['schema'] === schema);
  return {
    ...catalog,
    packages: [
      ...catalog.packages,
      ...all('olm.package').map((document) => ({
        source,
        name: jsonTextOf(document['name']),
        defaultChannel: jsonTextOf(document['defaultChannel']),
      })),
    ],
    channels: [
      ...catalog.channels.map((channel) =>
        edited.includes(channel) ? { ...channel, entries: [...channel.entries, entry] } : channel,
      ),
      ...all('olm.channel').map((document) => ({
        source,
        name: jsonTextOf(document['name']),
        packageName: jsonTextOf(document['package']),
        entries: [entry],
      })),
    ],
    bundles: [
      ...catalog.bundles,
      ...all('olm.bundle').map((document) => {
        const properties = jsonListOf(document['properties']).map(jsonMapOf) as readonly BundleProperty[];
        const { version = '', release = '' } = packageProperty(properties) ?? {};
        return {
          ...{ source, version, release },
          name: jsonTextOf(document['name']),
          packageName: jsonTextOf(document['package']),
          image: jsonTextOf(document['image']),
        };
      }),
    ],
  };
}

import type { Finding } from '../../../base/errors/index.ts';
import type { Place } from '../../../images/index.ts';
import { isBase64 } from '../../../base/util/bytes.ts';
import { isJsonMap, jsonListOf, type JsonMap } from '../../../base/util/json-map.ts';
import { documentStyle, readJson, type JsonPath, type JsonReader } from '../../../base/util/read-json.ts';
import { unknownSchema } from '../rules/check-deprecations.ts';
import { checkBundleDocument } from '../rules/check-bundle-document.ts';
import type { CatalogFindings } from '../findings.ts';
import {
  type Catalog,
  type CatalogBundle,
  type CatalogChannel,
  type CatalogDeprecations,
  type CatalogItem,
  type CatalogPackage,
  type ChannelEntry,
  type DocumentSource,
  catalogLimits,
} from '../types.ts';
import { packageProperty } from './parse-document.ts';
import { catalogDocuments, type CatalogDocument } from './catalog-documents.ts';
import { bundleReader, channelReader, deprecationsReader, packageReader } from './schemas.ts';

/** Documents that have been gathered from a catalogue so far. */
interface Gathered {
  readonly packages: CatalogPackage[];
  readonly channels: CatalogChannel[];
  readonly bundles: CatalogBundle[];
  readonly deprecations: CatalogDeprecations[];
  readonly unknown: Finding[];
  others: number;
  entries: number;
}

/**
 * Reads a catalogue, and reports the faults of each document. References between documents are not checked here; `rules/` checks them.
 * @param place a folder, or one file
 * @throws OpSdkError if the input is not a catalogue, or is too large
 */
export async function readCatalog(place: Place, findings: CatalogFindings): Promise<Catalog> {
  const all = nothing();
  for await (const document of catalogDocuments(place, findings)) {
    gather(document, all, findings);
    if (all.entries > catalogLimits.entries) {
      findings.addAll([tooManyEntries(document.source)]);
      break;
    }
  }
  return all;
}

/** Reports the faults of a single document. Does not check its references to other documents. */
export function checkDocument(document: CatalogDocument, findings: CatalogFindings): void {
  gather(document, nothing(), findings);
}

function nothing(): Gathered {
  return { packages: [], channels: [], bundles: [], deprecations: [], unknown: [], others: 0, entries: 0 };
}

function gather({ source, schema, value }: CatalogDocument, all: Gathered, findings: CatalogFindings): void {
  const read = <T>(reader: JsonReader<T>, fields: readonly string[]): T | undefined => {
    checkCase(source, value, [], fields, findings);
    const { value: found, problems } = readJson(reader, value, 'the document', { style: documentStyle });
    for (const { path, message, fix } of problems)
      findings.add('catalog/invalid-field', [source, path], message, fix);
    return found;
  };
  switch (schema) {
    case 'olm.package': {
      const { name = '', defaultChannel = '', icon } = read(packageReader, fieldsOf.package) ?? {};
      checkIcon(source, icon?.base64data ?? '', findings);
      all.packages.push(kept({ source, name, defaultChannel }));
      return;
    }
    case 'olm.channel': {
      const found = read(channelReader, fieldsOf.channel) ?? {};
      const entries = (found.entries ?? []).map(entryOf);
      for (const [index, entry] of jsonListOf(value['entries']).entries())
        if (isJsonMap(entry)) checkCase(source, entry, ['entries', index], fieldsOf.entry, findings);
      all.entries += entries.length;
      all.channels.push(kept({ source, name: found.name ?? '', packageName: found.package ?? '', entries }));
      return;
    }
    case 'olm.bundle': {
      const found = read(bundleReader, fieldsOf.bundle) ?? {};
      checkBundleDocument(source, found, findings);
      const { version = '', release = '' } = packageProperty(found.properties ?? []) ?? {};
      const { name = '', package: packageName = '', image = '' } = found;
      all.bundles.push(kept({ source, name, packageName, image, version, release }));
      return;
    }
    case 'olm.deprecations': {
      const found = read(deprecationsReader, fieldsOf.deprecations) ?? {};
      const entries = (found.entries ?? []).map(({ reference = {}, message = '' }) => ({
        ...{ schema: reference.schema ?? '', name: reference.name ?? '', message },
      }));
      all.deprecations.push(kept({ source, packageName: found.package ?? '', entries }));
      return;
    }
    default:
      all.others++;
      all.unknown.push(...[unknownSchema(schema, source)].filter((finding) => finding !== undefined));
  }
}

const fieldsOf = {
  package: ['schema', 'name', 'defaultChannel', 'icon', 'description', 'properties'],
  channel: ['schema', 'name', 'package', 'entries', 'properties'],
  entry: ['name', 'replaces', 'skips', 'skipRange'],
  bundle: ['schema', 'name', 'package', 'image', 'properties', 'relatedImages'],
  deprecations: ['schema', 'package', 'entries'],
} as const;

function entryOf(entry: Partial<ChannelEntry>): ChannelEntry {
  const { name = '', replaces = '', skips = [], skipRange = '' } = entry;
  return { name, replaces, skips, skipRange };
}

/** Reports field names that differ from a known field only in upper or lower case. op-sdk ignores such fields, but Go would read them. */
function checkCase(
  source: DocumentSource,
  value: JsonMap,
  path: JsonPath,
  fields: readonly string[],
  findings: CatalogFindings,
): void {
  for (const key of Object.keys(value)) {
    if (fields.includes(key)) continue;
    const meant = fields.find((field) => field.toLowerCase() === key.toLowerCase());
    if (meant === undefined) continue;
    findings.add(
      'catalog/field-case',
      [source, [...path, key]],
      `${key}: expected ${meant}`,
      `write ${meant}`,
    );
  }
}

function checkIcon(source: DocumentSource, data: string, findings: CatalogFindings): void {
  if (isBase64(data)) return;
  findings.add(
    'catalog/invalid-field',
    [source, ['icon', 'base64data']],
    'icon.base64data: expected base64',
    'write the bytes of the icon in base64',
  );
}

/**
 * Copies the texts of an item. JavaScript engines may store a parsed text as a slice of the document's text, which would keep the entire
 * document in memory.
 */
function kept<T extends CatalogItem>(item: T): T {
  const { source, ...rest } = item;
  return { source, ...(JSON.parse(JSON.stringify(rest)) as Omit<T, 'source'>) } as T;
}

function tooManyEntries({ file, line }: DocumentSource) {
  return {
    code: 'io/too-large',
    message: `the channels of the catalogue have more than ${catalogLimits.entries} entries`,
    where: { file, line, column: 1 },
    fix: ['split the catalogue by its packages'],
  } as const;
}

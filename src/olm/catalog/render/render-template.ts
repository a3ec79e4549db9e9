import { stat } from 'node:fs/promises';
import type { Place } from '../../../images/index.ts';
import { fieldAt, listOf, mapOf, textOf } from '../../bundle/index.ts';
import {
  type JsonMap,
  isJsonMap,
  jsonListOf,
  jsonMapOf,
  jsonTextOf,
  compareCodeUnits,
} from '../../../base/util/json-map.ts';
import { OpSdkError, type Finding } from '../../../base/errors/index.ts';
import { parseKubernetesYaml, readYamlFile, type YamlDocument } from '../../../kubernetes/yaml/index.ts';
import { isTemplateSchema, renderedSchemas, renderFix, unknownSchema } from '../rules/check-deprecations.ts';
import type { CatalogueBundle } from './render-bundle.ts';
import { documentInMemory, type RenderedDocument } from './render-documents.ts';
import { knownDocument } from './known-document.ts';
import { bool, list, object, oneOf, string } from '../../../base/util/json-reader.ts';
import { documentStyle, problemFindings, readJson } from '../../../base/util/read-json.ts';
import { packageProperty, type BundleProperty } from '../read/parse-document.ts';
import { compareSemver, parseSemver, type SemanticVersion } from '../versions/range.ts';

/** Maximum size of a template in bytes. Templates are small, because they list bundles without their contents. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Renders a template of the schema `olm.template.basic` or `olm.semver`, as `opm alpha render-template` does.
 * @param render function that renders the bundle of an image
 * @returns undefined if the file is not a template
 * @throws OpSdkError with all findings; `catalog/not-renderable` for templates of other schemas
 */
export async function renderTemplate(
  { path, shown }: Place,
  render: (image: string) => Promise<CatalogueBundle>,
): Promise<readonly RenderedDocument[] | undefined> {
  const entry = await stat(path);
  if (!entry.isFile() || entry.size > mostBytes) return undefined;
  const text = await readYamlFile(path, shown, mostBytes);
  // A file that mentions no template schema is not a template. The caller reads it document by document.
  if (!/olm\.(?:template\.|semver|composite)/.test(text)) return undefined;
  const [document, second] = parseKubernetesYaml(text, shown);
  const schema = textOf(mapOf(document?.value)['schema']);
  if (document === undefined || !isTemplateSchema(schema)) return undefined;
  if (!renderedSchemas.includes(schema)) throw notRendered(schema, shown, document);
  if (second !== undefined) throw several(schema, second);
  const renderAll = async (images: readonly string[]): Promise<Map<string, CatalogueBundle>> => {
    const rendered = new Map<string, CatalogueBundle>();
    for (const image of new Set(images)) rendered.set(image, await render(image));
    return rendered;
  };
  if (schema === basicSchema) {
    const entries = readBasicTemplate(document);
    const rendered = [...(await renderAll(basicImages(entries)))];
    const bundles = new Map(rendered.map(([image, bundle]) => [image, bundle.document]));
    return basicDocuments(entries, bundles).map((value, index) => {
      const { file, line } = document.locate(['entries', index]);
      return documentInMemory(value, unknownSchema(textOf(value['schema']), { file, line }));
    });
  }
  const template = readSemverTemplate(document);
  const rendered = [...(await renderAll(Object.values(template.images).flat()))];
  const bundles = new Map(rendered.map(([image, bundle]) => [image, templateBundle(bundle)]));
  return semverDocuments(template, bundles, shown).map((value) => documentInMemory(value));
}

function notRendered(schema: string, file: string, document: YamlDocument): OpSdkError {
  return new OpSdkError({
    code: 'catalog/not-renderable',
    message: `templates of the schema ${schema} are not supported; expected ${renderedSchemas.join(' or ')}`,
    where: document.locate(['schema']),
    fix: [renderFix(schema, file)],
  });
}

/**
 * Returns the error for a template file with several documents. Reports an error because opm reads only the first document and silently
 * ignores the others.
 */
function several(schema: string, second: YamlDocument): OpSdkError {
  return new OpSdkError({
    code: 'catalog/invalid-template',
    message: `expected one document in the file of a template (${schema}), got a second`,
    where: second.locate([]),
    fix: ['move the second document below entries, or into a file of its own'],
  });
}

function templateBundle({ document, csv }: CatalogueBundle): TemplateBundle {
  return {
    document,
    description: textOf(fieldAt(csv.value, 'spec', 'description')),
    icon: packageIcon(csv.value),
  };
}

/** Returns the first icon of a ClusterServiceVersion in the form that documents of the schema `olm.package` use. */
export function packageIcon(csv: JsonMap): JsonMap | undefined {
  const [icon] = listOf(fieldAt(csv, 'spec', 'icon')).map(mapOf);
  const data = textOf(icon?.['base64data']).replace(/\s/g, '');
  return icon === undefined || data === ''
    ? undefined
    : { base64data: data, mediatype: textOf(icon['mediatype']) };
}

/** Schema of a template that consists of catalogue documents, but gives only the image of each bundle. */
const basicSchema = 'olm.template.basic';

/**
 * Reads a template of the schema `olm.template.basic`. Source: operator-registry `alpha/template/basic/basic.go`.
 * @returns the documents of the template in their order
 * @throws OpSdkError with all findings
 */
function readBasicTemplate(document: YamlDocument): readonly JsonMap[] {
  const findings: Finding[] = [];
  const complain = (path: readonly (string | number)[], message: string, fix: string): void =>
    void findings.push({
      code: 'catalog/invalid-template',
      message,
      where: document.locate(path),
      fix: [fix],
    });
  const { entries } = jsonMapOf(document.value);
  if (!Array.isArray(entries) || entries.length === 0)
    complain(
      entries === undefined ? [] : ['entries'],
      'the template has no entries',
      'list the documents of the catalogue below entries, and of each bundle its schema and its image',
    );
  for (const [index, entry] of jsonListOf(entries).entries()) {
    const path = ['entries', index];
    const schema = isJsonMap(entry) ? jsonTextOf(entry['schema']) : '';
    if (!isJsonMap(entry) || schema === '')
      complain(
        path,
        `entries[${index}]: expected a document with a schema`,
        'write one, such as schema: olm.bundle',
      );
    else if (schema === 'olm.bundle') checkBundle(entry, path, complain);
  }
  if (findings.length > 0) throw new OpSdkError(findings);
  return jsonListOf(entries).map(jsonMapOf);
}

/**
 * Checks the entry of a bundle in a template. The entry may give only the bundle's image, because opm refuses fields that it reads from the
 * image.
 */
function checkBundle(
  entry: JsonMap,
  path: readonly (string | number)[],
  complain: (path: readonly (string | number)[], message: string, fix: string) => void,
): void {
  const place = path.join('.');
  if (jsonTextOf(entry['image']) === '')
    complain(path, `${place}: the bundle has no image`, 'write its image');
  for (const field of ['package', 'properties', 'relatedImages']) {
    const value = entry[field];
    const isEmpty =
      value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
    if (!isEmpty)
      complain(
        [...path, field],
        `${place}.${field}: expected schema and image only, as the rest is read from the image`,
        `remove ${field}; or make a catalogue of the entries, without a template`,
      );
  }
}

/** Returns the images of the bundles in a template. */
function basicImages(entries: readonly JsonMap[]): readonly string[] {
  return entries.filter(({ schema }) => schema === 'olm.bundle').map(({ image }) => jsonTextOf(image));
}

/** Returns the documents of a template. Replaces each entry that contains only the image of a bundle by the document of this bundle. */
function basicDocuments(
  entries: readonly JsonMap[],
  rendered: ReadonlyMap<string, JsonMap>,
): readonly JsonMap[] {
  return entries.map((entry) => {
    const schema = jsonTextOf(entry['schema']);
    if (schema !== 'olm.bundle') return knownDocument(schema, entry);
    const bundle = rendered.get(jsonTextOf(entry['image']));
    if (bundle === undefined) throw new TypeError('a bundle of the template was not rendered');
    return bundle;
  });
}

/** Prefixes of channel names (called archetypes), from the least to the most stable. */
const archetypes = ['candidate', 'fast', 'stable'] as const;
type Archetype = (typeof archetypes)[number];

const bundles = object({ bundles: list(object({ image: string })) });
const template = object({
  schema: string,
  generateMajorChannels: bool,
  generateMinorChannels: bool,
  defaultChannelTypePreference: oneOf('minor', 'major'),
  ...{ candidate: bundles, fast: bundles, stable: bundles },
});

/** The contents of a template of the schema `olm.semver`. */
interface SemverTemplate {
  readonly major: boolean;
  readonly minor: boolean;
  readonly preferred: 'major' | 'minor';
  readonly images: Readonly<Record<Archetype, readonly string[]>>;
}

/**
 * Reads a template of the schema `olm.semver`. Source: operator-registry `alpha/template/semver/semver.go`.
 * @throws OpSdkError with all findings
 */
function readSemverTemplate(document: YamlDocument): SemverTemplate {
  const { value = {}, problems } = readJson(template, document.value, 'the template', {
    style: documentStyle,
  });
  const findings: Finding[] = [
    ...problemFindings(
      problems,
      (path) => document.locate(path),
      () => 'catalog/invalid-template',
    ),
  ];
  const major = value.generateMajorChannels === true;
  const minor = value.generateMinorChannels === true || !major;
  const preferred = value.defaultChannelTypePreference ?? (minor ? 'minor' : 'major');
  const complain = (path: readonly string[], message: string, fix: string): void =>
    void findings.push({
      code: 'catalog/invalid-template',
      message,
      where: document.locate(path),
      fix: [fix],
    });
  if (!(preferred === 'minor' ? minor : major))
    complain(
      ['defaultChannelTypePreference'],
      `defaultChannelTypePreference is ${preferred}, but the template does not generate channels of this type`,
      `write generate${preferred === 'minor' ? 'Minor' : 'Major'}Channels: true`,
    );
  const imagesOf = (archetype: Archetype): readonly string[] =>
    (value[archetype]?.bundles ?? []).map(({ image = '' }) => image);
  const images = { candidate: imagesOf('candidate'), fast: imagesOf('fast'), stable: imagesOf('stable') };
  for (const archetype of archetypes) {
    const all = images[archetype];
    if (all.includes('')) complain([archetype], `a bundle of ${archetype} has no image`, 'write its image');
    if (new Set(all).size < all.length)
      complain([archetype], `a bundle is in ${archetype} twice`, 'remove one of them');
  }
  if (archetypes.every((archetype) => images[archetype].length === 0))
    complain([], 'the template has no bundles', 'list their images below candidate, fast or stable');
  if (findings.length > 0) throw new OpSdkError(findings);
  return { major, minor, preferred, images };
}

interface TemplateBundle {
  readonly document: JsonMap;
  /** Description of the bundle; used for the package if this bundle is the newest one (the head) of the default channel. */
  readonly description: string;
  readonly icon: JsonMap | undefined;
}

/**
 * Returns the catalogue documents that a template generates: the package, its channels and its bundles.
 * @param rendered the rendered bundles, by the images that the template lists
 * @throws OpSdkError with all findings
 */
function semverDocuments(
  { major, minor, preferred, images }: SemverTemplate,
  rendered: ReadonlyMap<string, TemplateBundle>,
  file: string,
): readonly JsonMap[] {
  const [first] = rendered.values();
  const packageName = jsonTextOf(first?.document['package']);
  const streams: Stream[] = [];
  for (const archetype of archetypes) {
    const entries = images[archetype]
      .map((image) => entryOf(rendered.get(image), packageName, file))
      .sort((a, b) => compareSemver(a.version, b.version));
    checkVersions(entries, archetype, file);
    if (entries.length === 0) continue;
    if (minor) streams.push({ archetype, kind: 'minor', entries });
    if (major) streams.push({ archetype, kind: 'major', entries });
  }
  const channels = streams.flatMap(linkStreams);
  // Sort the channels of the most stable archetype by version, newest first. Of two channels with equal versions, the channel of the
  // preferred kind (`minor` or `major`) comes first.
  const ofLast = channels
    .filter(({ archetype }) => archetype === channels.at(-1)?.archetype)
    .sort(
      (a, b) =>
        compareSemver(b.first, a.first) || Number(b.kind === preferred) - Number(a.kind === preferred),
    );
  const [defaultChannel] = ofLast;
  const head = defaultChannel?.entries.at(-1)?.name;
  const described = [...rendered.values()].find(({ document }) => document['name'] === head);
  const { description = '', icon } = described ?? {};
  return [
    {
      schema: 'olm.package',
      name: packageName,
      defaultChannel: defaultChannel?.name ?? '',
      ...(icon === undefined ? {} : { icon }),
      ...(description === '' ? {} : { description }),
    },
    ...channels
      .sort((a, b) => compareCodeUnits(a.name, b.name))
      .map(({ name, entries }) => ({ schema: 'olm.channel', name, package: packageName, entries })),
    ...[...rendered.values()].map(({ document }) => document),
  ];
}

function entryOf(bundle: TemplateBundle | undefined, packageName: string, file: string): StreamEntry {
  const document = jsonMapOf(bundle?.document);
  const own = packageProperty((document['properties'] ?? []) as readonly BundleProperty[]);
  const version: SemanticVersion | undefined = parseSemver(own?.version ?? '');
  const name = jsonTextOf(document['name']);
  if (version === undefined) throw new TypeError('a bundle was rendered without a version');
  if (document['package'] === packageName) return { name, version };
  throw invalid(file, `the bundle ${name} belongs to another package than the first, ${packageName}`);
}

function checkVersions(entries: readonly StreamEntry[], archetype: string, file: string): void {
  for (const [index, { name, version }] of entries.entries()) {
    const next = entries[index + 1];
    if (next === undefined || compareSemver(version, next.version) !== 0) continue;
    throw invalid(
      file,
      `the bundles ${name} and ${next.name} of ${archetype} have versions that cannot be ordered: ${version.text} and ${next.version.text}`,
    );
  }
}

function invalid(file: string, message: string): OpSdkError {
  return new OpSdkError({
    code: 'catalog/invalid-template',
    message,
    where: { file },
    fix: ['list bundles of one package, each with a version of its own'],
  });
}

/** Name and version of a bundle in a {@link Stream}. */
interface StreamEntry {
  readonly name: string;
  readonly version: SemanticVersion;
}

/** Bundles of one archetype, oldest first, from which channels of one kind (`minor` or `major`) are made. */
interface Stream {
  readonly archetype: string;
  readonly kind: 'minor' | 'major';
  readonly entries: readonly StreamEntry[];
}

interface LinkedEntry {
  readonly name: string;
  readonly replaces?: string;
  readonly skips?: readonly string[];
}

/** A generated channel; its entries contain the updates (`replaces`, `skips`). */
interface LinkedChannel {
  readonly name: string;
  readonly archetype: string;
  readonly kind: Stream['kind'];
  /** The oldest version of the channel. */
  readonly first: SemanticVersion;
  readonly entries: readonly LinkedEntry[];
}

/**
 * Returns the channels of a stream, such as `stable-v1` or `stable-v1.2`. The last release of each minor version replaces the last release
 * of the previous minor version, and skips all other earlier releases of the same major version. The replaced release may be in another
 * channel. Source: operator-registry `alpha/template/semver/semver.go`, `generateChannels`, `linkChannels`.
 */
function linkStreams({ archetype, kind, entries }: Stream): readonly LinkedChannel[] {
  const channels = new Map<string, LinkedChannel & { readonly entries: LinkedEntry[] }>();
  let replaces = '';
  let before: string[] = [];
  for (const [index, { name, version }] of entries.entries()) {
    const next = entries[index + 1]?.version;
    const isLastOfMajor = next === undefined || next.core[0] !== version.core[0];
    const isLastOfMinor = isLastOfMajor || next.core[1] !== version.core[1];
    const channel = `${archetype}-v${version.core.slice(0, kind === 'minor' ? 2 : 1).join('.')}`;
    const own = channels.get(channel) ?? { name: channel, archetype, kind, first: version, entries: [] };
    channels.set(channel, own);
    const skips = before.filter((other) => other !== replaces).sort(compareCodeUnits);
    own.entries.push({
      name,
      ...(isLastOfMinor && replaces !== '' ? { replaces } : {}),
      ...(isLastOfMinor && skips.length > 0 ? { skips } : {}),
    });
    before.push(name);
    if (isLastOfMinor) replaces = name;
    if (isLastOfMajor) [replaces, before] = ['', []];
  }
  return [...channels.values()];
}

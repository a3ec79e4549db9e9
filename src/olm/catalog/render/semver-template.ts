import { OpSdkError, type Finding } from '../../../base/errors/index.ts';
import { compareCodeUnits, jsonMapOf, jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';
import { bool, list, object, oneOf, string } from '../../../base/util/json-reader.ts';
import { documentStyle, problemFindings, readJson } from '../../../base/util/read-json.ts';
import type { YamlDocument } from '../../../kubernetes/yaml/index.ts';
import { packageProperty, type BundleProperty } from '../read/parse-document.ts';
import { compareSemver, parseSemver, type SemanticVersion } from '../versions/range.ts';

/** Names from which those of channels are made, the least stable first. */
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

/** A template that has been read. */
interface SemverTemplate {
  readonly major: boolean;
  readonly minor: boolean;
  readonly preferred: 'major' | 'minor';
  readonly images: Readonly<Record<Archetype, readonly string[]>>;
}

/**
 * Reads a template. Source: operator-registry `alpha/template/semver/semver.go`.
 * @throws OpSdkError with all findings
 */
export function readSemverTemplate(document: YamlDocument): SemverTemplate {
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
      `defaultChannelTypePreference is ${preferred}, but no such channels are generated`,
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

/** A bundle of the template. */
export interface TemplateBundle {
  readonly document: JsonMap;
  /** Description of the package, if the bundle's version is that of the default channel. */
  readonly description: string;
  readonly icon: JsonMap | undefined;
}

/**
 * The documents of a template: the package, its channels, its bundles.
 * @param rendered the bundles by the images of the template
 * @throws OpSdkError with all findings
 */
export function semverDocuments(
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
  // The most stable, then the newest, then the kind that is preferred.
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

/** A bundle of a stream. */
interface StreamEntry {
  readonly name: string;
  readonly version: SemanticVersion;
}

/** The bundles of one stability, the oldest first, from which channels of one kind are made. */
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

/** A channel with the updates of its entries. */
interface LinkedChannel {
  readonly name: string;
  readonly archetype: string;
  readonly kind: Stream['kind'];
  /** The oldest version of it. */
  readonly first: SemanticVersion;
  readonly entries: readonly LinkedEntry[];
}

/**
 * The channels of a stream, `stable-v1` or `stable-v1.2`. The last version of each minor one replaces the last of the minor one before,
 * and skips all other versions of the same major one. What it replaces may be in another channel.
 * Source: operator-registry `alpha/template/semver/semver.go`, `generateChannels`, `linkChannels`.
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

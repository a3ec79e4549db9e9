import { canonicalJson, isJsonMap, type JsonMap } from '../../util/json-map.ts';
import type { Difference } from './difference.ts';
import { ownField, setOwnField } from './json-value.ts';

/** Holds what a version of the kind cannot hold. Part of the public contract: objects are stored with it. */
export const conversionDataAnnotation = 'opsdk.dev/conversion-data';

/** In bytes of UTF-8. Half of what the API server allows for all annotations of an object: `TotalAnnotationSizeLimitB` of apimachinery. */
const greatestSize = 128 * 1024;

/** By version: what an object of that version has beyond its converted form. */
export type KeptData = ReadonlyMap<string, Difference>;

/** What the annotation of an object holds. A text that op-sdk did not write counts as none, and so do versions that are not converted. */
export function readKeptData(metadata: JsonMap, versions: ReadonlySet<string>): KeptData {
  const text = annotationsOf(metadata)[conversionDataAnnotation];
  const kept = new Map<string, Difference>();
  if (text === undefined) return kept;
  const data = parsed(text);
  for (const version of isJsonMap(data) ? Object.keys(data) : []) {
    const { was, is } = differenceIn(ownField(data as JsonMap, version)) ?? {};
    if (versions.has(version) && is !== undefined) kept.set(version, { was, is });
  }
  return kept;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function differenceIn(value: unknown): Difference | undefined {
  if (!isJsonMap(value)) return undefined;
  const [was, is] = [ownField(value, 'was'), ownField(value, 'is')];
  return isJsonMap(was) && isJsonMap(is) ? { was, is } : undefined;
}

/**
 * The metadata with this data in its annotation, or without the annotation if there is none.
 *
 * @throws RangeError if the annotation would be too large
 */
export function withKeptData(metadata: JsonMap, kept: KeptData): JsonMap {
  const old = annotationsOf(metadata);
  const text = kept.size === 0 ? undefined : textOf(kept);
  if (text === old[conversionDataAnnotation]) return metadata;
  const annotations: Record<string, unknown> = {};
  for (const key of Object.keys(old))
    if (key !== conversionDataAnnotation) setOwnField(annotations, key, old[key]);
  if (text !== undefined) annotations[conversionDataAnnotation] = text;
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(metadata)) if (key !== 'annotations') setOwnField(result, key, metadata[key]);
  if (Object.keys(annotations).length > 0) result['annotations'] = annotations;
  return result;
}

/** The same text for the same data, whatever the order in which it came. */
function textOf(kept: KeptData): string {
  const text = canonicalJson(Object.fromEntries(kept));
  const size = Buffer.byteLength(text);
  if (size > greatestSize)
    throw new RangeError(
      `annotation ${conversionDataAnnotation}: expected at most ${greatestSize} bytes for what the version cannot hold, got ${size}`,
    );
  return text;
}

/** @throws TypeError if they are not a map of text, which no API server stores */
function annotationsOf(metadata: JsonMap): Readonly<Record<string, string>> {
  const annotations = ownField(metadata, 'annotations') ?? {};
  if (!isJsonMap(annotations) || Object.values(annotations).some((value) => typeof value !== 'string'))
    throw new TypeError('metadata.annotations: expected a map of texts');
  return annotations as Readonly<Record<string, string>>;
}

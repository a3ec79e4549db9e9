import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { KubeObject } from '../../../sdk/api/index.ts';
import { fieldAt, textOf } from '../../bundle/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import type { ManifestObject } from '../../../kubernetes/yaml/index.ts';
import { servedByPod } from './pod-catalog.ts';

/** Key in `binaryData` of a ConfigMap; its value is one part of the catalogue. */
export const contentKey = 'extraFBC';

/**
 * Maximum size of a ConfigMap's compressed content in bytes. The API server accepts 1 MiB; the limit is lower because operator-sdk counts
 * the metadata as well.
 */
const mostBytes = 1_000_000;

/** Maximum size of a ConfigMap's unpacked content in bytes. The limit is needed because other users may have written the ConfigMap. */
const mostUnpacked = 256 * 1024 * 1024;

/**
 * Returns as few ConfigMaps as possible that contain the documents of a catalogue, in order.
 *
 * @param place `pod` must be set if the ConfigMaps of the former Pod have to be kept until this Pod serves the catalogue
 * @throws OpSdkError `olm/document-too-large`
 */
export function catalogConfigMaps(
  {
    catalog,
    namespace,
    pod,
  }: { readonly catalog: string; readonly namespace: string; readonly pod?: string | undefined },
  documents: readonly string[],
): readonly ManifestObject[] {
  const prefix = `${catalog}${form}${pod === undefined ? '' : `${setOf(pod)}-`}`;
  return partitions(documents).map((content, index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `${prefix}${index + 1}`,
      namespace,
      annotations: { 'olm.contentEncoding': 'gzip+base64' },
    },
    binaryData: { [contentKey]: content.toString('base64') },
  }));
}

/** Part of a ConfigMap's name between the name of the catalogue and the number of the ConfigMap. Numbers start at 1. */
const form = '-configmap-partition-';

/** Returns the part of a ConfigMap's name that identifies the Pod that reads the ConfigMap. */
function setOf(pod: string): string {
  return createHash('sha256').update(pod).digest('hex').slice(0, 8);
}

/** A ConfigMap of a catalogue. `set` identifies the Pod that reads it (`''` for names that operator-sdk uses), `number` gives the order. */
interface Part<T> {
  readonly item: T;
  readonly set: string;
  readonly number: number;
}

function partsOf<T extends KubeObject>(configMaps: readonly T[], catalog: KubeObject): readonly Part<T>[] {
  const { name = '', uid } = catalog.metadata;
  return configMaps.flatMap((item): readonly Part<T>[] => {
    const { name: own = '', ownerReferences = [] } = item.metadata;
    if (!own.startsWith(`${name}${form}`) || !ownerReferences.some((owner) => owner.uid === uid)) return [];
    const [, set = '', number] =
      /^(?:([0-9a-f]{8})-)?(\d+)$/.exec(own.slice(name.length + form.length)) ?? [];
    return number === undefined ? [] : [{ item, set, number: Number(number) }];
  });
}

/** Returns all ConfigMaps of a catalogue: those that its Pod serves, those of former Pods, and those that were never served. */
export function ownConfigMaps<T extends KubeObject>(
  configMaps: readonly T[],
  catalog: KubeObject,
): readonly T[] {
  return partsOf(configMaps, catalog).map(({ item }) => item);
}

/**
 * Returns the parts of a catalogue, read from the ConfigMaps from which the Pod serves the catalogue.
 *
 * @param configMaps all ConfigMaps in the namespace of the catalogue
 * @throws OpSdkError `olm/config-map-unreadable`
 */
export function catalogParts(configMaps: readonly KubeObject[], catalog: KubeObject): readonly string[] {
  const all = partsOf(configMaps, catalog);
  const pod = servedByPod(catalog)?.pod;
  const own = pod === undefined ? [] : all.filter(({ set }) => set === setOf(pod));
  return (own.length > 0 ? own : all.filter(({ set }) => set === ''))
    .toSorted((a, b) => a.number - b.number)
    .map(({ item }) => contentOf(item));
}

function contentOf(configMap: KubeObject): string {
  const { name, namespace } = configMap.metadata;
  try {
    const content = Buffer.from(textOf(fieldAt(configMap, 'binaryData', contentKey)), 'base64');
    return gunzipSync(content, { maxOutputLength: mostUnpacked }).toString('utf8');
  } catch (error) {
    throw new OpSdkError(
      {
        code: 'olm/config-map-unreadable',
        message: `the ConfigMap ${name} has no catalogue: expected binaryData.${contentKey}, compressed with gzip: ${(error as Error).message}`,
        where: { object: `configmap/${name} -n ${namespace}` },
        fix: ['remove the operator by op-sdk cleanup, and install the new version at once'],
      },
      { cause: error },
    );
  }
}

function partitions(documents: readonly string[]): readonly Buffer[] {
  const all: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const document of documents) {
    const own = gzipSync(document).length;
    if (own > mostBytes) throw tooLarge(document, own);
    if (size + own > mostBytes) {
      all.push([]);
      size = 0;
    }
    all.at(-1)?.push(document);
    size += own;
  }
  return all.flatMap(compressed);
}

/**
 * Compresses documents together, because the result is usually smaller than that of separate compression. If the result is too large for a
 * ConfigMap, the documents are divided into two parts.
 */
function compressed(part: readonly string[]): readonly Buffer[] {
  const content = gzipSync(part.join(''));
  if (content.length <= mostBytes || part.length === 1) return [content];
  const half = Math.ceil(part.length / 2);
  return [...compressed(part.slice(0, half)), ...compressed(part.slice(half))];
}

function tooLarge(document: string, bytes: number): OpSdkError {
  const name = /^name: (.*)$/m.exec(document)?.[1] ?? 'a document';
  return new OpSdkError({
    code: 'olm/document-too-large',
    message: `${name} has ${bytes} bytes in the catalogue, compressed; a ConfigMap holds ${mostBytes}`,
    where: { object: name },
    fix: ['leave --index-image out, and push the catalogue as an image: --push-to REPOSITORY'],
  });
}

import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { KubeObject } from '../../../sdk/api/index.ts';
import { fieldAt, textOf } from '../../bundle/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import type { ManifestObject } from '../../../kubernetes/yaml/index.ts';
import { servedByPod } from './pod-catalog.ts';

/** The key of a ConfigMap below which its part of the catalogue is. */
export const contentKey = 'extraFBC';

/** Limit in bytes: the API server accepts 1 MiB, and operator-sdk counts the metadata as well. */
const mostBytes = 1_000_000;

/** Limit in bytes for the unpacked content of a ConfigMap, because it may come from others. */
const mostUnpacked = 256 * 1024 * 1024;

/**
 * Returns the ConfigMaps with the documents of a catalogue, in order, and as few as possible.
 *
 * @param place with `pod` if other ConfigMaps of the catalogue must be kept until this Pod serves it
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

/** Infix between the name of the catalogue and the number, which starts at 1. */
const form = '-configmap-partition-';

/** Returns the part of ConfigMap names that identifies their Pod. */
function setOf(pod: string): string {
  return createHash('sha256').update(pod).digest('hex').slice(0, 8);
}

/** A ConfigMap of a catalogue with its set and number; the set is `''` in operator-sdk's names. */
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

/** Returns the ConfigMaps of a catalogue in its namespace: current ones, former ones, and those that were never served. */
export function ownConfigMaps<T extends KubeObject>(
  configMaps: readonly T[],
  catalog: KubeObject,
): readonly T[] {
  return partsOf(configMaps, catalog).map(({ item }) => item);
}

/**
 * The parts of a catalogue that its Pod has read from ConfigMaps.
 *
 * @param configMaps of its namespace
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

/** Documents usually compress better together; if the result is too large, the part is divided. */
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

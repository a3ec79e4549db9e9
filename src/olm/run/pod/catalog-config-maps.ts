import { gunzipSync, gzipSync } from 'node:zlib';
import type { KubeObject } from '../../../api/index.ts';
import { fieldAt, textOf } from '../../../bundle/validate/fields.ts';
import { OpSdkError } from '../../../errors/index.ts';
import type { ManifestObject } from '../../../yaml/manifest-object.ts';

/** The key of a ConfigMap below which its part of the catalogue is. */
export const contentKey = 'extraFBC';

/** In bytes: the API server takes 1 MiB, operator-sdk counts the metadata as well. */
const mostBytes = 1_000_000;

/** In bytes, of the content of one ConfigMap: what is read of others is bounded. */
const mostUnpacked = 256 * 1024 * 1024;

/** The ConfigMaps with the documents of a catalogue, in order; as few as hold them. @throws OpSdkError `olm/document-too-large` */
export function catalogConfigMaps(
  { catalog, namespace }: { readonly catalog: string; readonly namespace: string },
  documents: readonly string[],
): readonly ManifestObject[] {
  return partitions(documents).map((content, index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: configMapName(catalog, index + 1),
      namespace,
      annotations: { 'olm.contentEncoding': 'gzip+base64' },
    },
    binaryData: { [contentKey]: content.toString('base64') },
  }));
}

/** The name of one of them, from 1. */
function configMapName(catalog: string, partition: number): string {
  return `${catalog}-configmap-partition-${partition}`;
}

/** The ConfigMaps of a catalogue among those of its namespace. */
export function ownConfigMaps<T extends KubeObject>(
  configMaps: readonly T[],
  catalog: KubeObject,
): readonly T[] {
  const { name = '', uid } = catalog.metadata;
  const form = configMapName(name, 0).slice(0, -1);
  const numberOf = ({ metadata }: T): number => Number(metadata.name?.slice(form.length));
  return configMaps
    .filter(
      ({ metadata }) =>
        metadata.name?.startsWith(form) === true &&
        metadata.ownerReferences?.some((owner) => owner.uid === uid) === true,
    )
    .sort((a, b) => numberOf(a) - numberOf(b));
}

/**
 * The parts of a catalogue that are in its ConfigMaps.
 *
 * @param configMaps of its namespace
 * @throws OpSdkError `olm/config-map-unreadable`
 */
export function catalogParts(configMaps: readonly KubeObject[], catalog: KubeObject): readonly string[] {
  return ownConfigMaps(configMaps, catalog).map(contentOf);
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
    // Compressed together they are smaller, if anything.
    if (size + own > mostBytes) {
      all.push([]);
      size = 0;
    }
    all.at(-1)?.push(document);
    size += own;
  }
  return all.map((part) => gzipSync(part.join('')));
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

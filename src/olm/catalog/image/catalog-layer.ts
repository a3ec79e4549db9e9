import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { OpSdkError } from '../../../base/errors/index.ts';
import { createLayer, type Layer, type Place } from '../../../images/index.ts';
import { errnoText } from '../../../base/util/fs.ts';
import { configsLabel } from '../types.ts';
import { CatalogFindings } from '../findings.ts';
import { listCatalogFiles } from '../read/list-files.ts';
import type { JsonMap } from '../../../base/util/json-map.ts';

/** Folder of the catalogue in its image. opm, OLM v0 and OLM v1 all use this folder by convention. */
export const configsFolder = 'configs';

/** The labels of a catalogue image. */
export const catalogLabels: Readonly<Record<string, string>> = { [configsLabel]: `/${configsFolder}` };

/** Maximum size of an image layer in bytes. The limit exists because a layer is built in memory. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Returns the files of a catalogue as an image layer, in the folder {@link configsFolder}. Files listed in `.indexignore` are left out.
 * @throws OpSdkError with all findings
 */
export async function catalogLayer(place: Place): Promise<Layer> {
  const findings = new CatalogFindings();
  const files = await listCatalogFiles(place, findings);
  const all = await findings.finish();
  if (all.length > 0) throw new OpSdkError(all);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > mostBytes)
    throw new OpSdkError({
      code: 'io/too-large',
      message: `${place.shown} has ${size} bytes; images of catalogues have up to ${mostBytes}`,
      where: { file: place.shown },
      fix: ['split the catalogue by its packages'],
    });
  const entries = await Promise.all(
    files.map(async ({ path, file }) => {
      // If the catalogue is a single file, the layer contains this file as `catalog.yaml` in the folder {@link configsFolder}.
      const way = path === place.path ? 'catalog.yaml' : relative(place.path, path).split(sep).join('/');
      return { path: `${configsFolder}/${way}`, content: await contentOf(path, file) };
    }),
  );
  return createLayer([{ path: configsFolder }, ...entries], 'op-sdk catalog build');
}

async function contentOf(path: string, file: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new OpSdkError({
      code: 'io/cannot-read',
      message: `cannot read ${file}: ${errnoText(error)}`,
      where: { file },
    });
  }
}

/** The versions of OLM to which a catalogue can be added. */
export const olmVersions = ['v0', 'v1'] as const;
export type OlmVersion = (typeof olmVersions)[number];

/** Name, namespace and image of a catalogue on a cluster. */
interface ClusterCatalogue {
  readonly name: string;
  /** Namespace of the CatalogSource. */
  readonly namespace: string;
  /** Image reference with a digest. */
  readonly image: string;
}

/**
 * Returns the object that adds a catalogue to OLM. The same image works for both versions of OLM. OLM v0 extracts the files and serves them
 * with its own opm. Therefore, the image must not contain a cache of opm (`cacheDir`).
 */
export function catalogObject({ name, namespace, image }: ClusterCatalogue, olm: OlmVersion): JsonMap {
  if (olm === 'v1')
    return {
      apiVersion: 'olm.operatorframework.io/v1',
      kind: 'ClusterCatalog',
      metadata: { name },
      spec: { source: { type: 'Image', image: { ref: image } } },
    };
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'CatalogSource',
    metadata: { name, namespace },
    spec: {
      sourceType: 'grpc',
      image,
      displayName: name,
      grpcPodConfig: {
        securityContextConfig: 'restricted',
        extractContent: { catalogDir: `/${configsFolder}` },
      },
    },
  };
}

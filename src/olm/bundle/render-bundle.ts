import type { WantedFile } from '../../project/scaffold/index.ts';
import { fitsMachineTemplate, renderMachineDocument } from '../../project/scaffold/machine-document.ts';
import { bundleDockerfileText } from '../../project/scaffold/sets/bundle.ts';
import type { GeneratedBundle } from './generate-bundle.ts';
import { bundleDockerfile, bundleFiles, bundleFolders } from './metadata.ts';

/** The template of the files in `manifests/` and of the scorecard configuration: of objects of any kind. */
export const manifestTemplate = 'bundle-manifest';
/** The same file for a ClusterServiceVersion, its shape spelled out. */
const csvTemplate = 'csv';

/** A bundle as texts of files. */
export interface RenderedBundle {
  /** `manifests/` and `tests/scorecard/`. */
  readonly manifests: readonly WantedFile[];
  /** The files of `metadata/` that come from the folder of the base, each with its place there. */
  readonly sources: readonly (WantedFile & { readonly source: string })[];
  /** `metadata/annotations.yaml` and `bundle.Dockerfile`. */
  readonly metadata: readonly WantedFile[];
}

/**
 * Writes a bundle as texts.
 * @param folder the bundle's folder, relative to the project, with forward slashes
 * @param projectRoot absolute; for the project's own template of the Dockerfile
 */
export async function renderBundle(
  bundle: GeneratedBundle,
  folder: string,
  projectRoot?: string,
): Promise<RenderedBundle> {
  const documents = [
    ...bundle.manifests.map(({ file, document }) => ({ path: `manifests/${file}`, document })),
    ...(bundle.scorecard === undefined ? [] : [{ path: bundleFiles.scorecard, document: bundle.scorecard }]),
  ];
  const manifests = documents.map(async ({ path, document }) => ({
    path: `${folder}/${path}`,
    content: await renderMachineDocument(templateOf(document), document),
  }));
  const sources = bundle.metadata.map(async ({ name, source, document }) => ({
    source,
    path: `${folder}/${bundleFolders.metadata}${name}`,
    content: await renderMachineDocument(manifestTemplate, document),
  }));
  const annotations = Object.fromEntries(bundle.annotations.map(({ key, value }) => [key, value]));
  return {
    manifests: await Promise.all(manifests),
    sources: await Promise.all(sources),
    metadata: [
      {
        path: `${folder}/${bundleFiles.annotations}`,
        content: await renderMachineDocument('annotations', { annotations }),
      },
      {
        path: bundleDockerfile,
        content: await bundleDockerfileText(bundle.annotations, folder, projectRoot),
      },
    ],
  };
}

/** A base may hold fields of later versions of OLM: such a ClusterServiceVersion is written as any object is. */
function templateOf(document: Readonly<Record<string, unknown>>): string {
  const isKnown = document['kind'] === 'ClusterServiceVersion' && fitsMachineTemplate(csvTemplate, document);
  return isKnown ? csvTemplate : manifestTemplate;
}

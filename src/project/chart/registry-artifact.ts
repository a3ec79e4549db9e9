import { jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../base/util/json-map.ts';
import type { ChartPackage } from './package.ts';

/** A package as registries store it. */
interface ChartArtifact {
  /** Tag of the version. Tags cannot contain the `+` of build metadata, for which Helm writes `_`. */
  readonly tag: string;
  readonly config: { readonly mediaType: string; readonly bytes: Uint8Array };
  readonly layer: { readonly mediaType: string; readonly bytes: Uint8Array };
  readonly annotations: Readonly<Record<string, string>>;
}

const title = 'org.opencontainers.image.title';
const version = 'org.opencontainers.image.version';

/**
 * Returns a package in the form in which `helm push` stores it. The annotation with the time of creation is left out, so that equal charts
 * give artifacts with equal digests.
 *
 * @see https://helm.sh/docs/topics/registries/
 */
export function chartArtifact({ bytes, metadata, ...chart }: ChartPackage): ChartArtifact {
  return {
    tag: chart.version.replaceAll('+', '_'),
    config: {
      mediaType: 'application/vnd.cncf.helm.config.v1+json',
      bytes: Buffer.from(JSON.stringify(metadata)),
    },
    layer: { mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip', bytes },
    annotations: annotationsOf(metadata),
  };
}

/** Returns the annotations that Helm derives from Chart.yaml. Annotations in Chart.yaml do not override title and version. */
function annotationsOf(metadata: JsonMap): Readonly<Record<string, string>> {
  const derived = {
    'org.opencontainers.image.description': jsonTextOf(metadata['description']),
    [title]: jsonTextOf(metadata['name']),
    [version]: jsonTextOf(metadata['version']),
    'org.opencontainers.image.url': jsonTextOf(metadata['home']),
    'org.opencontainers.image.source': jsonTextOf(jsonListOf(metadata['sources'])[0]),
    'org.opencontainers.image.authors': jsonListOf(metadata['maintainers']).map(maintainerText).join(', '),
  };
  const own = Object.entries(jsonMapOf(metadata['annotations'])).filter(
    ([name]) => name !== title && name !== version,
  );
  const present = Object.entries(derived).filter(([, value]) => value.trim() !== '');
  return Object.fromEntries([...present, ...own.map(([name, value]) => [name, jsonTextOf(value)] as const)]);
}

function maintainerText(maintainer: unknown): string {
  const { name, email } = jsonMapOf(maintainer);
  const address = jsonTextOf(email);
  return `${jsonTextOf(name)}${address === '' ? '' : ` (${address})`}`;
}

import { imageSbom, sbomMediaType, type OperatorBundle } from '../../../compiler/build/index.ts';
import {
  attach,
  formatReference,
  type ImageContent,
  type ImageReference,
  type PlatformImage,
} from '../../../images/index.ts';
import { packageInfo } from '../../package-info.ts';

/** Base image on which an operator's image was built. */
interface SbomInput {
  readonly operator: OperatorBundle;
  readonly image: ImageReference;
  /** Name of the base in a registry; undefined for a layout on disk. */
  readonly baseReference: ImageReference | undefined;
  readonly base: { readonly content: ImageContent; readonly name: string };
  /** The base for one of the image's platforms. */
  readonly platformBase: PlatformImage | undefined;
}

/** Attaches the bill of materials of an operator to its image. */
export function attachSbom(
  content: ImageContent,
  { operator, image, baseReference, base, platformBase }: SbomInput,
): ImageContent {
  const { digest } = base.content.root;
  const node = nodeVersionOf(platformBase);
  const bytes = imageSbom({
    image: { ...named(image), tag: image.tag ?? 'latest', digest: content.root.digest },
    base:
      baseReference === undefined
        ? { name: `oci:${base.name}`, digest, isLocal: true, node }
        : { ...named(baseReference), digest, isLocal: false, node },
    packages: operator.packages,
    directPackages: operator.directPackages,
    toolVersion: packageInfo().version,
  });
  return attach(content, { mediaType: sbomMediaType, bytes, fileName: 'sbom.cdx.json' });
}

/** Returns the name of an image without tag and digest, and its tag. */
function named({ registry, repository, tag }: ImageReference): {
  readonly name: string;
  readonly tag?: string;
} {
  return { name: formatReference({ registry, repository }), ...(tag === undefined ? {} : { tag }) };
}

/** Returns the version of Node that the official images of Node state in their environment. */
function nodeVersionOf(base: PlatformImage | undefined): string | undefined {
  const variables = base?.config.config?.Env ?? [];
  return variables.map((text) => /^NODE_VERSION=(\d+\.\d+\.\d+)$/.exec(text)?.[1]).find(Boolean);
}

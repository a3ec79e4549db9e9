import { buildImage, type ImageContent, type ImageFormat, type Layer } from '../../../images/index.ts';

/** An image of one layer and labels, built on nothing: what bundles and catalogues are to OLM, which runs none of it. */
export function labelledImage(
  layer: Layer,
  labels: Readonly<Record<string, string>>,
  format: ImageFormat,
): ImageContent {
  return buildImage({
    format,
    platform: { os: 'linux', architecture: 'amd64' },
    layers: [layer],
    config: { Labels: labels },
  }).content;
}

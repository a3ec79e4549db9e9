import { buildImage, createLayer, type BuiltImage } from '../../../src/images/index.ts';
import type { ContainerConfig } from '../../../src/images/image-config.ts';
import type { ImageFormat, Platform } from '../../../src/images/types.ts';

export const amd64: Platform = { os: 'linux', architecture: 'amd64' };
export const arm64: Platform = { os: 'linux', architecture: 'arm64' };

/** An image of one layer, FROM scratch. */
export function smallImage({
  files = { 'hello.txt': 'hello\n' },
  platform = amd64,
  format = 'oci',
  config = {},
}: {
  readonly files?: Readonly<Record<string, string>>;
  readonly platform?: Platform;
  readonly format?: ImageFormat;
  readonly config?: ContainerConfig;
} = {}): BuiltImage {
  const entries = Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text) }));
  return buildImage({ format, platform, layers: [createLayer(entries, 'test')], config });
}

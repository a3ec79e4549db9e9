import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { buildImage, parseReference, selectPlatform, sha256, type Layer } from '../../../src/images/index.ts';
import type { ContainerConfig } from '../../../src/images/image-config.ts';
import { pullImage } from '../../../src/images/registry/pull-image.ts';
import { pushImage } from '../../../src/images/registry/push-image.ts';
import type { RegistryOptions } from '../../../src/images/registry/options.ts';
import { tarBytes, type TarEntry } from '../../../src/base/util/write-tar.ts';

/** A file, folder or link of an image, with its bytes. */
export type ImageFile = TarEntry & { readonly content?: Uint8Array };

export interface LayerImageOptions {
  readonly reference: string;
  readonly files: readonly ImageFile[];
  readonly config: ContainerConfig;
  /** The image that it lies on. Default: nothing, as `FROM scratch`. */
  readonly base?: string;
}

/** Builds an image of one layer, and pushes it to the bed's registry. */
export async function pushLayerImage({ reference, files, config, base }: LayerImageOptions): Promise<void> {
  const platform = { os: 'linux', architecture: process.arch === 'x64' ? 'amd64' : process.arch };
  const registry: RegistryOptions = {
    env: {},
    home: '/nonexistent',
    signal: new AbortController().signal,
    plainHttp: true,
  };
  const { content } = buildImage({
    ...{ format: 'oci', platform, layers: [quickLayer(files)], config },
    ...(base === undefined
      ? {}
      : { base: await selectPlatform(await pullImage(parseReference(base), registry), platform, base) }),
  });
  const mountFrom = base === undefined ? [] : [parseReference(base)];
  await pushImage(parseReference(reference), content, { ...registry, mountFrom });
}

/** Compressed a little only: it travels inside of this machine. */
function quickLayer(files: readonly ImageFile[]): Layer {
  const archive = tarBytes(files);
  const bytes = gzipSync(archive, { level: 1 });
  return { bytes, digest: sha256(bytes), diffId: sha256(archive), createdBy: 'test/cluster' };
}

/** Static busybox as `/bin/sh` and whatever else it can be. */
export function busyboxFiles(): readonly ImageFile[] {
  const program = execFileSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).trim();
  const applets = execFileSync(program, ['--list'], { encoding: 'utf8' }).trim().split('\n');
  return [
    { path: 'bin/busybox', content: readFileSync(program), mode: 0o755 },
    ...applets
      .filter((applet) => applet !== 'busybox')
      .map((applet) => ({ path: `bin/${applet}`, linkTarget: 'busybox' })),
    { path: 'tmp', mode: 0o1777 },
  ];
}

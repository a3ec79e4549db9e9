import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { buildImage, parseReference, sha256, type Layer } from '../../../src/oci/index.ts';
import type { ContainerConfig } from '../../../src/oci/image-config.ts';
import { pushImage } from '../../../src/oci/registry/index.ts';
import { tarBytes, type TarEntry } from '../../../src/oci/tar.ts';

/** A file, folder or link of an image, with its bytes. */
export type ImageFile = TarEntry & { readonly content?: Uint8Array };

/** Builds an image of one layer FROM scratch, and pushes it to the bed's registry. */
export async function pushScratchImage(
  reference: string,
  files: readonly ImageFile[],
  config: ContainerConfig,
): Promise<void> {
  const { content } = buildImage({
    format: 'oci',
    platform: { os: 'linux', architecture: process.arch === 'x64' ? 'amd64' : process.arch },
    layers: [quickLayer(files)],
    config,
  });
  const signal = new AbortController().signal;
  await pushImage(parseReference(reference), content, {
    env: {},
    home: '/nonexistent',
    signal,
    plainHttp: true,
  });
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

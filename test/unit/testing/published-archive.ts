import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { goPlatform } from '../../../src/testing/assets/download-archive.ts';
import { tar } from './tar.ts';

export const version = '1.35.2';
export const archiveName = `envtest-v${version}-${goPlatform()}.tar.gz`;

export const archive = gzipSync(
  tar([
    { name: 'controller-tools/envtest/etcd', content: Buffer.from('the etcd') },
    { name: 'controller-tools/envtest/kube-apiserver', content: Buffer.alloc(70_000, 'a') },
    { name: 'controller-tools/envtest/kubectl', content: Buffer.from('the kubectl') },
  ]),
);

export function sha512(bytes: Uint8Array): string {
  return createHash('sha512').update(bytes).digest('hex');
}

import type { Binary } from './binaries.ts';
import { goPlatform, installFromArchive } from './download-archive.ts';
import { WayFailed, type WayRequest } from './way.ts';

/** URL below which the archives of all releases of Kubernetes are. Source: https://kubernetes.io/releases/download/. */
const publishedReleases = 'https://dl.k8s.io';

/** The binaries that are taken from the archive of a release. The archive contains no etcd, and published ones for tests have the rest. */
export const releaseBinaries: readonly Binary[] = ['kube-controller-manager'];

/**
 * Map from the version of Kubernetes and the platform to the SHA-512 of `kubernetes-server-<platform>.tar.gz`. Source: the section "Server
 * Binaries" of `CHANGELOG/CHANGELOG-<minor version>.md` in the repository kubernetes/kubernetes.
 */
const serverDigests: Readonly<Record<string, string>> = {
  '1.35.4 linux-amd64':
    '7454c2d9023de3230972e965e1e2a587a291e2a1abee703bb0737057e1646b23ebac538b93dd778e93579e3c293dc1fa8d002e6848ad5ebc01598bc47358fe44',
  '1.35.4 linux-arm64':
    '67187a2fe780be7816f9d10e082ed02cbba306bab379980280d00ba4c4017ff53c50cd2ff81d248c91ddcc064276b8760e17c73a1a7da1d35067a6fc0ffbdc88',
  '1.36.0 linux-amd64':
    '1c64da92575451c2c7ff97c79b772e603995f8e76da1371a6b0746aaa27b65dce81c4d734cbb50f40e71486a8e08df36f14e12974f97d4d29e41f23a172a6a25',
  '1.36.0 linux-arm64':
    '7f95e451baedd9368a2fa637afa84c9ed1b958736540ca27a379e5e292e1a10c5d9a29539f833047574bf5d3b6f907f32dee5735acecc11aa4686f078108dcf8',
};

/**
 * Downloads the server archive of a release (some hundred MB), checks its SHA-512 and extracts kube-controller-manager. Only an archive whose
 * SHA-512 op-sdk or the environment variable OPSDK_KUBERNETES_SHA512 names is used; OPSDK_KUBERNETES_RELEASES names another base URL, for mirrors.
 * @returns the names of the programs that are now in `request.target`
 * @throws WayFailed if the platform has no archive, its SHA-512 is unknown, or it cannot be downloaded
 * @throws OpSdkError testenv/checksum-mismatch
 */
export async function downloadServers(request: WayRequest): Promise<readonly string[]> {
  const { version, env } = request;
  const platform = goPlatform();
  if (!platform.startsWith('linux-'))
    throw new WayFailed(`releases have servers for Linux only, this is ${platform}`);
  const name = `kubernetes-server-${platform}.tar.gz`;
  const demanded = env['OPSDK_KUBERNETES_SHA512'] ?? '';
  const sha512 = demanded === '' ? serverDigests[`${version} ${platform}`] : demanded;
  if (sha512 === undefined) {
    const minor = version.split('.').slice(0, 2).join('.');
    throw new WayFailed(
      `op-sdk knows no SHA-512 of ${name} of ${version}; OPSDK_KUBERNETES_SHA512 gives it one (https://github.com/kubernetes/kubernetes/blob/master/CHANGELOG/CHANGELOG-${minor}.md lists it)`,
    );
  }
  const base = env['OPSDK_KUBERNETES_RELEASES'] ?? '';
  const url = `${(base === '' ? publishedReleases : base).replace(/\/+$/, '')}/v${version}/${name}`;
  const source = demanded === '' ? 'op-sdk' : 'OPSDK_KUBERNETES_SHA512';
  return installFromArchive({ url, sha512, source }, request, releaseBinaries);
}

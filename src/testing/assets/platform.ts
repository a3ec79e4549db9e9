const systems: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const architectures: Readonly<Record<string, string>> = {
  x64: 'amd64',
  arm64: 'arm64',
  ppc64: 'ppc64le',
  s390x: 's390x',
};

/** This machine in Go's words, such as `linux-amd64`. */
export function goPlatform(): string {
  const system = systems[process.platform] ?? process.platform;
  return `${system}-${architectures[process.arch] ?? process.arch}`;
}

import { reachOf } from '../../sdk/net/index.ts';

/** Docker's hub: its name in references, where its API is, and the key under which docker keeps its credentials. */
const dockerHub = {
  name: 'docker.io',
  api: 'registry-1.docker.io',
  credentialsKey: 'https://index.docker.io/v1/',
} as const;

/**
 * Where the API of a registry may be, best first. HTTPS always; on this machine plain HTTP after it, for servers that do not
 * speak TLS at all: docker and Go's registry clients do the same for localhost.
 */
export function registryOrigins(
  registry: string,
  { plainHttp, insists }: { readonly plainHttp: boolean; readonly insists: boolean },
): readonly URL[] {
  const host = registry === dockerHub.name ? dockerHub.api : registry;
  if (plainHttp) return [new URL(`http://${host}`)];
  const https = new URL(`https://${host}`);
  const isLocal = reachOf(https.hostname) === 'loopback';
  return isLocal && !insists ? [https, new URL(`http://${host}`)] : [https];
}

/** The key of a registry in credential files of docker, and for its credential helpers. */
export function credentialsKey(registry: string): string {
  return registry === dockerHub.name ? dockerHub.credentialsKey : registry;
}

/** All keys that may mean a registry, best first: the hub has several. */
export function credentialsKeys(registry: string): readonly string[] {
  return registry === dockerHub.name
    ? [dockerHub.credentialsKey, dockerHub.name, 'index.docker.io', dockerHub.api]
    : [registry];
}

import { reachOf, type Reach } from '../../sdk/net/index.ts';
import { WireError } from '../../sdk/net/wire-error.ts';

/**
 * Where a registry may send us, for tokens, uploads and downloads. Otherwise a registry outside could make us talk to servers
 * that only we can reach, such as the credentials service of a cloud machine.
 */
export interface SafeTargets {
  /**
   * Where the host of a URL may be; undefined if anywhere: the registry's own host.
   */
  allowed(url: URL): ReadonlySet<Reach> | undefined;
  /** @throws WireError `unsafe-address` for schemes other than HTTP's, and for plain HTTP when the registry speaks HTTPS */
  check(url: URL): void;
}

/** Returns the reaches that a registry of this reach may name; undefined for one behind a proxy, whose address only the proxy knows. */
function reachable(reach: Reach | undefined): readonly Reach[] {
  if (reach === 'public') return ['public'];
  if (reach === 'loopback') return ['loopback', 'private', 'public'];
  if (reach === 'link-local') return ['link-local', 'private', 'public'];
  return ['private', 'public'];
}

/** @param registry where its API is, and where its host turned out to be */
export function safeTargets(registry: URL, reach: Reach | undefined): SafeTargets {
  const reaches = new Set(reachable(reach));
  return {
    allowed: (url) => (url.hostname === registry.hostname ? undefined : reaches),
    check(url) {
      if (url.protocol === 'https:') return;
      if (url.protocol !== 'http:')
        throw new WireError('unsafe-address', `unsupported scheme ${url.protocol} of a registry`);
      if (registry.protocol === 'https:' && reachOf(url.hostname) !== 'loopback')
        throw new WireError('unsafe-address', `it sends us from HTTPS to plain HTTP (http://${url.host})`);
    },
  };
}

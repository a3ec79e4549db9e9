import type { NetCode } from '../../base/errors/index.ts';
import type { Explanation } from './explanation.ts';

export const netExplanations = {
  'net/invalid-proxy': {
    title: 'A proxy of the environment cannot be used',
    explain:
      'HTTPS_PROXY or HTTP_PROXY (also in lower case) is not the http:// URL of a proxy. Proxies are used by CONNECT; SOCKS and HTTPS proxies are not supported. NO_PROXY lists hosts that are reached directly: names with the names below them, .names and *.names for those below only, addresses, networks such as 10.0.0.0/8, each also with a port, or * for all.',
  },
} satisfies Record<NetCode, Explanation>;

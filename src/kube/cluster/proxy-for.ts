import { OpSdkError } from '../../errors/index.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a server: the kubeconfig's `proxy-url`, else HTTPS_PROXY or HTTP_PROXY unless NO_PROXY excludes the host.
 * As in Go, loopback addresses are never reached through a proxy of the environment.
 *
 * @throws OpSdkError `kube/unsupported-kubeconfig` for anything but an `http:` proxy
 */
export function proxyFor(
  server: URL,
  configured: string | undefined,
  env: Environment,
  file: string,
): URL | undefined {
  if (configured !== undefined) return parse(configured, `proxy-url`, { file });
  const host = server.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === 'localhost' || host === '::1' || /^127\./.test(host) || isExcluded(host, env))
    return undefined;
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = env[name] ?? env[name.toLowerCase()] ?? '';
  return value === '' ? undefined : parse(value, name, undefined);
}

function parse(value: string, name: string, where: { readonly file: string } | undefined): URL {
  const text = value.includes('://') ? value : `http://${value}`;
  if (URL.canParse(text)) {
    const url = new URL(text);
    if (url.protocol === 'http:') return url;
  }
  throw new OpSdkError({
    code: 'kube/unsupported-kubeconfig',
    message: `${name} is not the http:// URL of a proxy: ${value.replace(/^([^:/]*:\/\/)?.*@/, '$1')}`,
    ...(where === undefined ? {} : { where }),
    fix: ['use an HTTP proxy that supports CONNECT, or none'],
  });
}

function isExcluded(host: string, env: Environment): boolean {
  const list = env['NO_PROXY'] ?? env['no_proxy'] ?? '';
  return list
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '')
    .some((each) => {
      if (each === '*') return true;
      const name = each.replace(/^\*/, '').replace(/^\./, '');
      return host === name || host.endsWith(`.${name}`) || isInNetwork(host, each);
    });
}

/** IPv4 networks such as 10.0.0.0/8. */
function isInNetwork(host: string, network: string): boolean {
  const [base = '', bits = ''] = network.split('/');
  const address = ipv4(host);
  const start = ipv4(base);
  if (address === undefined || start === undefined || !/^\d+$/.test(bits) || Number(bits) > 32) return false;
  const size = 2 ** (32 - Number(bits));
  return Math.floor(address / size) === Math.floor(start / size);
}

function ipv4(text: string): number | undefined {
  const parts = text.split('.').map(Number);
  if (parts.length !== 4 || parts.some((part) => !Number.isInteger(part) || part < 0 || part > 255))
    return undefined;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}

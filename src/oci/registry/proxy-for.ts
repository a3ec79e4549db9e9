import { BlockList, isIP } from 'node:net';
import { OpSdkError } from '../../errors/index.ts';
import { reachOf, unbracketed } from './address.ts';

/**
 * The proxy for a server: HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY excludes the host. This machine itself is never
 * reached through a proxy, as in Go.
 * @throws OpSdkError `oci/proxy` for anything but an `http:` proxy
 */
export function proxyFor(server: URL, env: Readonly<Record<string, string | undefined>>): URL | undefined {
  const host = unbracketed(server.hostname);
  if (reachOf(host) === 'loopback' || isExcluded(host, portOf(server), env)) return undefined;
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = oneOf(env, name);
  if (value === '') return undefined;
  const text = value.includes('://') ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' && isDecodable(url)) return url;
  throw new OpSdkError({
    code: 'oci/proxy',
    // The value itself may hold a password.
    message: `${name} is not the http:// URL of a proxy`,
    where: { object: name },
    fix: ['name an HTTP proxy that supports CONNECT, or add the registry to NO_PROXY'],
  });
}

/** A variable under its name or that in lower case; empty is as good as not set, as in Go. */
function oneOf(env: Readonly<Record<string, string | undefined>>, name: string): string {
  return [env[name], env[name.toLowerCase()]].find((value) => value !== undefined && value !== '') ?? '';
}

/** Whether user and password of a URL can be read. */
function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** The port of a URL, the default one of its scheme included. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function isExcluded(host: string, port: number, env: Readonly<Record<string, string | undefined>>): boolean {
  return oneOf(env, 'NO_PROXY')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '')
    .some((each) => {
      if (each === '*') return true;
      const [, name = '', onlyPort] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(each) ?? [];
      if (onlyPort !== undefined && Number(onlyPort) !== port) return false;
      const domain = unbracketed(name).replace(/^\*?\./, '');
      return host === domain || host.endsWith(`.${domain}`) || isInNetwork(host, each);
    });
}

function isInNetwork(host: string, network: string): boolean {
  const [base = '', bits = ''] = network.split('/');
  const version = isIP(base);
  if (version === 0 || isIP(host) === 0 || !/^\d+$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128))
    return false;
  const list = new BlockList();
  list.addSubnet(base, Number(bits), version === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');
}

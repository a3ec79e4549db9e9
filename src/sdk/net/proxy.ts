import { BlockList, isIP } from 'node:net';
import { OpSdkError } from '../../base/errors/index.ts';
import { reachOf, unbracketed } from './address.ts';
import { secrets } from './redact.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy of the environment for a server: HTTPS_PROXY or HTTP_PROXY, by the scheme of the server, unless NO_PROXY excludes it;
 * each also in lower case, and an empty one is as good as none. This machine itself is never reached through a proxy; unlike Go we
 * count names below `.localhost` to it. Source: Go's `golang.org/x/net/http/httpproxy`, which kubectl uses.
 *
 * @throws OpSdkError `net/invalid-proxy` for anything but an `http:` proxy
 */
export function proxyFor(server: URL, env: Environment): URL | undefined {
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = oneOf(env, name);
  if (value === '' || reachOf(server.hostname) === 'loopback' || isExcluded(server, oneOf(env, 'NO_PROXY')))
    return undefined;
  const proxy = parseProxy(value);
  if (proxy !== undefined) return proxy;
  throw new OpSdkError({
    code: 'net/invalid-proxy',
    // The value itself may hold a password.
    message: `${name}: expected the http:// URL of a proxy`,
    where: { object: name },
    fix: ['name an HTTP proxy that supports CONNECT', `or add ${server.hostname} to NO_PROXY`],
  });
}

/** The URL of an HTTP proxy, also without its scheme; undefined if it is another text. Its password is hidden from now on. */
export function parseProxy(value: string): URL | undefined {
  const text = value.includes('://') ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' || !isDecodable(url)) return undefined;
  if (url.password !== '') {
    secrets.hide(url.password);
    secrets.hide(decodeURIComponent(url.password));
    secrets.hide(basicCredentials(url));
  }
  return url;
}

/** The header that a proxy wants if its URL has a user name. */
export function proxyAuthorization(proxy: URL): Record<string, string> {
  return proxy.username === '' ? {} : { 'proxy-authorization': `Basic ${basicCredentials(proxy)}` };
}

function basicCredentials({ username, password }: URL): string {
  return Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
}

/** Returns true if user and password of a URL can be decoded. */
function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** A variable under its name or that in lower case; empty is as good as not set. */
function oneOf(env: Environment, name: string): string {
  return [env[name], env[name.toLowerCase()]].find((value) => value !== undefined && value !== '') ?? '';
}

/** The port of a URL, the default one of its scheme included. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function isExcluded(server: URL, list: string): boolean {
  const host = unbracketed(server.hostname).toLowerCase();
  const port = String(portOf(server));
  const entries = list
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '');
  return entries.includes('*') || entries.some((entry) => excludes(entry, host, port));
}

/** `10.0.0.0/8`, `host`, `host:port`, `[IPv6]:port`; `.domain` and `*.domain` mean the names below, `domain` itself, too. */
function excludes(entry: string, host: string, port: string): boolean {
  const address = isIP(host) !== 0;
  if (address && isInNetwork(host, entry)) return true;
  const [, name = '', onlyPort = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(entry) ?? [undefined, entry];
  if (name === '' || (onlyPort !== '' && onlyPort !== port)) return false;
  const bare = unbracketed(name);
  if (isIP(bare) !== 0) return address && isInNetwork(host, `${bare}/${isIP(bare) === 4 ? 32 : 128}`);
  if (address) return false;
  const domain = bare.replace(/^\*\./, '.');
  return domain.startsWith('.') ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function isInNetwork(host: string, network: string): boolean {
  const [base = '', bits = ''] = network.split('/');
  const version = isIP(base);
  // Every IPv4 address is within ::/0 for BlockList, not for Go.
  if (
    version === 0 ||
    (version === 6 && isIP(host) === 4) ||
    !/^\d+$/.test(bits) ||
    Number(bits) > (version === 4 ? 32 : 128)
  )
    return false;
  const list = new BlockList();
  list.addSubnet(base, Number(bits), version === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');
}

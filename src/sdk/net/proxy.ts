import { BlockList, isIP, type Socket } from 'node:net';
import { request } from 'node:http';
import { OpSdkError } from '../../base/errors/index.ts';
import { secrets } from './redact.ts';
import { onAbort } from './waits.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy for requests to a server. Reads HTTPS_PROXY or HTTP_PROXY, depending on the scheme of the server's URL. Returns
 * undefined if NO_PROXY excludes the server. Each variable may be in lower case; an empty variable counts as unset. The local machine is
 * never reached through a proxy; unlike in Go, this includes names below `.localhost`. Source: Go's `golang.org/x/net/http/httpproxy`,
 * which kubectl uses.
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
    // The message omits the value, which may contain a password.
    message: `${name}: expected the http:// URL of a proxy`,
    where: { object: name },
    fix: ['name an HTTP proxy that supports CONNECT', `or add ${server.hostname} to NO_PROXY`],
  });
}

/**
 * Parses the URL of an HTTP proxy, with or without `http://`. Returns undefined for any other text. Registers the password in the URL for
 * redaction.
 */
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

/** Returns the proxy-authorization header for a proxy; an empty object if the URL of the proxy has no user name. */
export function proxyAuthorization(proxy: URL): Record<string, string> {
  return proxy.username === '' ? {} : { 'proxy-authorization': `Basic ${basicCredentials(proxy)}` };
}

function basicCredentials({ username, password }: URL): string {
  return Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
}

/** Returns true if the percent-encoding of the user name and password in a URL is valid. */
function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** Returns the value of an environment variable, or of the same name in lower case if the variable is unset or empty. */
function oneOf(env: Environment, name: string): string {
  return [env[name], env[name.toLowerCase()]].find((value) => value !== undefined && value !== '') ?? '';
}

/** Returns the port of a URL, or the default port of its scheme. */
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

/**
 * Returns true if an entry of NO_PROXY matches a host and port. Entries: `10.0.0.0/8`, `host`, `host:port`, `[IPv6]:port`. `.domain` and
 * `*.domain` match `domain` and all names below `domain`.
 */
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
  // Unlike Go, Node's BlockList matches every IPv4 address with `::/0`, so IPv4 addresses are not compared with IPv6 networks.
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

/** Class of network to which an address belongs: this machine, its local link, an internal network, or the public internet. */
export type Reach = 'loopback' | 'link-local' | 'private' | 'public';

const lists: readonly (readonly [Exclude<Reach, 'public'>, BlockList])[] = [
  ['loopback', blockList(['127.0.0.0', 8], ['::1', 128])],
  // Cloud providers serve the credentials of virtual machines at 169.254.169.254.
  ['link-local', blockList(['169.254.0.0', 16], ['0.0.0.0', 8], ['fe80::', 10], ['::', 128])],
  [
    'private',
    blockList(['10.0.0.0', 8], ['172.16.0.0', 12], ['192.168.0.0', 16], ['100.64.0.0', 10], ['fc00::', 7]),
  ],
];

function blockList(...networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [base, bits] of networks) list.addSubnet(base, bits, base.includes(':') ? 'ipv6' : 'ipv4');
  return list;
}

/**
 * Returns the network class of an IP address. Returns undefined for any other text, except that `localhost` and names below it are
 * loopback.
 */
export function reachOf(host: string): Reach | undefined {
  const name = unbracketed(host).toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return 'loopback';
  const version = isIP(name);
  if (version === 0) return undefined;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  return lists.find(([, list]) => list.check(name, family))?.[0] ?? 'public';
}

/** Removes the brackets around an IPv6 address, as they occur in URLs. */
export function unbracketed(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** Error of a proxy that did not open a tunnel. The message contains no secrets and is phrased as the end of a sentence. */
export class TunnelError extends Error {}

/**
 * Opens a tunnel through an HTTP proxy to `authority` (`host:port`).
 *
 * @param timeout maximum time without an answer of the proxy, in milliseconds
 * @param signal aborts waiting for the answer
 * @throws TunnelError; the signal's reason
 */
export function openTunnel(
  proxy: URL,
  authority: string,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const asking = request({
      host: unbracketed(proxy.hostname),
      port: portOf(proxy),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxyAuthorization(proxy) },
      agent: false,
      timeout,
    });
    const stopListening = onAbort(signal, (reason) => {
      reject(reason);
      asking.destroy();
    });
    const fail = (message: string, cause?: unknown): void => {
      stopListening();
      reject(new TunnelError(message, { cause }));
    };
    asking.once('timeout', () => asking.destroy(new Error('no answer in time')));
    asking.on('error', (error) => fail(error.message, error));
    asking.once('response', (response) => {
      response.resume();
      asking.destroy();
      fail(`it answered ${response.statusCode ?? 0} to CONNECT`);
    });
    asking.once('connect', (response, socket: Socket, head: Buffer) => {
      if (response.statusCode !== 200) {
        socket.destroy();
        fail(`it answered ${response.statusCode ?? 0} to CONNECT`);
        return;
      }
      stopListening();
      socket.setTimeout(0);
      // The first bytes of the server arrived in the same chunk as the proxy's answer, so they are put back into the socket.
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asking.end();
  });
}

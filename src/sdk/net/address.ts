import { BlockList, isIP } from 'node:net';

/** Where an address leads: to this machine, to its own network, to an inner network, or out. */
export type Reach = 'loopback' | 'link-local' | 'private' | 'public';

const lists: readonly (readonly [Exclude<Reach, 'public'>, BlockList])[] = [
  ['loopback', blockList(['127.0.0.0', 8], ['::1', 128])],
  // Clouds keep the credentials of machines behind 169.254.169.254.
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

/** The reach of an IP address; undefined for what is none, such as a name. `localhost` and names below it are loopback. */
export function reachOf(host: string): Reach | undefined {
  const name = unbracketed(host).toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return 'loopback';
  const version = isIP(name);
  if (version === 0) return undefined;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  return lists.find(([, list]) => list.check(name, family))?.[0] ?? 'public';
}

/** A host without the brackets that URLs put around IPv6 addresses. */
export function unbracketed(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

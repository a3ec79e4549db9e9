import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { addresses } from './addresses.ts';

/** Gives the empty network of this process an address for the node, on a bridge that leads nowhere. */
export function setUpNetwork(): void {
  const ip = (...args: readonly string[]): void => void execFileSync('ip', args);
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', 'node0', 'type', 'bridge');
  ip('addr', 'add', `${addresses.node}/24`, 'dev', 'node0');
  ip('link', 'set', 'node0', 'up');
  ip('route', 'add', 'default', 'dev', 'node0');
  // Of this network, not of the machine.
  for (const setting of ['ip_forward', 'conf/all/route_localnet'])
    writeFileSync(`/proc/sys/net/ipv4/${setting}`, '1');
}

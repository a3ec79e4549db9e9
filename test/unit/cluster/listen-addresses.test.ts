import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { ListenAddresses } from '../../../src/cluster/run/listen-addresses.ts';
import { freePort } from '../../../src/testing/control-plane/ports.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** Takes a port; one that another process has is as good. */
async function take(port: number, host = '127.0.0.1'): Promise<void> {
  const server = createServer();
  server.listen({ port, host });
  const taken = await Promise.race([
    once(server, 'listening').then(() => true),
    once(server, 'error').then(() => false),
  ]).catch(() => false);
  if (taken) servers.push(server);
}

function portsOf(flags: readonly string[]): Record<string, number> {
  const found = flags.map((flag) => /^--(metrics|health).*=127\.0\.0\.1:(\d+)$/.exec(flag));
  return Object.fromEntries(found.flatMap((match) => (match ? [[match[1], Number(match[2])]] : [])));
}

describe('an operator on this machine', () => {
  test('listens on free ports where the usual ones are taken, keeps them, and says which', async () => {
    await take(8080);
    await take(8081);
    await take(8082);
    const reports: string[] = [];
    const addresses = new ListenAddresses([], (message) => reports.push(message));
    const first = portsOf(await addresses.choose());
    expect(first['metrics']).toBeGreaterThan(8082);
    expect(first['health']).toBeGreaterThan(8082);
    expect(first['metrics']).not.toBe(first['health']);
    expect(reports).toEqual([
      `port 8080 is taken, so metrics are served on 127.0.0.1:${first['metrics']} instead`,
      `port 8081 is taken, so probes are served on 127.0.0.1:${first['health']} instead`,
    ]);
    // What took a port in the meantime is reported, too.
    await take(first['metrics'] ?? 0);
    const second = portsOf(await addresses.choose());
    expect(second['metrics']).not.toBe(first['metrics']);
    expect(second['metrics']).not.toBe(second['health']);
    expect(reports).toContain(
      `port ${first['metrics']} is taken, so metrics are served on 127.0.0.1:${second['metrics']} instead`,
    );
  });

  test.each([
    ['--metrics-bind-address=0', '--health-probe-bind-address=0'],
    ['--metrics-bind-address', '0', '--health-probe-bind-address', ':0'],
    ['--metrics-bind-address=nowhere', '--health-probe-bind-address=0'],
  ])('listens where its flags say: %s %s', async (...flags) => {
    expect(await new ListenAddresses(flags).choose()).toEqual(['--metrics-secure=false']);
  });

  test.each(['--metrics-bind-address', '--health-probe-bind-address'])(
    'refuses an address of %s that is taken',
    async (flag) => {
      const port = await freePort();
      await take(port);
      const fix = [
        'stop the process that listens there',
        `leave out ${flag}: a free port is chosen`,
        `write another address, or ${flag}=0 for none`,
      ];
      const forms = [[`${flag}=127.0.0.1:${port}`], [`${flag}=0`, flag, `127.0.0.1:${port}`]];
      for (const flags of forms) {
        const addresses = new ListenAddresses(flags);
        const finding = { code: 'cluster/cannot-listen', where: { flag }, fix };
        await expect(addresses.check()).rejects.toMatchObject({ findings: [finding] });
        await expect(addresses.choose()).rejects.toThrow(`${flag}: expected an address`);
      }
      // The last occurrence counts.
      await new ListenAddresses([`${flag}=127.0.0.1:${port}`, `${flag}=0`]).check();
    },
  );
});

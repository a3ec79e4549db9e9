import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startCommand } from '../../src/cluster/config.ts';

const own = '10.0.0.9';
const peers = ['10.0.0.1', '10.0.0.2'];
const line = (id: string, ip: string, flags: string, master = '-', slots = ''): string =>
  `${id} ${ip}:6379@16379 ${flags} ${master} 0 0 1 connected ${slots}`.trim();
const peer = line('p', '10.0.0.1', 'myself,master', '-', '0-8191');
/** The former node at the address of the test, which has slots, and its replica. */
const former = (flags = 'master', slots = '8192-16383'): string => line('f', own, flags, '-', slots);
const replica = (flags = 'slave'): string => line('r', '10.0.0.3', flags, 'f');
const promoted = line('r', '10.0.0.3', 'master', '-', '8192-16383');

/** Programs in the place of those of the image. Each second of `sleep` is one of the clock, and each answers once more. */
const programs = {
  'redis-cli':
    'if [ -f "$HOME/$2.$(cat "$HOME/clock")" ]; then cat "$HOME/$2.$(cat "$HOME/clock")"; else cat "$HOME/$2"; fi',
  'redis-server': 'cat > "$HOME/redis.conf"; cat "$HOME/clock" > "$HOME/started"',
  sleep: 'echo $(($(cat "$HOME/clock") + $1)) > "$HOME/clock"',
  date: 'cat "$HOME/clock"',
};

describe.skipIf(process.platform === 'win32')('the start of a node', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'redis-start-'));
    for (const folder of ['bin', 'data', 'conf']) await mkdir(join(home, folder));
    for (const [name, script] of Object.entries(programs))
      await writeFile(join(home, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    await writeFile(join(home, 'clock'), '0\n');
    await writeFile(join(home, 'conf/peers'), peers.join('\n'));
    await writeFile(join(home, 'conf/redis.conf'), 'appendonly yes\n');
  });
  afterEach(() => rm(home, { recursive: true }));

  /** Lets a node answer to CLUSTER NODES. @param second from which on it answers this; default: always */
  const answer = async (ip: string, lines: readonly string[], second?: number): Promise<void> => {
    const name = second === undefined ? ip : `${ip}.${second}`;
    await writeFile(join(home, name), `${lines.join('\n')}\n`);
  };
  /** Starts the node. @returns the second at which its server has started */
  const start = async (env: Readonly<Record<string, string>> = {}): Promise<number> => {
    const [shell = '', ...args] = startCommand.map((word) =>
      word.replaceAll('/conf/', `${home}/conf/`).replaceAll('/data/', `${home}/data/`),
    );
    await promisify(execFile)(shell, args, {
      env: { PATH: `${home}/bin:${process.env['PATH']}`, HOME: home, POD_IP: own, ...env },
    });
    return Number(await readFile(join(home, 'started'), 'utf8'));
  };

  test('is at once in a new cluster', async () => {
    await writeFile(join(home, 'conf/peers'), '');
    expect(await start()).toBe(0);
  });

  test('is at once with data, whoever has its slots', async () => {
    await writeFile(join(home, 'data/nodes.conf'), 'f\n');
    for (const ip of peers) await answer(ip, [peer, former(), replica()]);
    expect(await start()).toBe(0);
  });

  test.each([
    { title: 'nobody knows its address', lines: [peer] },
    { title: 'the node there was a replica', lines: [peer, line('f', own, 'slave', 'p')] },
    { title: 'a replica has the slots already', lines: [peer, former('master,fail', ''), promoted] },
    { title: 'the node there had no replica', lines: [peer, former('master,fail')] },
    { title: 'its replica has failed, too', lines: [peer, former('master,fail'), replica('slave,fail')] },
    {
      title: 'another address begins like its own',
      lines: [peer, line('f', '10.0.0.99', 'master', '-', '0'), replica()],
    },
  ])('is at once if $title', async ({ lines }) => {
    for (const ip of peers) await answer(ip, lines);
    expect(await start()).toBe(0);
  });

  test('waits until a replica has the slots, also longer than an election takes', async () => {
    await answer('10.0.0.1', [peer]);
    await answer('10.0.0.2', [peer, promoted]);
    for (let second = 0; second < 20; second++)
      await answer('10.0.0.2', [peer, former('master,fail'), replica()], second);
    expect(await start()).toBe(20);
  });

  test.each(['', 'NOAUTH Authentication required.'])(
    'waits for the time of an election if most masters answer %j',
    async (text) => {
      for (const ip of peers) await answer(ip, [text]);
      expect(await start()).toBe(12);
    },
  );

  test('asks no node that was at its own address', async () => {
    await writeFile(join(home, 'conf/peers'), [own, '10.0.0.1'].join('\n'));
    await answer('10.0.0.1', [peer]);
    expect(await start()).toBe(0);
  });

  test('gives the server its configuration, with a password that a shell would read otherwise', async () => {
    await writeFile(join(home, 'conf/peers'), '');
    await start({ REDIS_PASSWORD: "a $HOME `b` 'c' %s" });
    expect(await readFile(join(home, 'redis.conf'), 'utf8')).toBe(
      [
        'appendonly yes',
        `requirepass "a $HOME \`b\` 'c' %s"`,
        `masterauth "a $HOME \`b\` 'c' %s"`,
        'dir /data',
        `bind ${own}`,
        `cluster-announce-ip ${own}`,
        '',
      ].join('\n'),
    );
  });
});

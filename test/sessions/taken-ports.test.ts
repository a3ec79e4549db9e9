// `op-sdk dev` beside another process that has the ports of metrics and probes. It runs dist/: build it first.
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../src/testing/index.ts';
import { uniqueName } from '../helpers/control-plane.ts';
import { edit, scaffoldProject, startDev } from '../helpers/dev-process.ts';

const group = uniqueName('ports');
const servers: Server[] = [];
let project: string;

beforeAll(async () => {
  project = join(mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-ports-')), group);
  await scaffoldProject(project, { group });
  // Where another process of this machine has a port, it is taken anyway.
  for (const port of [8080, 8081]) {
    const server = createServer((socket) => socket.destroy());
    server.listen({ port, host: '127.0.0.1' });
    await once(server, 'listening').then(
      () => servers.push(server),
      () => undefined,
    );
  }
});
afterAll(async () => {
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  rmSync(join(project, '..'), { recursive: true, force: true });
});

async function read(url: string): Promise<string> {
  return (await fetch(url)).text();
}

describe('op-sdk dev with the ports 8080 and 8081 taken', () => {
  test('runs the operator on free ports, and says which', async () => {
    await using dev = startDev(project, ['dev', '--samples']);
    const portOf = async (name: string): Promise<string> => {
      const line = await dev.next(
        new RegExp(`is taken, so ${name} are served on 127\\.0\\.0\\.1:\\d+ instead`),
      );
      return /\d+(?= instead$)/.exec(line)?.[0] ?? '';
    };
    await dev.next(/Kubernetes \S+ is ready/);
    const [metrics, probes] = [await portOf('metrics'), await portOf('probes')];
    await dev.next('Ready=True (Reconciled)');
    expect(await read(`http://127.0.0.1:${metrics}/metrics`)).toContain('process_cpu_seconds_total');
    expect(await read(`http://127.0.0.1:${probes}/healthz`)).toBe('ok');

    edit(project, `src/controllers/${group}/memcached.ts`, 'The operator has seen', 'The second has seen');
    await dev.next('restarted the operator');
    await dev.next('The second has seen');
    await eventually(async () => expect(await read(`http://127.0.0.1:${probes}/healthz`)).toBe('ok'), {
      timeout: 30_000,
    });
    expect(dev.output()).not.toContain('cannot-listen');
    expect(await dev.stop()).toBe(0);
  }, 240_000);

  test('refuses an address of its flags that is taken', async () => {
    await using dev = startDev(project, ['dev', '--', '--metrics-bind-address=127.0.0.1:8080']);
    await dev.next(/Kubernetes \S+ is ready/);
    await dev.next('error[cluster/cannot-listen]: --metrics-bind-address: expected an address');
    await dev.next('fix: stop the process that listens there');
    if (dev.process.exitCode === null) await once(dev.process, 'exit');
    expect(dev.process.exitCode).toBe(1);
  }, 240_000);
});

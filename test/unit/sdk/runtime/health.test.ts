import { once } from 'node:events';
import { Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HealthChecks, servePlain, type RunningServer } from '../../../../src/sdk/runtime/http/index.ts';

const probes = { name: 'health probes', flag: '--health-probe-bind-address' };
const metrics = { name: 'metrics', flag: '--metrics-bind-address' };

const servers: RunningServer[] = [];
const rethrow = (error: Error): never => {
  throw error;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function setUp() {
  const checks = new HealthChecks();
  checks.add('healthz', 'ping', () => undefined);
  checks.add('healthz', 'disk', async () => {
    throw new Error('disk is full');
  });
  checks.add('readyz', 'ping', () => undefined);
  const server = await servePlain(probes, { host: '127.0.0.1', port: 0 }, checks.answer, rethrow);
  servers.push(server);
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
    return { status: response.status, text: await response.text() };
  };
  return { checks, server, ask };
}

describe('health probes', () => {
  it('answer like a Kubernetes component', async () => {
    const { ask } = await setUp();
    expect(await ask('/readyz')).toEqual({ status: 200, text: 'ok' });
    expect(await ask('/readyz/')).toEqual({ status: 200, text: 'ok' });
    expect(await ask('/readyz?verbose')).toEqual({ status: 200, text: '[+]ping ok\nreadyz check passed\n' });
    expect(await ask('/healthz')).toEqual({
      status: 500,
      text: '[+]ping ok\n[-]disk failed: disk is full\nhealthz check failed\n',
    });
    expect(await ask('/healthz?exclude=disk')).toEqual({ status: 200, text: 'ok' });
  });

  it('show a check that is degraded, without failing', async () => {
    const { checks, ask } = await setUp();
    checks.add('readyz', 'caches', async () => ({ degraded: 'sites: forbidden' }));
    expect(await ask('/readyz')).toEqual({ status: 200, text: 'ok' });
    expect(await ask('/readyz?verbose')).toEqual({
      status: 200,
      text: '[+]ping ok\n[!]caches degraded: sites: forbidden\nreadyz check passed\n',
    });
    expect(await ask('/readyz/caches')).toEqual({ status: 200, text: 'degraded: sites: forbidden\n' });
    checks.add('readyz', 'broken', () => {
      throw new Error('broken');
    });
    expect(await ask('/readyz')).toEqual({
      status: 500,
      text: '[+]ping ok\n[!]caches degraded: sites: forbidden\n[-]broken failed: broken\nreadyz check failed\n',
    });
  });

  it('answer for one check', async () => {
    const { ask } = await setUp();
    expect(await ask('/healthz/ping')).toEqual({ status: 200, text: 'ok' });
    expect(await ask('/healthz/disk')).toEqual({
      status: 500,
      text: 'internal server error: disk is full\n',
    });
    expect((await ask('/healthz/none')).status).toBe(404);
    expect((await ask('/healthz/ping/more')).status).toBe(404);
  });

  it('know no other paths and methods', async () => {
    const { ask } = await setUp();
    expect((await ask('/')).status).toBe(404);
    expect((await ask('/livez')).status).toBe(404);
    expect((await ask('/healthz', { method: 'POST' })).status).toBe(405);
    expect(await ask('/readyz', { method: 'HEAD' })).toEqual({ status: 200, text: '' });
  });

  it('have unique names that fit into a URL', async () => {
    const { checks } = await setUp();
    expect(() => checks.add('healthz', 'ping', () => undefined)).toThrow(/duplicate healthz check/);
    expect(() => checks.add('healthz', 'a/b', () => undefined)).toThrow(/part of a URL/);
  });

  it('say which server cannot listen where, and the flag that chooses another address', async () => {
    const { server } = await setUp();
    const taken = { host: '127.0.0.1', port: server.port };
    const started = servePlain(metrics, taken, async () => undefined, rethrow);
    await expect(started).rejects.toMatchObject({
      findings: [{ fix: [expect.any(String), expect.stringContaining('--metrics-bind-address=:')] }],
    });
    await expect(started).rejects.toThrow(
      `[runtime/cannot-listen] cannot serve metrics on 127.0.0.1:${server.port}: EADDRINUSE`,
    );
  });

  it('go on when a connection cannot be accepted', async () => {
    const listen = vi.spyOn(Server.prototype, 'listen');
    const reported: Error[] = [];
    const server = await servePlain(
      metrics,
      { host: '127.0.0.1', port: 0 },
      async () => undefined,
      (error) => reported.push(error),
    );
    servers.push(server);
    const [inner] = listen.mock.contexts as unknown as Server[];
    listen.mockRestore();
    // Node emits it when accept fails, as with EMFILE.
    inner?.emit('error', new Error('accept EMFILE'));
    inner?.emit('error', new Error('accept EMFILE'));
    expect(reported).toHaveLength(2);
    expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).toBe(404);
  });

  it('close also while a client keeps its connection, or has never said anything', async () => {
    const { ask, server } = await setUp();
    await ask('/readyz');
    const silent = connect(server.port, '127.0.0.1');
    await once(silent, 'connect');
    silent.on('error', () => undefined);
    await server.close();
    await expect(ask('/readyz')).rejects.toThrow();
  });
});

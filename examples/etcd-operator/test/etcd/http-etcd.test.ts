import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { EtcdRefusalError, EtcdUnreachableError, type Endpoint } from '../../src/etcd/etcd-api.ts';
import { httpEtcd } from '../../src/etcd/http-etcd.ts';

const connection = { signal: new AbortController().signal };
const members = [{ ID: '1', name: 'example-aaaaa', peerURLs: ['http://10.0.0.1:2380'] }];

interface Scripted {
  readonly status?: number;
  /** The connection breaks off without it. */
  readonly body?: string;
}

describe('etcd by its gateway', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await close(server);
  });
  const close = (server: Server): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });

  /** Starts an endpoint. @param answers by path; other paths are refused as by a member without a leader */
  const endpoint = async (
    answers: Readonly<Record<string, Scripted>> = {},
    seen: unknown[] = [],
  ): Promise<Endpoint> => {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        const path = request.url ?? '';
        seen.push([path, body === '' ? undefined : JSON.parse(body)]);
        const refusal = { status: 503, body: '{"code":14,"message":"etcdserver: no leader"}' };
        const { status = 200, body: text } = answers[path] ?? refusal;
        if (text === undefined) response.destroy();
        else response.writeHead(status).end(text);
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { url, serverName: 'example-aaaaa.example.default.svc' };
  };
  /** Returns an endpoint where nobody listens any more. */
  const unreachable = async (): Promise<Endpoint> => {
    const each = await endpoint();
    const server = servers.pop();
    if (server !== undefined) await close(server);
    return each;
  };
  const listing = { '/v3/cluster/member/list': { body: JSON.stringify({ members }) } };

  test('lists the members by the first endpoint that answers', async () => {
    const seen: unknown[] = [];
    const endpoints = [await unreachable(), await endpoint(listing, seen)];
    expect(await httpEtcd.members(endpoints, connection).list()).toEqual(members);
    expect(await httpEtcd.members(endpoints, connection).listLocally()).toEqual(members);
    expect(seen).toEqual([
      ['/v3/cluster/member/list', { linearizable: true }],
      ['/v3/cluster/member/list', { linearizable: false }],
    ]);
  });

  test('says that nobody answers', async () => {
    await expect(httpEtcd.members([], connection).list()).rejects.toThrow(EtcdUnreachableError);
    const endpoints = [await unreachable()];
    await expect(httpEtcd.members(endpoints, connection).add('http://a:2380')).rejects.toThrow(
      EtcdUnreachableError,
    );
  });

  test('takes a refusal for the word of all members, and tells those that pass from others', async () => {
    const endpoints = [await endpoint(), await endpoint(listing)];
    const refused = httpEtcd.members(endpoints, connection).list();
    await expect(refused).rejects.toThrow('/v3/cluster/member/list: 503 etcdserver: no leader');
    await expect(refused).rejects.toMatchObject({ code: 14, isTemporary: true });
    expect(new EtcdRefusalError('member not found', 5).isTemporary).toBe(false);
  });

  test.each(['<html>', '{}', '{"members":[]}'])('does not take %s for a list', async (body) => {
    const wrong = await endpoint({ '/v3/cluster/member/list': { body } });
    await expect(httpEtcd.members([wrong], connection).list()).rejects.toThrow();
  });

  test('is interrupted with its reconcile', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(httpEtcd.members([await unreachable()], { signal }).list()).rejects.toThrow('too late');
    await expect(httpEtcd.report(await unreachable(), { signal })).rejects.toThrow('too late');
  });

  test('adds learners, promotes and removes members, and asks for alarms', async () => {
    const seen: unknown[] = [];
    const path = '/v3/cluster/member';
    const done = { body: '{}' };
    const each = await endpoint(
      {
        [`${path}/add`]: done,
        [`${path}/promote`]: done,
        [`${path}/remove`]: done,
        '/v3/maintenance/alarm': { body: '{"alarms":[{"memberID":"1","alarm":"NOSPACE"}]}' },
      },
      seen,
    );
    const api = httpEtcd.members([each], connection);
    await api.add('http://10.0.0.2:2380');
    for (const member of members) {
      await api.promote(member);
      await api.remove(member);
    }
    expect(await api.alarms()).toEqual([{ memberID: '1', alarm: 'NOSPACE' }]);
    expect(seen).toEqual([
      [`${path}/add`, { peerURLs: ['http://10.0.0.2:2380'], isLearner: true }],
      [`${path}/promote`, { ID: '1' }],
      [`${path}/remove`, { ID: '1' }],
      ['/v3/maintenance/alarm', { action: 'GET' }],
    ]);
  });

  test('reports a member: what 64 bits hold is text, and what is zero is left out', async () => {
    const status = {
      header: { member_id: '8645782499530242234' },
      leader: '8645782499530242234',
      version: '3.6.8',
      dbSize: '20480',
    };
    const answers = (range: Scripted) => ({
      '/v3/maintenance/status': { body: JSON.stringify(status) },
      '/v3/kv/range': range,
    });
    expect(await httpEtcd.report(await endpoint(answers({ body: '{}' })), connection)).toEqual({
      memberID: '8645782499530242234',
      leader: '8645782499530242234',
      version: '3.6.8',
      isLearner: false,
      isHealthy: true,
      dbSize: 20480,
      dbSizeInUse: 0,
    });
    const noLeader = { status: 503, body: '{"code":14,"message":"etcdserver: no leader"}' };
    const without = await httpEtcd.report(await endpoint(answers(noLeader)), connection);
    expect(without?.isHealthy).toBe(false);
    const silent = await httpEtcd.report(await endpoint(answers({})), connection);
    expect(silent).toMatchObject({ version: '3.6.8', isHealthy: false });
    const denied = { status: 403, body: '{"code":7,"message":"etcdserver: permission denied"}' };
    expect((await httpEtcd.report(await endpoint(answers(denied)), connection))?.isHealthy).toBe(true);
    expect(await httpEtcd.report(await unreachable(), connection)).toBeUndefined();
  });
});

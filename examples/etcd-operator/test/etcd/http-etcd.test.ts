import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { httpEtcd } from '../../src/etcd/member-api.ts';

const { signal } = new AbortController();
const members = [{ ID: '1', name: 'example-0', peerURLs: ['http://10.0.0.1:2380'] }];

describe('etcd by HTTP', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await close(server);
  });
  const close = (server: Server): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });

  /** Starts an endpoint. @param answers text by path; other paths are answered with an error */
  const endpoint = async (answers: Readonly<Record<string, string>> = {}, seen: unknown[] = []) => {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        const path = request.url ?? '';
        seen.push([path, body === '' ? undefined : JSON.parse(body)]);
        response.writeHead(answers[path] === undefined ? 503 : 200).end(answers[path] ?? 'no leader');
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  /** Returns an endpoint where nobody listens any more. */
  const unreachable = async (): Promise<string> => {
    const url = await endpoint();
    const server = servers.pop();
    if (server !== undefined) await close(server);
    return url;
  };
  const listing = { '/v3/cluster/member/list': JSON.stringify({ members }) };

  test('lists the members by the first endpoint that has them', async () => {
    const endpoints = [await unreachable(), await endpoint(), await endpoint(listing)];
    expect(await httpEtcd.members(endpoints, signal).list()).toEqual(members);
  });

  test('lists none while nobody answers', async () => {
    expect(await httpEtcd.members([], signal).list()).toEqual([]);
    expect(await httpEtcd.members([await unreachable()], signal).list()).toEqual([]);
  });

  test('throws what an endpoint answers, also if the others are unreachable', async () => {
    const endpoints = [await endpoint(), await unreachable()];
    await expect(httpEtcd.members(endpoints, signal).list()).rejects.toThrow(
      `member list failed: Error: ${endpoints[0]}: 503 no leader; TypeError: fetch failed`,
    );
    const wrong = await endpoint({ '/v3/cluster/member/list': '<html>' });
    await expect(httpEtcd.members([wrong], signal).list()).rejects.toThrow('member list failed: SyntaxError');
  });

  test('is interrupted with its reconcile', async () => {
    const members = httpEtcd.members([await unreachable()], AbortSignal.abort(new Error('too late')));
    await expect(members.list()).rejects.toThrow('too late');
  });

  test('adds and removes members', async () => {
    const seen: unknown[] = [];
    const url = await endpoint(
      { '/v3/cluster/member/add': '{}', '/v3/cluster/member/remove': '{}', ...listing },
      seen,
    );
    const api = httpEtcd.members([url], signal);
    await api.add('http://10.0.0.2:2380');
    for (const member of members) await api.remove(member);
    await api.list();
    expect(seen).toEqual([
      ['/v3/cluster/member/add', { peerURLs: ['http://10.0.0.2:2380'] }],
      ['/v3/cluster/member/remove', { ID: '1' }],
      ['/v3/cluster/member/list', { linearizable: false }],
    ]);
  });

  test('refuses changes that no member could make', async () => {
    await expect(httpEtcd.members([], signal).add('http://10.0.0.2:2380')).rejects.toThrow(
      'member add failed: no member runs',
    );
    await expect(httpEtcd.members([await unreachable()], signal).add('http://10.0.0.2:2380')).rejects.toThrow(
      'member add failed: TypeError: fetch failed',
    );
  });

  test('is healthy if it says so', async () => {
    const healthy = await endpoint({ '/health': '{"health":"true"}' });
    const withoutQuorum = await endpoint({ '/health': '{"health":"false"}' });
    const endpoints = [healthy, withoutQuorum, await endpoint(), await unreachable()];
    expect(await Promise.all(endpoints.map((each) => httpEtcd.isHealthy(each, signal)))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

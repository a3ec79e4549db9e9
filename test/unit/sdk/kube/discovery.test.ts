import { afterEach, describe, expect, test } from 'vitest';
import { discover, isForbidden, openConnection, type Connection } from '../../../../src/sdk/kube/index.ts';
import { scriptedServer, type Exchange } from './support/scripted-server.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(script: (exchange: Exchange) => void): Promise<Connection> {
  const server = await scriptedServer('http2', script);
  const connection = openConnection(server.cluster, { protocol: 'http2' });
  cleanups.push(() => server.close());
  cleanups.push(() => connection.close());
  return connection;
}

/** Answers by path, 404 otherwise. */
const answering =
  (answers: Readonly<Record<string, object>>) =>
  (exchange: Exchange): void => {
    const answer = answers[exchange.path];
    if (answer === undefined)
      exchange.reply(404, { kind: 'Status', status: 'Failure', code: 404, reason: 'NotFound' });
    else exchange.reply(200, answer);
  };

const summary = ({ types }: Awaited<ReturnType<typeof discover>>): readonly string[] =>
  types.map(
    ({ resource: { apiVersion, kind, plural, namespaced } }) =>
      `${apiVersion} ${kind} ${plural} ${namespaced ? 'namespaced' : 'cluster'}`,
  );

describe('discovery', () => {
  test('reads aggregated documents, and which servers are away', async () => {
    const accepted: unknown[] = [];
    const answer = answering({
      '/api': {
        kind: 'APIGroupDiscoveryList',
        items: [
          {
            versions: [
              {
                version: 'v1',
                freshness: 'Current',
                resources: [
                  {
                    resource: 'pods',
                    responseKind: { group: '', version: 'v1', kind: 'Pod' },
                    scope: 'Namespaced',
                    singularResource: 'pod',
                    shortNames: ['po'],
                    verbs: ['get', 'list'],
                    subresources: [{ subresource: 'log' }],
                  },
                  // Exists for its subresources only.
                  { resource: 'nothing', scope: 'Namespaced', verbs: null },
                ],
              },
            ],
          },
        ],
      },
      '/apis': {
        kind: 'APIGroupDiscoveryList',
        items: [
          { metadata: { name: 'metrics.k8s.io' }, versions: [{ version: 'v1beta1', freshness: 'Stale' }] },
          {
            metadata: { name: 'cached.example.com' },
            versions: [
              {
                version: 'v1',
                freshness: 'Stale',
                resources: [
                  { resource: 'old', responseKind: { kind: 'Old' }, scope: 'Cluster', verbs: ['get'] },
                ],
              },
            ],
          },
          { metadata: { name: 'empty.example.com' } },
        ],
      },
    });
    const connection = await serve((exchange) => {
      accepted.push(exchange.headers['accept']);
      answer(exchange);
    });
    const directory = await discover(connection);
    expect(summary(directory)).toEqual(['v1 Pod pods namespaced', 'cached.example.com/v1 Old old cluster']);
    expect(directory.types[0]).toMatchObject({ singular: 'pod', shortNames: ['po'], verbs: ['get', 'list'] });
    expect(directory.unavailable).toEqual(['metrics.k8s.io/v1beta1']);
    expect(accepted).toEqual([
      expect.stringContaining('g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'),
      expect.stringContaining('g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'),
    ]);
  });

  test('asks each version where the server does not aggregate, the preferred one first', async () => {
    const connection = await serve(
      answering({
        '/api': { kind: 'APIVersions', versions: ['v1'] },
        '/apis': {
          kind: 'APIGroupList',
          groups: [
            {
              name: 'apps.example.com',
              versions: [{ version: 'v1alpha1' }, { version: 'v1' }],
              preferredVersion: { version: 'v1' },
            },
            { name: 'away.example.com', versions: [{ version: 'v1' }] },
          ],
        },
        '/api/v1': {
          resources: [
            { name: 'pods', singularName: 'pod', namespaced: true, kind: 'Pod', verbs: ['get'] },
            { name: 'pods/log', namespaced: true, kind: 'Pod', verbs: ['get'] },
          ],
        },
        '/apis/apps.example.com/v1': { resources: [{ name: 'apps', namespaced: false, kind: 'App' }] },
        '/apis/apps.example.com/v1alpha1': { resources: [{ name: 'apps', namespaced: false, kind: 'App' }] },
      }),
    );
    const directory = await discover(connection);
    expect(summary(directory)).toEqual([
      'v1 Pod pods namespaced',
      'apps.example.com/v1 App apps cluster',
      'apps.example.com/v1alpha1 App apps cluster',
    ]);
    expect(directory.unavailable).toEqual(['away.example.com/v1']);
  });

  test('does not take a refusal for an empty server', async () => {
    const connection = await serve((exchange) => {
      if (exchange.path === '/api') exchange.reply(200, { kind: 'APIVersions', versions: ['v1'] });
      else if (exchange.path === '/apis') exchange.reply(200, { kind: 'APIGroupList', groups: [] });
      else exchange.reply(403, { kind: 'Status', status: 'Failure', code: 403, reason: 'Forbidden' });
    });
    await expect(discover(connection)).rejects.toSatisfy(isForbidden);
  });
});

import { afterEach, describe, expect, test } from 'vitest';
import { externalResource } from '../../../src/sdk/api/index.ts';
import { waitEstablished } from '../../../src/cluster/apply/write-object.ts';
import type { ClusterObject } from '../../../src/cluster/objects/cluster-object.ts';
import { isOpSdkError } from '../../../src/base/errors/index.ts';
import { createClient } from '../../../src/sdk/kube/index.ts';
import { scriptedServer } from '../sdk/kube/support/scripted-server.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const name = 'webs.example.com';
const resource = externalResource({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
});
const spec = {
  group: 'example.com',
  scope: 'Namespaced',
  names: { kind: 'Web', plural: 'webs' },
  versions: [{ name: 'v1', served: true }],
};
const crd: ClusterObject = {
  object: { apiVersion: resource.apiVersion, kind: resource.kind, metadata: { name }, spec },
  where: { file: 'crd.yaml' },
  resource,
  key: { name },
  served: true,
  title: `customresourcedefinition.apiextensions.k8s.io/${name}`,
};

interface Reply {
  readonly status: number;
  readonly body: object;
}
const refused = (code: number): Reply => ({
  status: code,
  body: { kind: 'Status', status: 'Failure', code, reason: '', message: 'no' },
});
const found = (body: object): Reply => ({ status: 200, body });
const conditions = (...types: readonly string[]): Reply =>
  found({ metadata: { name }, status: { conditions: types.map((type) => ({ type, status: 'True' })) } });
const established = conditions('NamesAccepted', 'Established');

/** Waits while the API server gives these answers one after the other, the last one again and again; and what was asked. */
async function wait(
  answers: {
    readonly crd: readonly Reply[];
    readonly list: readonly Reply[];
    readonly group?: readonly Reply[];
  },
  timeout = 30_000,
): Promise<{ readonly asked: readonly string[]; readonly end: string }> {
  const left = new Map(Object.entries(answers).map(([key, list]) => [key, [...list]]));
  const asked: string[] = [];
  const server = await scriptedServer('http2', (exchange) => {
    const [bare] = exchange.path.split('?');
    const key =
      bare === '/apis/example.com/v1' ? 'group' : bare === '/apis/example.com/v1/webs' ? 'list' : 'crd';
    asked.push(key);
    const list = left.get(key) ?? [];
    const { status, body } = (list.length > 1 ? list.shift() : list[0]) ?? refused(500);
    exchange.reply(status, body);
  });
  cleanups.push(() => server.close());
  const client = createClient({ cluster: server.cluster, fieldManager: 'op-sdk', protocol: 'http2' });
  cleanups.push(() => client.close());
  try {
    await waitEstablished(client, crd, { timeout });
    return { asked, end: 'served' };
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    return { asked, end: error.code };
  }
}

describe('a CustomResourceDefinition', () => {
  test('is waited for until it is established, and its handler answers', async () => {
    const { asked, end } = await wait({
      crd: [conditions(), conditions('NamesAccepted'), established],
      list: [refused(404), refused(503), found({ items: [] })],
    });
    expect(end).toBe('served');
    expect(asked).toEqual(['crd', 'crd', 'crd', 'list', 'crd', 'list', 'crd', 'list']);
  });

  test('is waited for while the API server is restarted', async () => {
    const { asked, end } = await wait({ crd: [refused(503), established], list: [found({ items: [] })] });
    expect(end).toBe('served');
    expect(asked).toEqual(['crd', 'crd', 'list']);
  });

  test('is served too where its objects cannot be listed for another reason', async () => {
    expect((await wait({ crd: [established], list: [refused(500)] })).end).toBe('served');
  });

  test('who may not list asks what is served', async () => {
    const { asked, end } = await wait({
      crd: [established],
      list: [refused(403)],
      group: [refused(404), found({ resources: [] }), found({ resources: [{ name: 'webs' }] })],
    });
    expect(end).toBe('served');
    expect(asked.filter((each) => each === 'group')).toHaveLength(3);
  });

  test('that is not served in time is an error, and so are names that others have', async () => {
    expect((await wait({ crd: [established], list: [refused(404)] }, 1)).end).toBe('cluster/crd-not-served');
    const taken = found({
      metadata: { name },
      status: { conditions: [{ type: 'NamesAccepted', status: 'False', message: 'taken' }] },
    });
    expect((await wait({ crd: [taken], list: [] })).end).toBe('cluster/crd-not-accepted');
  });
});

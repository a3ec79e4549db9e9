import { afterEach, describe, expect, test } from 'vitest';
import { createClient } from '../../../../../src/sdk/kube/index.ts';
import { list, status, Thing, thing } from '../support/reflector-harness.ts';
import { closeAll, serve } from '../support/open-connection.ts';

afterEach(closeAll);

describe('the client', () => {
  test('R4: lists page by page, and again from the start when the continue token expires', async () => {
    const { server, connection } = await serve((each) => {
      const { query } = each;
      if (query['continue'] === 'first')
        each.reply(200, list('5', [thing('b', '2')], { continue: 'second' }));
      else if (query['continue'] === 'second') each.reply(410, status(410, 'Expired'));
      else if (query['limit'] === '500') each.reply(200, list('5', [thing('a', '1')], { continue: 'first' }));
      else each.reply(200, list('9', [thing('a', '1'), thing('c', '8')]));
    });
    const client = createClient({ connection, fieldManager: 'test' });
    const things = await client.list(Thing, { labelSelector: 'a=b' });
    expect(things.items.map((item) => item.metadata.name)).toEqual(['a', 'c']);
    expect(things.metadata.resourceVersion).toBe('9');
    expect(server.requests.map(({ query }) => query)).toEqual([
      { labelSelector: 'a=b', limit: '500' },
      { labelSelector: 'a=b', limit: '500', continue: 'first' },
      { labelSelector: 'a=b', limit: '500', continue: 'second' },
      { labelSelector: 'a=b' },
    ]);
    expect(server.requests[0]?.headers['accept-encoding']).toBe('gzip');
  });

  test('sends nothing that would reach another object', async () => {
    const { server, connection } = await serve((each) => each.reply(200, {}));
    const client = createClient({ connection, fieldManager: 'test' });
    const refused = { code: 'kube/invalid-request' };
    await expect(client.delete(Thing, { name: '', namespace: 'default' })).rejects.toMatchObject(refused);
    await expect(client.get(Thing, { name: 'a' })).rejects.toMatchObject(refused);
    await expect(client.get(Thing, { name: '' })).rejects.toMatchObject({ findings: [{}, {}] });
    await expect(
      client.get({ ...Thing, namespaced: false }, { name: 'a', namespace: 'b' }),
    ).rejects.toMatchObject(refused);
    await expect(client.create(Thing, { ...thing('a', ''), kind: 'Other' })).rejects.toMatchObject(refused);
    expect(server.requests).toEqual([]);
    for (const name of ['.', '..', '../secrets/x', 'a%2fb']) {
      await expect(client.delete(Thing, { name, namespace: 'default' })).rejects.toMatchObject(refused);
      await expect(client.list(Thing, { namespace: name })).rejects.toMatchObject(refused);
      const metadata = { generateName: 'a', namespace: name };
      await expect(client.create(Thing, { metadata })).rejects.toMatchObject(refused);
    }
    expect(server.requests).toEqual([]);
    // RBAC objects have names like this one.
    await client.get(Thing, { name: 'system:x ü?', namespace: 'default' });
    expect(server.requests[0]?.path).toBe(
      '/apis/example.com/v1/namespaces/default/things/system%3Ax%20%C3%BC%3F',
    );
  });

  test('refuses to write integers that were rounded when they were read, and says which', async () => {
    const { server, connection, warnings } = await serve((each) => {
      const text = JSON.stringify(thing('a', '1', {})).replace(
        '"data":{}',
        '"data":{"big":9007199254740993,"text":"9007199254740993"}',
      );
      each.reply(200, text);
    });
    const client = createClient({ connection, fieldManager: 'test' });
    const object = await client.get(Thing, { name: 'a', namespace: 'default' });
    expect(warnings).toEqual([
      expect.stringMatching(
        /^things\.example\.com \.data\.big: an integer beyond 2\^53-1 was read and rounded/,
      ),
    ]);
    const copy = structuredClone(object);
    await expect(client.update(Thing, copy)).rejects.toMatchObject({
      code: 'kube/unsafe-integer',
      findings: [{ where: { object: 'Thing default/a', path: '.data.big' } }],
    });
    await expect(client.updateStatus(Thing, copy)).rejects.toMatchObject({ code: 'kube/unsafe-integer' });
    expect(server.requests).toHaveLength(1);
    await client.patch(
      Thing,
      { name: 'a', namespace: 'default' },
      { type: 'merge', body: { data: { other: 'x' } } },
    );
    await client.apply(Thing, { metadata: { name: 'a', namespace: 'default' }, data: { other: 'x' } });
    expect(server.requests).toHaveLength(3);
    await client.raw.request({
      method: 'PUT',
      path: '/exact',
      body: '{"big":9007199254740993}',
      contentType: 'application/json',
    });
    expect(server.requests[3]?.body).toBe('{"big":9007199254740993}');
  });

  test('says who writes, strictly', async () => {
    const { server, connection } = await serve((each) => each.reply(200, {}));
    const client = createClient({ connection, fieldManager: 'project/controller' });
    await client.apply(Thing, { metadata: { name: 'a', namespace: 'default' } });
    await client.create(
      Thing,
      { metadata: { name: 'a', namespace: 'default' } },
      { dryRun: true, fieldValidation: 'Ignore', fieldManager: 'me' },
    );
    expect(server.requests[0]?.query).toEqual({
      fieldManager: 'project/controller',
      fieldValidation: 'Strict',
      force: 'true',
    });
    expect(server.requests[0]?.headers['content-type']).toBe('application/apply-patch+yaml');
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 'a', namespace: 'default' },
    });
    expect(server.requests[1]?.query).toEqual({
      fieldManager: 'me',
      fieldValidation: 'Ignore',
      dryRun: 'All',
    });
  });
});

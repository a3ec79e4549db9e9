// `mergeStatus` keeps what it does not name, owns what it has named, and touches nothing of other managers.
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defineController, defineResource, type MergePatch } from '../../../../src/index.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { uniqueName } from '../../../helpers/control-plane.ts';
import { serviceAccountToken, tokenKubeconfig } from '../../../helpers/service-account.ts';
import { needOf } from '../../../../src/compiler/manifests/rbac/method-verbs.ts';
import { runs } from '../../../helpers/thorough.ts';
import { runManager } from './running-manager.ts';
import { slow } from './site-controller.ts';
import { group, Machine, machines, type Status } from './status-machines.ts';

const { clientOf, machine, merge, setup } = machines();

describe('a state machine', () => {
  test('keeps what it does not name, and removes what it says is null', async () => {
    const one = await machine();
    await one.merge('one', { phase: 'Creating', count: 1, detail: { a: 'x' } });
    await one.merge('one', { phase: 'Running', detail: { b: 'y' } });
    expect(await one.status()).toEqual({ phase: 'Running', count: 1, detail: { a: 'x', b: 'y' } });
    await one.merge('one', { count: null });
    expect(await one.status()).toEqual({ phase: 'Running', detail: { a: 'x', b: 'y' } });
    expect(await one.owned('one')).toEqual({
      'f:status': { 'f:phase': {}, 'f:detail': { 'f:a': {}, 'f:b': {} } },
    });
  });

  test('matches items of map lists by their keys, sets conditions beside those of others, and replaces other lists', async () => {
    const one = await machine();
    const port = { name: 'web', protocol: 'TCP', number: 80 };
    await one.merge('two', { conditions: [{ type: 'Scaled', status: 'True' }] });
    await one.merge('one', {
      conditions: [{ type: 'Ready', status: 'False', message: 'no' }],
      ports: [port],
      list: ['a', 'b'],
    });
    await one.merge('one', {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Done', status: 'False' },
      ],
      ports: [{ ...port, protocol: 'UDP' }],
      list: ['c'],
    });
    const { conditions, ports, list } = await one.status();
    expect(conditions).toEqual([
      { type: 'Scaled', status: 'True' },
      { type: 'Ready', status: 'True', message: 'no' },
      { type: 'Done', status: 'False' },
    ]);
    expect(ports).toEqual([port, { ...port, protocol: 'UDP' }]);
    expect(list).toEqual(['c']);
    await one.apply('one', {});
    expect(await one.status()).toEqual({ conditions: [{ type: 'Scaled', status: 'True' }] });
  });

  test('still owns after it what applyStatus has set before', async () => {
    const one = await machine();
    await one.apply('one', { phase: 'A', tags: ['x'], labels: { a: '1' } });
    await one.merge('one', { count: 1, labels: { b: '2' } });
    expect(await one.status()).toEqual({ phase: 'A', count: 1, tags: ['x'], labels: { a: '1', b: '2' } });
    await one.apply('one', { count: 1 });
    expect(await one.status()).toEqual({ count: 1 });
  });

  test('sends nothing if the status has the values already', async () => {
    const one = await machine();
    const { metadata } = await one.merge('one', {
      phase: 'A',
      conditions: [{ type: 'Ready', status: 'True' }],
    });
    const again = await one.merge('one', { count: null, conditions: [{ type: 'Ready', status: 'True' }] });
    expect(again.metadata.resourceVersion).toBe(metadata.resourceVersion);
    const fresh = await machine();
    await fresh.merge('one', {});
    await fresh.merge('one', { count: null, phase: undefined });
    expect((await fresh.read()).status).toBeUndefined();
  });

  test('loses nothing when the operator moves to another version of the API', async () => {
    const one = await machine();
    const v2 = defineResource<Machine>({ group, version: 'v2', kind: 'Machine' });
    await one.merge('two', { tags: ['theirs'] });
    await one.merge('one', { phase: 'A', detail: { a: 'x' } });
    await clientOf('one').mergeStatus(v2, one.key, { count: 2 });
    expect(await one.status()).toEqual({ phase: 'A', detail: { a: 'x' }, count: 2, tags: ['theirs'] });
    await clientOf('one').applyStatus(v2, one.key, {});
    expect(await one.status()).toEqual({ tags: ['theirs'] });
  });

  test('gives up what others own, too, or alone, without removing it', async () => {
    const one = await machine();
    await one.merge('two', { phase: 'theirs', count: 1 });
    await one.merge('one', { phase: null });
    await one.merge('one', { count: 1 });
    await one.merge('one', { count: null });
    expect(await one.status()).toEqual({ phase: 'theirs', count: 1 });
    await one.apply('two', { phase: 'end' });
    expect(await one.status()).toEqual({ phase: 'end' });
  });

  test('removes the last field of a status, of a map and of a set', async () => {
    const one = await machine();
    await one.merge('one', { count: 1 });
    await one.merge('one', { count: null, phase: undefined });
    expect(await one.status()).toEqual({});
    await one.merge('one', { phase: 'A', detail: { a: 'x' }, tags: ['x'] });
    await one.merge('one', { detail: { a: null }, tags: [] });
    expect(await one.status()).toEqual({ phase: 'A' });
    await one.merge('one', { detail: { a: 'x' }, phase: null });
    await one.merge('one', { detail: { a: null } });
    expect(await one.status()).toEqual({});
    expect(await one.owned('one')).toBeUndefined();
  });

  test('removes what it wrote by updateStatus before', async () => {
    const one = await machine();
    const before = await one.read();
    await clientOf('one').updateStatus(Machine, { ...before, status: { phase: 'A', count: 1 } });
    await one.merge('one', { phase: 'B' });
    await one.merge('one', { count: null });
    expect(await one.status()).toEqual({ phase: 'B' });
  });

  test('loses nothing of calls at the same time', async () => {
    const one = await machine();
    await Promise.all([
      one.merge('one', { count: 1 }),
      one.merge('two', { conditions: [{ type: 'Ready', status: 'True' }] }),
      one.merge('one', { phase: 'A' }),
      one.merge('one', { list: ['x'] }),
    ]);
    const conditions = [{ type: 'Ready', status: 'True' }];
    expect(await one.status()).toEqual({ count: 1, phase: 'A', list: ['x'], conditions });
  });

  test('finds an item by a key that has its default, and merges the lists in it', async () => {
    const one = await machine();
    await one.merge('one', { routes: [{ name: 'web', number: 80, hosts: [{ name: 'a', path: '/' }] }] });
    await one.merge('one', { routes: [{ name: 'web', hosts: [{ name: 'b' }] }] });
    await one.merge('one', { routes: [{ name: 'web', protocol: 'TCP', number: 81 }] });
    const hosts = [{ name: 'a', path: '/' }, { name: 'b' }];
    expect(await one.status()).toEqual({ routes: [{ name: 'web', protocol: 'TCP', number: 81, hosts }] });
  });

  test('replaces conditions that are no map', async () => {
    const one = await machine();
    await one.merge('one', { child: { conditions: [{ type: 'A' }, { type: 'B' }] } });
    await one.merge('one', { child: { conditions: [{ type: 'A' }] } });
    expect(await one.status()).toEqual({ child: { conditions: [{ type: 'A' }] } });
  });

  test('sets and keeps fields with the names of JavaScript', async () => {
    const one = await machine();
    const texts = JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, string>;
    await one.merge('one', { texts });
    await one.merge('one', { phase: 'A' });
    expect(JSON.stringify(await one.status())).toBe(JSON.stringify({ phase: 'A', texts }));
  });

  test('of an object that is gone is an error of a write', async () => {
    await expect(
      merge('one', { name: 'none', namespace: setup().namespace }, { phase: 'A' }),
    ).rejects.toMatchObject({
      code: 'kube/not-found',
    });
  });
});

describe('the inferred role', () => {
  /** Merges a status as a ServiceAccount with some verbs on the status, and returns the error of the call. */
  async function mergeWith(verbs: readonly string[]): Promise<unknown> {
    const { plane, server, namespace } = setup();
    const one = await machine();
    const token = await serviceAccountToken(server, namespace, [
      { apiGroups: [group], resources: ['machines'], verbs: ['list', 'watch'] },
      { apiGroups: [group], resources: ['machines/status'], verbs: [...verbs] },
    ]);
    const results: unknown[] = [];
    const controller = defineController({
      name: uniqueName('merging'),
      for: Machine,
      predicates: [({ object }) => object.metadata.name === one.key.name],
      reconcile: async (_, { client }) => {
        if (results.length > 0) return;
        results.push(
          await client.mergeStatus(Machine, one.key, { phase: 'A' }).catch((error: unknown) => error),
        );
      },
    });
    const kubeconfig = join(tmpdir(), uniqueName('kubeconfig'));
    writeFileSync(kubeconfig, tokenKubeconfig(plane, token), { mode: 0o600 });
    try {
      await using _ = await runManager({ kubeconfig, namespaces: [namespace] }, controller);
      await eventually(() => results.length > 0, slow);
    } finally {
      rmSync(kubeconfig);
    }
    return results[0];
  }

  test('suffices, and each of its verbs is needed', async () => {
    const need = needOf('ControllerClient', 'mergeStatus');
    if (need?.type !== 'request') throw new Error('expected verbs');
    expect(need).toMatchObject({ subresource: 'status' });
    expect(await mergeWith(need.verbs)).toMatchObject({ status: { phase: 'A' } });
    for (const missing of need.verbs) {
      const error = await mergeWith(need.verbs.filter((verb) => verb !== missing));
      expect(error, missing).toMatchObject({ code: 'kube/forbidden' });
    }
  });
});

const word = fc.constantFrom('a', 'b', 'c');
const someOf = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const changes: fc.Arbitrary<MergePatch<Status>> = fc.record(
  {
    phase: fc.option(word),
    count: fc.option(fc.integer({ min: 0, max: 9 })),
    detail: fc.record({ a: someOf(word), b: someOf(word) }, { requiredKeys: [] }),
    labels: fc.dictionary(word, word, { minKeys: 1, maxKeys: 2 }),
    tags: fc.uniqueArray(word, { minLength: 1, maxLength: 2 }),
    list: fc.array(word, { maxLength: 2 }),
    conditions: fc.uniqueArray(fc.record({ type: word, status: word, message: word }), {
      selector: ({ type }) => type,
      minLength: 1,
      maxLength: 2,
    }),
  },
  { requiredKeys: [] },
);

/** The status as one manager alone leaves it: a merge patch, with conditions by type. */
function expected(before: Status, change: MergePatch<Status>): Status {
  const after: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete after[name];
    else if (name === 'detail' || name === 'labels')
      after[name] = { ...(after[name] as object), ...defined(value) };
    else if (name === 'conditions')
      after[name] = byType([...(before.conditions ?? []), ...(change.conditions ?? [])]);
    else after[name] = value;
  }
  return defined(after);
}

function defined(value: unknown): object {
  return JSON.parse(JSON.stringify(value)) as object;
}

function byType(conditions: NonNullable<Status['conditions']>): NonNullable<Status['conditions']> {
  return [...new Map(conditions.map((each) => [each.type, each])).values()];
}

test('any sequence of changes by one manager leaves the status of a merge patch', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 5 }), async (all) => {
      const one = await machine();
      let status: Status = {};
      for (const change of all) {
        await one.merge('one', change);
        status = expected(status, change);
      }
      expect(await one.status()).toEqual(status);
      await one.apply('one', { phase: 'end' });
      expect(await one.status()).toEqual({ phase: 'end' });
    }),
    { numRuns: runs(50) },
  );
});

/**
 * Changes that leave no empty object: kube-apiserver writes null for an object whose last field goes while another manager has applied the
 * empty object, and then refuses it (structured-merge-diff, as of Kubernetes 1.37).
 */
const changesOfTwo = changes.map(({ detail, ...rest }): MergePatch<Status> => {
  const values = Object.values(detail ?? {}).filter((value) => value !== undefined);
  return values.length === 0 || values.includes(null) ? rest : { ...rest, detail };
});

test('two managers lose nothing of each other that they do not name', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('one', 'two'), changesOfTwo), { maxLength: 6 }),
      async (all) => {
        const both = await machine();
        for (const [who, change] of all) {
          const before = await both.status();
          await both.merge(who, change);
          const after = await both.status();
          for (const [name, value] of Object.entries(before) as [keyof Status, unknown][])
            if (!(name in change)) expect(after[name], name).toEqual(value);
          for (const [name, value] of Object.entries(change) as [keyof Status, unknown][])
            if (value !== null && typeof value !== 'object') expect(after[name], name).toEqual(value);
        }
        await both.apply('one', { phase: 'end' });
        await both.apply('two', { count: 0 });
        expect(await both.status()).toEqual({ phase: 'end', count: 0 });
      },
    ),
    { numRuns: runs(50) },
  );
});

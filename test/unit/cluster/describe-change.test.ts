import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../src/sdk/api/index.ts';
import { describeChange } from '../../../src/cluster/dev/watch-objects.ts';

type Parts = Readonly<Record<string, unknown>> & { readonly metadata?: object };

const memcached = ({ metadata, ...rest }: Parts = {}): KubeObject => ({
  apiVersion: 'cache.example.com/v1',
  kind: 'Memcached',
  metadata: { name: 'sample', namespace: 'default', uid: '1', resourceVersion: '1', ...metadata },
  ...rest,
});
const ready = (status: string, reason: string, message = '', time = '2026-01-01T00:00:00Z') => ({
  conditions: [{ type: 'Ready', status, reason, message, lastTransitionTime: time, observedGeneration: 1 }],
});

describe('what happened to an object, as a text', () => {
  test.each<[string, KubeObject | undefined, KubeObject | undefined, string | undefined]>([
    ['a new one', undefined, memcached({ spec: { size: 1 } }), 'created'],
    [
      'a new one with a status',
      undefined,
      memcached({ status: ready('False', 'Scaffolded') }),
      'created, Ready=False (Scaffolded)',
    ],
    ['one that is gone', memcached(), undefined, 'deleted'],
    [
      'a field',
      memcached({ spec: { size: 1, name: 'a' } }),
      memcached({ spec: { size: 3, name: 'a' } }),
      'spec.size 1 → 3',
    ],
    [
      'fields that come and go',
      memcached({ spec: { old: true } }),
      memcached({ spec: { fresh: [1, 2] } }),
      'spec.old removed, spec.fresh [1,2]',
    ],
    [
      'fields beside the spec',
      memcached({ data: { a: '1' } }),
      memcached({ data: { a: '2' } }),
      'data.a "1" → "2"',
    ],
    [
      "a Secret, whose values are nobody's business",
      { ...memcached({ data: { a: 'QQ==' } }), apiVersion: 'v1', kind: 'Secret' },
      { ...memcached({ data: { a: 'Qg==' } }), apiVersion: 'v1', kind: 'Secret' },
      'data.a "*** (before)" → "*** (after)"',
    ],
    [
      'a condition',
      memcached({ status: ready('False', 'Scaffolded', 'none of 3 is there') }),
      memcached({ status: ready('True', 'Reconciled', 'all\nare there') }),
      'Ready=True (Reconciled): all are there',
    ],
    [
      'a condition that is no longer there',
      memcached({ status: ready('True', 'Reconciled') }),
      memcached({ status: {} }),
      'Ready removed',
    ],
    [
      'a status',
      memcached({ status: { nodes: ['a'], ...ready('True', 'Reconciled') } }),
      memcached({ status: { nodes: ['a', 'b'], ...ready('True', 'Reconciled') } }),
      'status.nodes ["a"] → ["a","b"]',
    ],
    [
      'something else called conditions',
      memcached({ status: { conditions: ['a'] } }),
      memcached({ status: { conditions: ['b'] } }),
      'status.conditions ["a"] → ["b"]',
    ],
    [
      'labels',
      memcached(),
      memcached({ metadata: { labels: { tier: 'x' }, generation: 7 } }),
      'metadata.labels {"tier":"x"}',
    ],
    [
      'a deletion that waits',
      memcached({ metadata: { finalizers: ['a.b/c'] } }),
      memcached({ metadata: { finalizers: ['a.b/c'], deletionTimestamp: '2026-01-01T00:00:00Z' } }),
      'being deleted, waits for a.b/c',
    ],
    [
      'bookkeeping',
      memcached({ status: ready('True', 'Reconciled') }),
      memcached({
        metadata: { resourceVersion: '2', generation: 2, managedFields: [{}] },
        status: { observedGeneration: 2, ...ready('True', 'Reconciled', '', '2026-02-02T00:00:00Z') },
      }),
      undefined,
    ],
  ])('%s', (_title, before, after, text) => {
    expect(describeChange(before, after)).toBe(text);
  });

  test('is one line of bounded length, whatever the object holds', () => {
    const fields = (value: string) =>
      Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`field${index}`, value.repeat(500)]));
    const text = describeChange(memcached({ spec: fields('a\n') }), memcached({ spec: fields('b\n') })) ?? '';
    expect(text).toContain('and 5 more');
    expect(text).not.toContain('\n');
    expect(text.length).toBeLessThan(700);
  });
});

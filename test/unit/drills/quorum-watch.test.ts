import { expect, test } from 'vitest';
import { costlyDeletions, type QuorumSample } from '../../control-plane/drills/etcd/quorum-watch.ts';

const all = ['a', 'b', 'c'];
const deletion = { at: 10_000, member: 'a' };
const sample = (healthy: readonly string[], voters = all, at = 9500): QuorumSample => ({
  at,
  voters,
  healthy,
});

test.each<[string, readonly QuorumSample[]]>([
  ['all are healthy', [sample(all)]],
  ['it was not healthy', [sample(['b']), sample(['b', 'c'])]],
  ['it has left etcd, and the others have a quorum', [sample(all, ['b', 'c'])]],
  ['one of the others was lost at the same time', [sample(all, all, 9000), sample(['a', 'b'], all, 9900)]],
  ['nobody has looked', []],
])('a deletion costs no quorum if %s', (_, samples) => {
  expect(costlyDeletions(samples, [deletion])).toEqual([]);
});

test.each<[string, readonly QuorumSample[]]>([
  ['another one is away', [sample(['a', 'b'])]],
  ['it is the only one', [sample(['a'], ['a'])]],
  ['another one is away that was there long ago', [sample(all, all, 5000), sample(['a', 'c'])]],
])('a deletion costs the quorum if %s', (_, samples) => {
  expect(costlyDeletions(samples, [deletion])).toEqual([deletion]);
});

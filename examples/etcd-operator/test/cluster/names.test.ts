import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memberOf, newMemberName } from '../../src/cluster/names.ts';
import { observed } from './observed-fixture.ts';

const { cluster } = observed();
const nameAt = (uid: string, resourceVersion: string): string =>
  newMemberName({ ...cluster, metadata: { ...cluster.metadata, uid, resourceVersion } });

test('a new member has a name from which its cluster is known, as long as the object does not change', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.nat(), (uid, version) => {
      const name = nameAt(uid, String(version));
      expect(name).toMatch(/^example-[b-df-hj-np-tv-z2-9]{5}$/);
      expect(nameAt(uid, String(version))).toBe(name);
      expect(memberOf('example', `http://${name}.example.default.svc:2380`)).toBe(name);
    }),
  );
});

test('names differ from each other', () => {
  const names = Array.from({ length: 1000 }, (_, version) => nameAt('uid', String(version)));
  expect(new Set(names).size).toBe(1000);
});

// Which objects the page shows below which.
import { expect, test } from 'vitest';
import { linkOwners, type Linkable, type Role } from '../../../../src/cluster/live/objects/owner-links.ts';

/** An object whose id and uid are its name; the first owner is a controller if its name ends with `!`. */
function linkable(role: Role, name: string, ...owners: readonly string[]): Linkable {
  const ownerReferences = owners.map((owner) => ({
    ...{ apiVersion: 'v1', kind: 'Any', name: owner, uid: owner.replace('!', '') },
    ...(owner.endsWith('!') ? { controller: true } : {}),
  }));
  return {
    ...{ id: name, role },
    object: { apiVersion: 'v1', kind: 'Any', metadata: { name, uid: name, ownerReferences } },
  };
}

const linksOf = (...all: readonly Linkable[]) => Object.fromEntries(linkOwners(all));

test('owners are followed over any number of steps, in any order of the objects', () => {
  const all = [
    linkable('owned', 'pod', 'replicaset'),
    linkable('owned', 'replicaset', 'deployment'),
    linkable('owned', 'deployment', 'memcached'),
    linkable('shown', 'memcached'),
  ];
  const links = {
    memcached: undefined,
    deployment: 'memcached',
    replicaset: 'deployment',
    pod: 'replicaset',
  };
  expect(linksOf(...all)).toEqual(links);
  expect(linksOf(...all.toReversed())).toEqual(links);
});

test('objects whose owners lead to nothing that is shown are left out', () => {
  expect(
    linksOf(
      linkable('shown', 'memcached', 'unknown'),
      linkable('owned', 'pod'),
      linkable('owned', 'replicaset', 'deployment'),
      linkable('owned', 'deployment'),
    ),
  ).toEqual({ memcached: undefined });
});

test('the controller comes before other owners that are shown', () => {
  const both = [linkable('shown', 'first'), linkable('shown', 'second')];
  expect(linksOf(linkable('owned', 'pod', 'first', 'second!'), ...both)).toMatchObject({ pod: 'second' });
  expect(linksOf(linkable('owned', 'pod', 'unknown!', 'first'), ...both)).toMatchObject({ pod: 'first' });
});

test('nothing is put below a node', () => {
  expect(linksOf(linkable('apart', 'node'), linkable('owned', 'mirror', 'node!'))).toEqual({
    node: undefined,
  });
});

test('objects that own each other are not put below themselves', () => {
  expect(linksOf(linkable('owned', 'a', 'b'), linkable('owned', 'b', 'a'))).toEqual({});
  const links = linksOf(
    linkable('shown', 'a', 'b'),
    linkable('shown', 'b', 'a'),
    linkable('shown', 'c', 'c'),
  );
  expect(links).toEqual({ a: undefined, b: 'a', c: undefined });
});

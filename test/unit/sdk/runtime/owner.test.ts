import { describe, expect, it } from 'vitest';
import { ownedBy, ownerReference, setControllerReference } from '../../../../src/index.ts';
import { checkOwners, objectName } from '../../../../src/sdk/runtime/owner/index.ts';
import { ConfigMap, configMap, Namespace, site } from './kinds.ts';

const reference = {
  apiVersion: 'web.example.com/v1',
  kind: 'Site',
  name: 'a',
  uid: 'uid-a',
  controller: true,
  blockOwnerDeletion: true,
};

describe('owner references', () => {
  it('have controller and blockOwnerDeletion', () => {
    expect(ownerReference(site('a'))).toEqual(reference);
    expect(ownedBy(site('a'))).toEqual({ namespace: 'default', ownerReferences: [reference] });
    expect(ownedBy(site('a', { namespace: undefined }))).toEqual({ ownerReferences: [reference] });
  });

  it('take apiVersion and kind from the token if the object has none', () => {
    const bare = { ...configMap('c'), apiVersion: '', kind: '' };
    expect(() => ownerReference(bare)).toThrow(/runtime\/owner-incomplete/);
    expect(ownerReference(bare, ConfigMap)).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
  });

  it('need an object that was stored', () => {
    const { uid: _, ...metadata } = site('a').metadata;
    expect(() => ownedBy({ ...site('a'), metadata })).toThrow(/runtime\/owner-incomplete.*Site default\/a/);
  });

  it('are set in place, next to those of others, once', () => {
    const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u' };
    const object = configMap('c', { ownerReferences: [other] });
    setControllerReference(site('a'), object);
    setControllerReference(site('a', { uid: 'new' }), object);
    expect(object.metadata.ownerReferences).toEqual([other, { ...reference, uid: 'new' }]);
  });

  it.each([
    ['another namespace', site('a', { namespace: 'other' }), configMap('c'), 'different namespaces'],
    ['a cluster-scoped dependent', site('a'), configMap('c', { namespace: undefined }), 'has no namespace'],
  ])('are refused across scopes: %s', (_, owner, object, message) => {
    expect(() => setControllerReference(owner, object)).toThrow(message);
    expect(object.metadata.ownerReferences).toBeUndefined();
  });

  it('of cluster-scoped owners are possible anywhere', () => {
    const object = configMap('c');
    setControllerReference(site('a', { namespace: undefined }), object);
    expect(object.metadata.ownerReferences).toHaveLength(1);
  });

  it('refuse a second controller', () => {
    const object = configMap('c');
    setControllerReference(site('a'), object);
    expect(() => setControllerReference(site('b'), object)).toThrow(
      /second-controller.*has a controller: Site a/,
    );
  });
});

describe('checks before a write', () => {
  const owner = site('a');

  it('accept what ownedBy gives, and references to others', () => {
    checkOwners(owner, ConfigMap, configMap('c', ownedBy(owner)));
    checkOwners(
      owner,
      ConfigMap,
      configMap('c', { namespace: 'other', ...{ ownerReferences: [{ ...reference, uid: 'x' }] } }),
    );
  });

  it('refuse the reconciled object as owner in another namespace or of a cluster-scoped object', () => {
    const elsewhere = configMap('c', { ...ownedBy(owner), namespace: 'other' });
    expect(() => checkOwners(owner, ConfigMap, elsewhere)).toThrow(/different namespaces/);
    // The namespace that ownedBy brings along does not make a Namespace namespaced.
    expect(() => checkOwners(owner, Namespace, configMap('n', ownedBy(owner)))).toThrow(
      /Namespace n has no namespace/,
    );
  });

  it('refuse two controllers', () => {
    const both = configMap('c', {
      ownerReferences: [...ownedBy(owner).ownerReferences, { ...reference, name: 'b', uid: 'b' }],
    });
    expect(() => checkOwners(owner, ConfigMap, both)).toThrow(/names 2 controllers: Site a, Site b/);
  });
});

it('names objects', () => {
  expect(objectName({ kind: 'Pod', metadata: { generateName: 'web-', namespace: 'x' } })).toBe('Pod x/web-*');
  expect(objectName({ metadata: {} })).toBe('object (no name)');
});

// `undeploy --keep-crds` removes the operator, and nothing of its users; another deploy takes over what is there.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { externalResource, type KubeObject, type Resource } from '../../../src/sdk/api/index.ts';
import { Secret } from '../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../helpers/control-plane.ts';
import { convertedCrd } from './converted-crd.ts';
import { clientOf, widget } from './helpers.ts';
import { codesIn, deployedFolder, operator, settings, type DeployedFolder } from './inventory-helpers.ts';
import { ConfigMap, Crd, Deployment, Namespace } from './kinds.ts';

let client: KubeClient;
/** A namespace of users, which no manifest names. */
let users: string;
let folder: DeployedFolder;
/** The prefix of the operator of a test, and its namespace. */
let name: string;
let space: object;
beforeAll(async () => {
  const plane = await sharedControlPlane();
  client = await clientOf(plane);
  users = await uniqueNamespace(plane, 'users');
});
afterAll(() => client.close());
beforeEach(async () => {
  folder = await deployedFolder((await sharedControlPlane()).kubeconfig);
  name = uniqueName('keep');
  space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  return () => folder[Symbol.asyncDispose]();
});

const widgetsOf = (group: string): Resource<KubeObject> =>
  externalResource({ group, version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Namespaced' });
const lines = (text: string): string[] => text.trimEnd().split('\n').sort();
const crdTitle = (crd: string): string => `customresourcedefinition.apiextensions.k8s.io/${crd}`;

describe('undeploy --keep-crds', () => {
  test('deletes the operator alone, and a deploy takes over what has stayed', async () => {
    const { crd, object, group, name: crdName } = widget(name, users);
    const Widget = widgetsOf(group);
    const objects = [space, crd, operator(name, name), settings('settings', name)];
    await folder.deploy(objects);
    const finalizers = [`${group}/cleanup`];
    const custom = await client.create(Widget, {
      ...(object as { readonly spec: object }),
      metadata: { name: 'one', namespace: users, finalizers },
    });
    const { uid = '' } = custom.metadata;
    const owner = { apiVersion: `${group}/v1`, kind: 'Widget', name: 'one', uid, controller: true };
    await client.create(ConfigMap, {
      metadata: { name: `${name}-data`, namespace: users, ownerReferences: [owner] },
    });

    const planned = await folder.run('undeploy', objects, '--keep-crds', '--dry-run');
    expect(planned.stdout).toContain(`${crdTitle(crdName)} kept (server dry run)\n`);
    expect(
      await client.find(Deployment, { name: `${name}-controller-manager`, namespace: name }),
    ).toBeDefined();

    const gone = await folder.run('undeploy', objects, '--keep-crds');
    expect(gone.code, gone.stderr).toBe(0);
    expect(lines(gone.stdout)).toEqual(
      [
        `${crdTitle(crdName)} kept`,
        `configmap/settings deleted`,
        `deployment.apps/${name}-controller-manager deleted`,
        `namespace/${name} deleted`,
      ].sort(),
    );
    expect(codesIn(gone.stderr)).toEqual(['cluster/finalizers-kept']);
    expect(gone.stderr).toContain(
      `1 custom resource with finalizers that only the operator removes: ${users}/one`,
    );
    expect(await client.find(Namespace, { name })).toBeUndefined();
    expect(await client.get(Widget, { name: 'one', namespace: users })).toEqual(custom);
    expect(
      (await client.get(ConfigMap, { name: `${name}-data`, namespace: users })).metadata,
    ).not.toHaveProperty('deletionTimestamp');

    const again = await folder.deploy(objects);
    expect(again).toContain(`${crdTitle(crdName)} unchanged`);
    expect(again).toContain(`deployment.apps/${name}-controller-manager created`);
    expect(await client.get(Widget, { name: 'one', namespace: users })).toEqual(custom);
    const body = { metadata: { finalizers: null } };
    await client.patch(Widget, { name: 'one', namespace: users }, { type: 'merge', body });
    expect((await folder.run('undeploy', objects, '--yes', '--no-wait')).code).toBe(0);
  });

  test('keeps custom resources of the manifest, and a namespace that holds anything', async () => {
    const { crd, object, group, name: crdName } = widget(name, name);
    const objects = [space, crd, operator(name, name), object];
    await folder.deploy(objects);
    const gone = await folder.run('undeploy', objects, '--keep-crds');
    expect(gone.code, gone.stderr).toBe(0);
    expect(lines(gone.stdout)).toEqual(
      [
        `${crdTitle(crdName)} kept`,
        `widget.${group}/one kept`,
        `namespace/${name} kept`,
        `deployment.apps/${name}-controller-manager deleted`,
      ].sort(),
    );
    expect(gone.stderr).toContain(
      `warning[cluster/namespace-kept]: namespace/${name} is kept: 1 other object in it: widget.${group}/one`,
    );
    expect(await client.find(widgetsOf(group), { name: 'one', namespace: name })).toBeDefined();
    // The inventory goes with the operator, and the next deploy makes it again.
    const inventory = { name: `${name}-applyset`, namespace: name };
    expect(await client.find(Secret, inventory)).toBeUndefined();
    const second = await folder.run('undeploy', objects, '--keep-crds');
    expect([second.code, lines(second.stdout)]).toEqual([
      0,
      lines(gone.stdout).filter((line) => line.endsWith('kept')),
    ]);
    expect(await folder.deploy(objects)).toContain(`widget.${group}/one unchanged`);
    expect(await client.find(Secret, inventory)).toBeDefined();
    expect((await folder.run('undeploy', objects, '--yes', '--no-wait')).code).toBe(0);
  });

  test('does not keep a namespace for the certificate that the operator creates itself', async () => {
    const main = operator(name, name) as { readonly spec: { readonly template: { spec: object } } };
    const container = {
      name: 'manager',
      image: 'example.com/none:v1',
      env: [{ name: 'WEBHOOK_SECRET_NAME', value: 'webhook-server-cert' }],
    };
    main.spec.template.spec = { containers: [container] };
    await folder.deploy([space, main]);
    await client.create(Secret, { metadata: { name: 'webhook-server-cert', namespace: name } });
    const { code, stdout, stderr } = await folder.run('undeploy', [space, main], '--keep-crds', '--no-wait');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`namespace/${name} deleted\n`);
  });

  test('deletes nothing where a definition is being deleted already', async () => {
    const { crd, object, group, name: crdName } = widget(name, users);
    const objects = [crd, operator(name, users)];
    await folder.deploy(objects);
    const held = {
      ...object,
      metadata: { name: 'one', namespace: users, finalizers: [`${group}/x`] },
    };
    await client.create(widgetsOf(group), held);
    await client.delete(Crd, { name: crdName });
    const { code, stdout, stderr } = await folder.run('undeploy', objects, '--keep-crds');
    expect([code, stdout, codesIn(stderr)]).toEqual([1, '', ['cluster/being-deleted']]);
    expect(
      await client.find(Deployment, { name: `${name}-controller-manager`, namespace: users }),
    ).toBeDefined();
    const body = { metadata: { finalizers: null } };
    await client.patch(widgetsOf(group), { name: 'one', namespace: users }, { type: 'merge', body });
    await folder.run('undeploy', objects, '--no-wait');
  });

  test('warns where the webhook that converts objects goes', async () => {
    const { object: crd } = convertedCrd(name, 'Gadget', users);
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'webhook-service', namespace: users },
      spec: { ports: [{ port: 443 }] },
    };
    const objects = [crd, service, operator(name, users)];
    await folder.deploy(objects);
    const { code, stderr } = await folder.run('undeploy', objects, '--keep-crds', '--no-wait');
    expect([code, codesIn(stderr)]).toEqual([0, ['cluster/conversion-kept']]);
    expect((await folder.run('undeploy', objects, '--yes', '--no-wait')).code).toBe(0);
  });

  test.each(['--yes', '--force'])('and %s exclude each other', async (flag) => {
    const { code, stderr } = await folder.run('undeploy', [space], '--keep-crds', flag);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`--keep-crds and ${flag} exclude each other`),
    ]);
  });
});

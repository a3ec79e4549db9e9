// `op-sdk dev` and `op-sdk run --watch` as processes, from what an edit is to what it does on the cluster. They run dist/: build it first.
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { externalResource, type KubeObject } from '../../src/sdk/api/index.ts';
import { CustomResourceDefinition } from '../../src/sdk/k8s/generated/apiextensions/v1.ts';
import type { KubeClient } from '../../src/sdk/kube/index.ts';
import { eventually } from '../../src/testing/index.ts';
import { sharedControlPlane, uniqueName, type SharedControlPlane } from '../helpers/control-plane.ts';
import { edit, operatorsOf, scaffoldProject, startDev } from '../helpers/dev-process.ts';
import { isShown } from '../helpers/guide.ts';
import { exists, processesWith } from '../helpers/processes.ts';
import { repositoryRoot } from '../helpers/source-files.ts';
import { Clients } from './clients.ts';

const types = (group: string): string => `src/api/${group}/v1alpha1/memcached.ts`;
const controller = (group: string): string => `src/controllers/${group}/memcached.ts`;
const sample = (group: string): string => `config/samples/${group}_v1alpha1_memcached.yaml`;
const seen = 'The operator has seen the object';
/** No ports of this machine: other tests use them. */
const quiet = ['--', '--metrics-bind-address=0', '--health-probe-bind-address=0'];
const waiting = 'waiting for changes';

let scratch: string;
const clients = new Clients();
beforeAll(() => {
  scratch = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-dev-'));
});
afterAll(async () => {
  await clients.close();
  rmSync(scratch, { recursive: true, force: true });
});

async function newProject(): Promise<{ project: string; group: string; crd: string }> {
  const group = uniqueName('dev');
  const project = join(scratch, group);
  await scaffoldProject(project, { group });
  return { project, group, crd: `memcacheds.${group}.example.com` };
}

async function fieldsOf(client: KubeClient, name: string): Promise<readonly string[]> {
  const { spec } = await client.get(CustomResourceDefinition, { name });
  const schema = spec.versions[0]?.schema?.openAPIV3Schema as {
    properties: { spec: { properties?: object } };
  };
  return Object.keys(schema.properties.spec.properties ?? {});
}

describe('op-sdk dev on a control plane of its own', () => {
  test('prints what docs/tour.md shows of it', async () => {
    const project = join(scratch, 'memcached-operator');
    await scaffoldProject(project, { group: 'cache', name: 'memcached-operator' });
    cpSync(join(repositoryRoot, 'examples/memcached-operator'), project, { recursive: true });
    await using dev = startDev(project, ['dev', '--samples', ...quiet]);
    await dev.next('● Memcached default/memcached-sample: created');
    // The Deployment of the sample becomes ready on dev's own node.
    await dev.next(
      /● Memcached default\/memcached-sample: .*Available=True \(PodsReady\): (\d+) of \1 Pods are ready/,
    );
    const tour = readFileSync(join(repositoryRoot, 'docs/tour.md'), 'utf8');
    const [, shown = ''] = /op-sdk dev --samples\n```\n\n```\n([^`]*)```/.exec(tour) ?? [];
    const lines = shown.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(8);
    // Line by line: it writes to two streams.
    for (const line of lines)
      expect(isShown(`…\n${line}\n…`, dev.output()), `${line}\n${dev.output()}`).toBe(true);
  });

  test('brings each edit to the cluster and the operator, survives errors, and leaves nothing', async () => {
    const { project, group, crd } = await newProject();
    // A kind of others, as `create api` puts it there.
    cpSync(
      join(repositoryRoot, 'test/golden/projects/external/test/crds/parts.example.org_gadgets.yaml'),
      join(project, 'test/crds/parts.example.org_gadgets.yaml'),
    );
    await using dev = startDev(project, ['dev', '--samples', ...quiet]);
    await dev.next(/Kubernetes \d+\.\d+\.\d+ is ready at \S+, and empty: what it stores is lost at the end/);
    await dev.next('installed gadgets.parts.example.org');
    const [, kubeconfig = ''] =
      /^export KUBECONFIG=(.*)$/m.exec(await dev.next(/export KUBECONFIG=.*\n/)) ?? [];
    const client = await clients.of(kubeconfig);
    await dev.next(`${crd} created`);
    await dev.next('the operator runs as system:serviceaccount:memo-system:memo-controller-manager');
    await dev.next('started the operator');
    await dev.next('● Memcached default/memcached-sample: created');
    await dev.next(`● Memcached default/memcached-sample: Ready=True (Reconciled): ${seen}`);

    // A controller.
    edit(project, controller(group), seen, 'The second version has seen the object');
    await dev.next(`${controller(group)} changed`);
    await dev.next('restarted the operator');
    await dev.next('Ready=True (Reconciled): The second version has seen the object');

    // A type, and then the sample that uses it.
    edit(project, types(group), '  foo?: string;', '  foo?: string;\n  /** Bar. */\n  bar?: string;');
    await dev.next(`${crd} configured`);
    await dev.next(waiting);
    expect(await fieldsOf(client, crd)).toEqual(['bar', 'foo']);
    expect(
      readFileSync(join(project, `config/crd/bases/${group}.example.com_memcacheds.yaml`), 'utf8'),
    ).toContain('bar:');
    edit(project, sample(group), 'foo: bar', 'bar: "1"');
    await dev.next('● Memcached default/memcached-sample: spec.foo removed, spec.bar "1"');

    // Errors of every kind leave the last good operator alone.
    const operators = await operatorsOf(project);
    edit(project, controller(group), 'async reconcile(', 'async reconcile((');
    await dev.next(/error\[[a-z]+\/[a-z-]+\]/);
    await dev.next('the last good operator keeps running');
    edit(project, controller(group), 'async reconcile((', 'async reconcile(');
    await dev.next('all errors are mended');
    edit(project, types(group), '  bar?: string;', '  bar?: number;');
    await dev.next('error[schema/plain-number]');
    await dev.next('the last good operator keeps running');
    expect(await fieldsOf(client, crd)).toEqual(['bar', 'foo']);
    // What only the server knows: it compiles CEL.
    edit(
      project,
      types(group),
      '  /** Bar. */\n  bar?: number;',
      `  /** @cel {"rule": "self.matches(1)"} */\n  bar?: string;`,
    );
    await dev.next('compilation failed: ERROR');
    await dev.next('the last good operator keeps running');
    expect(await operatorsOf(project)).toEqual(operators);
    edit(
      project,
      types(group),
      `  /** @cel {"rule": "self.matches(1)"} */\n  bar?: string;`,
      '  bar?: string;',
    );
    await dev.next('all errors are mended');
    edit(project, sample(group), 'bar: "1"', 'bar: 1');
    await dev.next(/error\[cluster\/\S+\]: memcached/);
    edit(project, sample(group), 'bar: 1', 'bar: "2"');
    await dev.next('spec.bar "1" → "2"');

    // An operator that ends by itself is started by the next change.
    edit(project, 'src/main.ts', 'await manager.run({ signal });', 'process.exit(3);');
    await dev.next('the operator ended with exit code 3');
    edit(project, 'src/main.ts', 'process.exit(3);', 'await manager.run({ signal });');
    await dev.next('started the operator');

    expect(await dev.stop('SIGINT')).toBe(0);
    expect(await exists(dirname(kubeconfig))).toBe(false);
    expect(await processesWith(dirname(kubeconfig))).toEqual([]);
    expect(await processesWith(project)).toEqual([]);
    expect(await operatorsOf(project)).toEqual([]);
    expect(existsSync(join(project, 'dist/main.mjs'))).toBe(false);
  });
});

describe('on a cluster of somebody else', () => {
  let plane: SharedControlPlane;
  let client: KubeClient;
  beforeAll(async () => {
    plane = await sharedControlPlane();
    client = await clients.of(plane.kubeconfig);
  });

  test('op-sdk dev says which cluster it is, installs the CRDs, and leaves them there', async () => {
    const { project, group, crd } = await newProject();
    await using dev = startDev(project, ['dev', '--kubeconfig', plane.kubeconfig, ...quiet]);
    await dev.next(`cluster: ${plane.url}`);
    await dev.next(`${crd} created`);
    await dev.next('started the operator');
    const Memcached = externalResource<KubeObject>({
      group: `${group}.example.com`,
      version: 'v1alpha1',
      kind: 'Memcached',
      plural: 'memcacheds',
      scope: 'Namespaced',
    });
    // Samples are for those who ask for them.
    expect((await client.list(Memcached)).items).toEqual([]);
    await client.apply(Memcached, { metadata: { name: 'mine', namespace: 'default' }, spec: {} } as never);
    await dev.next('● Memcached default/mine: created');
    await dev.next(`● Memcached default/mine: Ready=True (Reconciled): ${seen}`);
    expect(await dev.stop('SIGTERM')).toBe(0);
    expect(dev.output()).not.toContain('a control plane');
    expect(
      (await client.get(CustomResourceDefinition, { name: crd })).metadata.deletionTimestamp,
    ).toBeUndefined();
    await client.delete(CustomResourceDefinition, { name: crd });
  });

  test('op-sdk run --watch starts the operator again, installs nothing, and says when a CRD no longer fits', async () => {
    const { project, group, crd } = await newProject();
    const flags = ['--kubeconfig', plane.kubeconfig];
    await using install = startDev(project, ['install', ...flags]);
    await install.next(`${crd} created`);
    await using run = startDev(project, ['run', '--watch', ...flags, ...quiet]);
    await run.next(`memo runs against ${plane.url}`);
    await run.next('started the operator');
    await run.next('Starting workers');
    edit(project, controller(group), seen, 'Something else');
    await run.next('restarted the operator');
    expect(run.output()).not.toContain('cluster/crd-outdated');
    edit(project, types(group), '  foo?: string;', '  foo?: string;\n  bar?: string;');
    await run.next('warning[cluster/crd-outdated]');
    await run.next('restarted the operator');
    expect(await fieldsOf(client, crd)).toEqual(['foo']);

    // What is gone keeps the next operator from being started, until it is there again.
    await client.delete(CustomResourceDefinition, { name: crd });
    await eventually(async () => (await client.find(CustomResourceDefinition, { name: crd })) === undefined);
    edit(project, types(group), '  bar?: string;', '  bar?: string;\n  baz?: string;');
    await run.next('error[cluster/crd-not-installed]');
    await using again = startDev(project, ['install', ...flags]);
    await again.next(`${crd} created`);
    await run.next('restarted the operator');
    expect(await run.stop()).toBe(0);
    await client.delete(CustomResourceDefinition, { name: crd });
  });

  test('an error at the start is reported, and mended by the next edit', async () => {
    const { project, group, crd } = await newProject();
    const path = join(project, controller(group));
    const good = readFileSync(path, 'utf8');
    writeFileSync(path, good.replace('reconcile(', 'reconcile(('));
    await using dev = startDev(project, ['dev', '--kubeconfig', plane.kubeconfig, ...quiet]);
    await dev.next('no operator runs');
    writeFileSync(path, good);
    await dev.next('started the operator');
    expect(await dev.stop()).toBe(0);
    await client.delete(CustomResourceDefinition, { name: crd });
  });
});

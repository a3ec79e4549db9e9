import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createClient, loadCluster, type KubeClient } from '../../../src/sdk/kube/index.ts';
import { eventually } from '../../../src/testing/index.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../helpers/control-plane.ts';
import { runCli, type CliRun } from '../../helpers/run-cli.ts';
import { deployment, widget } from './helpers.ts';
import { Deployment, Namespace } from './kinds.ts';

let client: KubeClient;
let kubeconfig: string;
let namespace: string;
let folder: string;
beforeAll(async () => {
  const plane = await sharedControlPlane();
  kubeconfig = plane.kubeconfig;
  client = createClient({
    cluster: await loadCluster({ kubeconfig, env: {} }),
    fieldManager: 'test',
    onWarning: () => undefined,
  });
  namespace = await uniqueNamespace(plane, 'commands');
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'op-sdk-commands-'));
  return () => rm(folder, { recursive: true });
});
afterAll(() => client.close());

interface Call {
  readonly stdin?: string;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}
const opSdk = (argv: readonly string[], call: Call = {}): Promise<CliRun> =>
  runCli([...argv, '--kubeconfig', kubeconfig], { cwd: folder, ...call });
const documents = (...objects: readonly object[]): string =>
  objects.map((each) => JSON.stringify(each)).join('\n---\n');

const deployed = async (...objects: readonly object[]): Promise<void> => {
  const { code, stderr } = await opSdk(['deploy', '-f', '-', '--no-wait'], { stdin: documents(...objects) });
  expect(code, stderr).toBe(0);
};

const settings = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data: {},
});

const revision = 'deployment.kubernetes.io/revision';

describe('deploy and undeploy', () => {
  test('print a line for each object on stdout, and nothing changes the second time', async () => {
    const name = uniqueName();
    const stdin = documents(deployment(name, namespace), settings(name));
    const lines = (what: string): string => `configmap/${name} ${what}\ndeployment.apps/${name} ${what}\n`;
    const planned = await opSdk(['deploy', '-f', '-', '--no-wait', '--dry-run'], { stdin });
    expect(planned).toEqual({ code: 0, stdout: lines('created (server dry run)'), stderr: '' });
    const first = await opSdk(['deploy', '-f', '-', '--no-wait'], { stdin });
    expect(first).toEqual({ code: 0, stdout: lines('created'), stderr: '' });
    await writeFile(join(folder, 'all.yaml'), stdin);
    // kube-controller-manager writes an annotation into a new Deployment; within the second deploy it would count as a change.
    await eventually(async () =>
      Object.hasOwn((await client.get(Deployment, { name, namespace })).metadata.annotations ?? {}, revision),
    );
    const second = await opSdk(['deploy', '-f', 'all.yaml', '--no-wait', '-o', 'json']);
    expect(second.code).toBe(0);
    expect(JSON.parse(second.stdout)).toEqual({
      ok: true,
      result: {
        dryRun: false,
        objects: [
          { apiVersion: 'v1', kind: 'ConfigMap', name, namespace, action: 'unchanged' },
          { apiVersion: 'apps/v1', kind: 'Deployment', name, namespace, action: 'unchanged' },
        ],
      },
      warnings: [],
      errors: [],
    });
    const gone = await opSdk(['undeploy', '-f', '-'], { stdin });
    expect(gone).toEqual({
      code: 0,
      stdout: `deployment.apps/${name} deleted\nconfigmap/${name} deleted\n`,
      stderr: '',
    });
    const again = await opSdk(['undeploy', '-f', '-'], { stdin });
    expect(again).toEqual({
      code: 0,
      stdout: '',
      stderr: `deployment.apps/${name} not found\nconfigmap/${name} not found\n`,
    });
    const strict = await opSdk(['undeploy', '-f', '-', '--ignore-not-found=false'], { stdin });
    expect(strict.code).toBe(1);
    expect(strict.stderr).toContain(
      `error[kube/not-found]: ConfigMap ${namespace}/${name} is not on the cluster`,
    );
  });

  test('a rollout that does not come to an end fails beside what was applied', async () => {
    const name = uniqueName();
    const stdin = documents(deployment(name, namespace));
    const run = await opSdk(['deploy', '-f', '-', '--timeout', '1s', '-o', 'json'], { stdin });
    expect(run.code).toBe(1);
    const { ok, result, errors } = JSON.parse(run.stdout) as Record<string, unknown>;
    expect(ok).toBe(false);
    expect(result).toMatchObject({ objects: [{ name, action: 'created' }] });
    expect(errors).toEqual([
      expect.objectContaining({ code: 'cluster/rollout-timeout', where: { file: '-', line: 1, column: 1 } }),
    ]);
    const text = await opSdk(['deploy', '-f', '-', '--timeout', '1s'], { stdin });
    expect(text.code).toBe(1);
    expect(text.stdout).toBe(`deployment.apps/${name} unchanged\n`);
    expect(text.stderr).toContain(`› waiting for deployment.apps/${name}: 0 of 1 new replicas are available`);
    expect(text.stderr).toContain('error[cluster/rollout-timeout]');
  });

  test('an interrupted wait ends with 130; what was applied stays', async () => {
    const name = uniqueName();
    const stop = new AbortController();
    const running = opSdk(['deploy', '-f', '-'], {
      stdin: documents(deployment(name, namespace)),
      signal: stop.signal,
    });
    await eventually(async () => (await client.find(Deployment, { name, namespace })) !== undefined, {
      timeout: 60_000,
    });
    stop.abort(new Error('interrupted'));
    const { code, stderr } = await running;
    expect(code).toBe(130);
    expect(stderr.endsWith('interrupted\n')).toBe(true);
    expect(await client.find(Deployment, { name, namespace })).toBeDefined();
  });

  test('an interrupted command tells in JSON what it has done', async () => {
    const names = Array.from({ length: 40 }, () => uniqueName());
    const stop = new AbortController();
    const running = opSdk(['deploy', '-f', '-', '-o', 'json'], {
      stdin: documents(...names.map(settings), deployment(names[0] ?? '', namespace)),
      signal: stop.signal,
    });
    await eventually(
      async () => (await client.find(Deployment, { name: names[0] ?? '', namespace })) !== undefined,
      { timeout: 60_000 },
    );
    stop.abort(new Error('interrupted'));
    const { code, stdout } = await running;
    expect(code).toBe(130);
    const { ok, result, errors } = JSON.parse(stdout) as {
      ok: boolean;
      result: { objects: readonly { action: string }[] };
      errors: readonly { code: string }[];
    };
    expect(ok).toBe(false);
    expect(errors.map((each) => each.code)).toEqual(['cli/interrupted']);
    expect(result.objects.length).toBeGreaterThanOrEqual(40);
  });

  test('warn of the default image and of fields of others', async () => {
    const name = uniqueName();
    const template = {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'controller:latest' }] },
    };
    const stdin = documents(deployment(name, namespace, { template }));
    const first = await opSdk(['deploy', '-f', '-', '--no-wait'], { stdin });
    expect(first.stderr).toContain(
      `warning[cluster/default-image]: Deployment ${name}: the image is still controller:latest`,
    );
    await client.apply(Deployment, { metadata: { name, namespace }, spec: { replicas: 2 } });
    const second = await opSdk(['deploy', '-f', '-', '--no-wait', '-o', 'json'], { stdin });
    const { warnings } = JSON.parse(second.stdout) as {
      warnings: readonly { code: string; message: string }[];
    };
    expect(warnings.map(({ code }) => code)).toEqual(['cluster/default-image', 'cluster/field-taken-over']);
    expect(warnings[1]?.message).toContain('.spec.replicas from test');
    expect((await client.get(Deployment, { name, namespace })).spec?.replicas).toBe(1);
  });
});

describe('install and uninstall', () => {
  test('wait for the definitions, and say what is lost with them', async () => {
    const { crd, object, name } = widget(uniqueName('cmd'), namespace);
    const stdin = documents(crd);
    const title = `customresourcedefinition.apiextensions.k8s.io/${name}`;
    expect(await opSdk(['install', '-f', '-'], { stdin })).toEqual({
      code: 0,
      stdout: `${title} created\n`,
      stderr: '',
    });
    expect((await opSdk(['deploy', '-f', '-'], { stdin: documents(object) })).code).toBe(0);
    const { code, stdout, stderr } = await opSdk(['uninstall', '-f', '-', '--yes'], { stdin });
    expect([code, stdout]).toEqual([0, `${title} deleted\n`]);
    expect(stderr).toContain(
      `warning[cluster/objects-lost]: ${title}: 1 custom resource will be deleted with it: ${namespace}/one`,
    );
  });

  test.each(['undeploy', 'uninstall'])(
    '%s deletes nothing without --yes where nobody can be asked and custom resources would go with it',
    async (command) => {
      const { crd, object, name } = widget(uniqueName('keep'), namespace);
      const cluster = widget(uniqueName('wide'), namespace);
      const { spec } = cluster.crd as { readonly spec: object };
      const wide = { ...cluster.crd, spec: { ...spec, scope: 'Cluster' } };
      const everywhere = { ...cluster.object, metadata: { name: 'everywhere' } };
      const other = settings(uniqueName('beside'));
      await deployed(crd, wide, object, everywhere, other);
      const stdin = documents(crd, wide, other);
      const refused = await opSdk([command, '-f', '-'], { stdin });
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toContain(
        `error[cluster/objects-lost]: customresourcedefinition.apiextensions.k8s.io/${name}: 1 custom resource would be deleted with it: ${namespace}/one`,
      );
      expect(refused.stderr).toContain(
        `customresourcedefinition.apiextensions.k8s.io/${cluster.name}: 1 custom resource would be deleted with it: everywhere`,
      );
      expect(refused.stderr).toContain('pass --yes to delete them too');
      expect(refused.stderr).toContain(`kubectl get ${name} --all-namespaces -o yaml`);
      expect(refused.stderr).toContain(
        command === 'undeploy' ? 'pass --keep-crds to keep them' : 'remove it from the manifest',
      );
      const json = await opSdk([command, '-f', '-', '-o', 'json'], { stdin });
      expect(json.code).toBe(1);
      expect(JSON.parse(json.stdout)).toMatchObject({
        ok: false,
        errors: [{ code: 'cluster/objects-lost' }, { code: 'cluster/objects-lost' }],
      });
      const again = await opSdk(['deploy', '-f', '-', '--no-wait'], {
        stdin: documents(crd, wide, object, other),
      });
      expect(
        new Set(
          again.stdout
            .trim()
            .split('\n')
            .map((line) => line.split(' ')[1]),
        ),
      ).toEqual(new Set(['unchanged']));
      const planned = await opSdk([command, '-f', '-', '--dry-run'], { stdin });
      expect([planned.code, planned.stderr]).toEqual([0, expect.stringContaining('will be deleted with it')]);
      expect((await opSdk([command, '-f', '-', '--yes'], { stdin })).code).toBe(0);
      // Nothing is left to lose, so nothing needs a yes.
      expect((await opSdk([command, '-f', '-'], { stdin })).code).toBe(0);
    },
  );

  test('undeploy keeps a namespace with objects of others unless --yes is given', async () => {
    const name = uniqueName('theirs');
    const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    const ours = { ...settings('ours'), metadata: { name: 'ours', namespace: name } };
    const theirs = { ...settings('theirs'), metadata: { name: 'theirs', namespace: name } };
    await deployed(space, ours, theirs);
    const stdin = documents(space, ours);
    const refused = await opSdk(['undeploy', '-f', '-'], { stdin });
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain(
      `error[cluster/objects-lost]: namespace/${name}: 1 other object would be deleted with it: configmap/theirs`,
    );
    expect(refused.stderr).toContain('pass --keep-crds to keep them');
    expect((await client.get(Namespace, { name })).metadata.deletionTimestamp).toBeUndefined();
    expect((await opSdk(['undeploy', '-f', '-', '--yes'], { stdin })).code).toBe(0);
    expect(await client.find(Namespace, { name })).toBeUndefined();
  });
});

describe('in a project', () => {
  const projects = join(import.meta.dirname, '../../golden/projects');

  test('deploy renders config/default, and undeploy removes all of it', async () => {
    const cwd = join(folder, 'project');
    await cp(join(projects, 'empty'), cwd, { recursive: true });
    // Namespaces and cluster roles are for the whole cluster, which other tests use too.
    const unique = uniqueName('way');
    const file = join(cwd, 'config/default/kustomization.yaml');
    const text = await readFile(file, 'utf8');
    await writeFile(
      file,
      text
        .replace(/^namespace: .*$/m, `namespace: ${unique}`)
        .replace(/^namePrefix: .*$/m, `namePrefix: ${unique}-`),
    );
    const deployed = await opSdk(['deploy', '--no-wait'], { cwd });
    expect(deployed.stderr).toContain('cluster/default-image');
    expect(deployed.stderr).toContain('config/manager/manager.yaml');
    const lines = deployed.stdout.trimEnd().split('\n');
    expect(lines[0]).toBe(`namespace/${unique} created`);
    expect(lines).toContain(`deployment.apps/${unique}-controller-manager created`);
    const again = await opSdk(['deploy', '--no-wait'], { cwd });
    expect(again.stdout).toBe(deployed.stdout.replaceAll(' created', ' unchanged'));

    const installer = await runCli(['build-installer'], { cwd });
    expect(installer.stderr).toContain('create  dist/install.yaml');
    expect((await runCli(['build-installer'], { cwd })).stderr).toContain('1 unchanged');
    const stdin = await readFile(join(cwd, 'dist/install.yaml'), 'utf8');
    expect((await opSdk(['deploy', '--no-wait', '-f', '-'], { cwd, stdin })).stdout).toBe(again.stdout);

    const gone = await opSdk(['undeploy'], { cwd });
    expect(gone.stdout.trimEnd().split('\n').sort()).toEqual(
      lines.map((line) => line.replace(/ created$/, ' deleted')).sort(),
    );
    expect(await client.find(Namespace, { name: unique })).toBeUndefined();
  });

  test('--image is written into config/manager, and changes nothing if nothing can be deployed', async () => {
    const cwd = join(folder, 'project');
    await cp(join(projects, 'empty'), cwd, { recursive: true });
    const file = join(cwd, 'config/manager/kustomization.yaml');
    const before = await readFile(file, 'utf8');
    const image = 'registry.example.com:5000/team/operator:v0.1';
    const nowhere = join(folder, 'none');
    const lost = await runCli(['deploy', '--image', image, '--kubeconfig', nowhere], { cwd });
    expect(lost.code).toBe(1);
    const wrong = await opSdk(['deploy', '--image', 'https://example.com/x'], { cwd });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('oci/invalid-reference')]);
    const both = await opSdk(['deploy', '--image', image, '-f', '-'], { cwd });
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--image')]);

    const planned = await runCli(['build-installer', '--image', image, '--dry-run'], { cwd });
    expect(planned.stderr).toContain('update  config/manager/kustomization.yaml');
    expect(await readFile(file, 'utf8')).toBe(before);

    const written = await runCli(['build-installer', '--image', image], { cwd });
    expect(written.code).toBe(0);
    expect(written.stderr).not.toContain('default-image');
    expect(await readFile(file, 'utf8')).toBe(
      before
        .replace('newName: controller', 'newName: registry.example.com:5000/team/operator')
        .replace('latest', 'v0.1'),
    );
    expect(await readFile(join(cwd, 'dist/install.yaml'), 'utf8')).toContain(`image: ${image}\n`);
    const again = await runCli(['build-installer', '--image', image, '-o', 'json'], { cwd });
    expect(JSON.parse(again.stdout)).toMatchObject({
      result: {
        files: [
          { action: 'unchanged', path: 'config/manager/kustomization.yaml' },
          { action: 'unchanged', path: 'dist/install.yaml' },
        ],
      },
    });
    const manager = join(cwd, 'config/manager/manager.yaml');
    await writeFile(
      manager,
      (await readFile(manager, 'utf8')).replace('controller:latest', 'example.com/fixed:v1'),
    );
    const unused = await opSdk(['deploy', '--image', 'example.com/other:v2'], { cwd });
    expect([unused.code, unused.stderr]).toEqual([2, expect.stringContaining('cluster/image-not-used')]);
  });

  test('without kinds there is nothing to install', async () => {
    const cwd = join(projects, 'empty');
    const { code, stdout, stderr } = await opSdk(['install'], { cwd });
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('there are no CustomResourceDefinitions to install');
    expect((await opSdk(['uninstall'], { cwd })).code).toBe(0);
  });
});

describe('bad input', () => {
  test('is refused with the flag or the file', async () => {
    const failing = async (argv: readonly string[], call: Call = {}): Promise<string> => {
      const { code, stdout, stderr } = await opSdk(argv, call);
      expect(stdout).toBe('');
      return `${code} ${/\[([\w/-]+)\]/.exec(stderr)?.[1] ?? stderr}`;
    };
    expect(await failing(['deploy'])).toBe('1 project/not-found');
    expect(await failing(['install'])).toBe('1 project/not-found');
    expect(await failing(['undeploy'])).toBe('1 project/not-found');
    expect(await failing(['build-installer'])).toMatch(/^2 /);
    expect(await failing(['deploy', '-f', 'missing.yaml'])).toBe('1 io/not-found');
    await writeFile(join(folder, 'file'), '');
    await cp(join(import.meta.dirname, '../../golden/projects/empty'), join(folder, 'empty'), {
      recursive: true,
    });
    const cwd = join(folder, 'empty');
    for (const file of ['../file/install.yaml', 'config', ''])
      expect((await runCli(['build-installer', '--output-file', file], { cwd })).stderr).toContain(
        'cli/invalid-value',
      );
    expect(await failing(['deploy', '-f', '-', '--timeout', 'soon'])).toBe('2 cli/invalid-value');
    expect(await failing(['deploy', '-f', '-', '--dir', 'x'])).toBe('2 cli/invalid-value');
    expect(await failing(['deploy', '-f', '-'], { stdin: 'kind: Nothing' })).toBe('1 io/not-an-object');
    // What was to fill the pipe has failed.
    for (const command of ['deploy', 'undeploy', 'install', 'uninstall'])
      expect(await failing([command, '-f', '-'], { stdin: '# nothing\n---\n' })).toBe('1 cluster/no-objects');
    expect(
      await failing(['deploy', '-f', '-', '--context', 'nobody'], { stdin: documents(settings('x')) }),
    ).toBe('1 kube/kubeconfig-invalid');
    const file = join(folder, 'none');
    const { code, stderr } = await runCli(['deploy', '-f', '-', '--kubeconfig', file], {
      stdin: documents(settings('x')),
    });
    expect(code).toBe(1);
    expect(stderr).toContain('[kube/kubeconfig-unreadable]');
  });
});

// The tutorial's chapter 6 on a machine on which Node is the only tool: build, deploy and use, from the packed
// tarball, with the real API server and a PATH of node, npm, npx, make, sh and coreutils.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { apiOf, until } from '../../scripts/lib/api.mjs';
import { freePort } from '../../scripts/lib/free-port.mjs';
import { readImage, startRegistry } from '../../scripts/lib/registry.mjs';
import { run } from '../../scripts/lib/run.mjs';
import { buildImage, createLayer, parseReference, pushImage } from '../../src/images/index.ts';
import { startControlPlane, type ControlPlane } from '../../src/testing/index.ts';
import { startOperator, statusOf } from '../helpers/operator-process.ts';
import { npmSettings } from '../helpers/npm-settings.ts';
import { restrictedPath } from '../helpers/restricted-path.ts';
import { copyNginxProject } from '../helpers/shared-projects.ts';

const image = 'docker.io/sample/nginx-operator:v0.1';
const namespace = 'nginx-operator-system';

let scratch: string;
let project: string;
let env: NodeJS.ProcessEnv;
let plane: ControlPlane;
let api: ReturnType<typeof apiOf>;

/** Runs a command in the project; what it said on stdout. */
async function succeed(command: string, ...args: string[]): Promise<string> {
  const { code, output } = await run(command, args, { cwd: project, env, capture: true });
  expect(code, `${command} ${args.join(' ')}\n${output}`).toBe(0);
  return output;
}
const opSdk = (...args: string[]) => succeed('node_modules/.bin/op-sdk', ...args);
const make = (...args: string[]) => succeed('make', '--no-print-directory', ...args);

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-way-'));
  project = join(scratch, 'nginx-operator');
  plane = await startControlPlane({ controllerManager: true });
  api = apiOf(plane);
  env = {
    PATH: restrictedPath(join(scratch, 'bin')),
    HOME: scratch,
    KUBECONFIG: plane.kubeconfig,
    // The packages come from the cache that npm keeps for this machine, not from the empty home.
    ...(await npmSettings()),
  };
  await copyNginxProject(project);
});

afterAll(async () => {
  await plane?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

/** The objects of a rendered kustomization, as `kind/name`. */
async function rendered(folder: string): Promise<string[]> {
  return parseAllDocuments(await opSdk('kustomize', 'build', folder)).map((document) => {
    const { kind, metadata } = document.toJS() as { kind: string; metadata: { name: string } };
    return `${kind.toLowerCase()}/${metadata.name}`;
  });
}

/** The lines `kind.group/name what` of a command's result, as `kind/name` to `what`. */
function outcomes(output: string): Record<string, string> {
  return Object.fromEntries(
    output.split('\n').flatMap((line) => {
      const [, kind, name, what] = /^([a-z]+)[^/ ]*\/(\S+) ([a-z-]+)/.exec(line) ?? [];
      return what === undefined ? [] : [[`${kind}/${name}`, what]];
    }),
  );
}

interface Pod {
  readonly metadata: { readonly name: string };
  readonly status: { readonly phase: string };
}

async function podsInNamespace(): Promise<readonly Pod[]> {
  const { body } = await api.request('GET', `/api/v1/namespaces/${namespace}/pods`);
  return (body as { items: readonly Pod[] }).items;
}

const cluster = {
  apiVersion: 'operator.example.com/v1alpha1',
  kind: 'NginxOperator',
  metadata: { name: 'cluster', namespace },
  spec: { replicas: 1, port: 8080 },
};

describe('AS8: build, deploy, use', () => {
  test('AS8.1: make help lists every target in its group, and each can be planned', async () => {
    const help = await make('help');
    const groups: Record<string, string[]> = {};
    let group = '';
    for (const line of help.split('\n')) {
      const [, target] = /^ {2}([a-z-]+) {2,}\S/.exec(line) ?? [];
      if (target !== undefined) (groups[group] ??= []).push(target);
      else if (/^[A-Z]\w+$/.test(line)) group = line;
    }
    expect(groups).toEqual({
      General: ['help'],
      Development: ['manifests', 'generate', 'fmt', 'vet', 'lint', 'test', 'test-integration'],
      Build: ['build', 'run', 'dev', 'docker-build', 'docker-push', 'build-installer'],
      Deployment: [
        ...['install', 'uninstall', 'deploy', 'undeploy', 'bundle', 'bundle-build', 'bundle-push'],
        ...['helm', 'helm-package', 'helm-push'],
      ],
    });
    for (const target of Object.values(groups).flat())
      await make('--dry-run', target, `IMG=${image}`, 'CHART_REGISTRY=oci://r.example.com/charts');
  });

  test('AS8.2: make build bundles the operator', async () => {
    await make('build');
    expect(existsSync(join(project, 'dist/main.mjs'))).toBe(true);
  });

  test('AS8.2: make install, then op-sdk run reconciles against the kubeconfig and ends with the signal', async () => {
    expect(outcomes(await make('install'))).toEqual({
      'customresourcedefinition/nginxoperators.operator.example.com': 'created',
    });
    await api.apply({ ...cluster, metadata: { name: 'from-host', namespace: 'default' } });
    const health = `127.0.0.1:${await freePort()}`;
    // npx would keep the signal for itself.
    const child = spawn(
      'node_modules/.bin/op-sdk',
      ['run', '--', '--metrics-bind-address=0', `--health-probe-bind-address=${health}`],
      { cwd: project, env, stdio: 'inherit' },
    );
    const ended = once(child, 'exit');
    try {
      await until('readyz', async () => (await statusOf(`http://${health}/readyz`)) === 200);
      await until('the Deployment', () => api.get('Deployment', 'from-host'));
    } finally {
      child.kill('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);
    expect(await statusOf(`http://${health}/readyz`)).toBeUndefined();
    await api.delete('NginxOperator', 'from-host');
    expect(outcomes(await make('uninstall'))).toEqual({
      'customresourcedefinition/nginxoperators.operator.example.com': 'deleted',
    });
  });

  test('AS8.3: make docker-build docker-push builds and pushes; without a name the image is not pushed', async () => {
    await using registry = await startRegistry();
    const base = `${registry.host}/library/node:24-slim`;
    const layer = createLayer([{ path: 'etc/base', content: Buffer.from('base') }], 'test');
    const platform = { os: 'linux', architecture: process.arch === 'x64' ? 'amd64' : process.arch };
    const { signal } = new AbortController();
    const { content } = buildImage({ format: 'oci', platform, layers: [layer], config: {} });
    await pushImage(parseReference(base, 'test'), content, { env: {}, signal });
    const file = join(project, 'Dockerfile');
    const dockerfile = readFileSync(file, 'utf8');
    writeFileSync(file, dockerfile.replace(/^ARG BASE_IMAGE=.*/m, `ARG BASE_IMAGE=${base}`));
    // Its tests run in AS8.2, and in the golden recipe of the target.
    const tested = ['--assume-old=test', `IMG=${registry.host}/sample/nginx-operator:v0.1`];
    await make(...tested, 'docker-build', 'docker-push');
    writeFileSync(file, dockerfile);
    const { files, config } = readImage(registry, 'sample/nginx-operator', 'v0.1');
    expect(Object.keys(files)).toContain('app/main.mjs');
    expect(config.config).toMatchObject({ User: '65532:65532' });
    const unnamed = await run('make', ['docker-push'], { cwd: project, env, capture: 'all' });
    expect(unnamed.code).not.toBe(0);
    expect(unnamed.output).toContain('make docker-build docker-push IMG=<registry>/<name>:<tag>');
  });

  test('AS8.4, AS8.8: deploy applies exactly what kustomize build renders, one line each', async () => {
    const deployed = outcomes(await opSdk('deploy', '--no-wait', '--image', image));
    const expected = await rendered('config/default');
    expect(expected).toContain('deployment/nginx-operator-controller-manager');
    expect(Object.keys(deployed).sort()).toEqual([...expected].sort());
    expect(new Set(Object.values(deployed))).toEqual(new Set(['created']));

    const kustomization = parse(readFileSync(join(project, 'config/manager/kustomization.yaml'), 'utf8'));
    expect(kustomization.images).toEqual([
      { name: 'controller', newName: 'docker.io/sample/nginx-operator', newTag: 'v0.1' },
    ]);
    const deployment = await api.get('Deployment', 'nginx-operator-controller-manager', namespace);
    expect(deployment.spec.template.spec.containers[0].image).toBe(image);
    const pods = await until('a Pod of the operator', async () => {
      const found = await podsInNamespace();
      return found.length > 0 ? found : undefined;
    });
    expect(pods).toMatchObject([{ status: { phase: 'Pending' } }]);
  });

  test('AS8.7: deploying again changes nothing, and only what is missing is created', async () => {
    const again = outcomes(await make('deploy', `IMG=${image}`, 'DEPLOY_FLAGS=--no-wait'));
    expect(new Set(Object.values(again))).toEqual(new Set(['unchanged']));
    await api.delete('ClusterRoleBinding', 'nginx-operator-manager-rolebinding');
    const healed = outcomes(await opSdk('deploy', '--no-wait'));
    expect(Object.entries(healed).filter(([, what]) => what !== 'unchanged')).toEqual([
      ['clusterrolebinding/nginx-operator-manager-rolebinding', 'created'],
    ]);
  });

  test('AS6.3: with ../prometheus there is a ServiceMonitor, which a cluster that has no such kind does not get', async () => {
    const file = join(project, 'config/default/kustomization.yaml');
    const kustomization = readFileSync(file, 'utf8');
    writeFileSync(file, kustomization.replace(/^#(?=- \.\.\/(?:metrics|prometheus)$)/gm, ''));
    try {
      const name = 'nginx-operator-controller-manager-metrics-monitor';
      expect(await rendered('config/default')).toContain(`servicemonitor/${name}`);
      const deploy = ['deploy', '--no-wait', '--dry-run'];
      const { code, output } = await run(join(project, 'node_modules/.bin/op-sdk'), deploy, {
        ...{ cwd: project, env, capture: 'all' },
      });
      expect(code, output).toBe(0);
      expect(output).toContain('warning[cluster/monitoring-left-out]');
      expect(outcomes(output)).not.toHaveProperty(`servicemonitor/${name}`);
    } finally {
      writeFileSync(file, kustomization);
    }
  });

  test("AS8.5, AS8.6: the operator, with the token of the deployed ServiceAccount, makes the sample's Pods", async () => {
    const { path } = await plane.serviceAccountKubeconfig(namespace, 'nginx-operator-controller-manager');
    await using operator = await startOperator(project, path);
    await until('readyz', async () => (await statusOf(`${operator.health}/readyz`)) === 200);
    await api.apply(cluster);
    await until('the Pod of the operand', async () =>
      (await podsInNamespace()).some(({ metadata }) => metadata.name.startsWith('cluster-')),
    );
    // AS8.6: another number of replicas, then none, and a status that can be read.
    const pods = (count: number) => async () => {
      const all = await podsInNamespace();
      return all.filter(({ metadata }) => metadata.name.startsWith('cluster-')).length === count;
    };
    await api.patch('NginxOperator', 'cluster', { spec: { replicas: 2 } }, namespace);
    await until('two Pods', pods(2));
    await api.patch('NginxOperator', 'cluster', { spec: { replicas: 0 } }, namespace);
    await until('no Pod', pods(0));
    const conditions = await until('the status of the last generation', async () => {
      const { metadata, status } = await api.get('NginxOperator', 'cluster', namespace);
      const isLast = status?.conditions?.[0].observedGeneration === metadata.generation;
      return isLast && metadata.generation === 3 ? status.conditions : undefined;
    });
    expect(conditions).toMatchObject([
      { type: 'OperatorDegraded', status: 'False', reason: 'OperatorSucceeded' },
      { type: 'Ready', status: 'True', message: '0 of 0 Pods are ready' },
    ]);
    await api.delete('NginxOperator', 'cluster', namespace);
    await until(
      'the end of its Deployment',
      async () => (await api.get('Deployment', 'cluster', namespace)) === undefined,
    );
    expect(await operator.stop()).toBe(0);
  });

  test('AS8.7: make undeploy removes everything', async () => {
    const expected = await rendered('config/default');
    const gone = outcomes(await make('undeploy'));
    expect(Object.keys(gone).sort()).toEqual([...expected].sort());
    expect(new Set(Object.values(gone))).toEqual(new Set(['deleted']));
    expect(await api.get('Namespace', namespace)).toBeUndefined();
    expect(await api.get('CustomResourceDefinition', 'nginxoperators.operator.example.com')).toBeUndefined();
  });
});

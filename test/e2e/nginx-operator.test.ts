// The tutorial, from the packed tarball on: the project is made by the documented commands, the operator is the bundled one,
// it runs as the ServiceAccount of its generated role, and an independent client watches what it does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { apiOf, until } from '../../scripts/lib/api.mjs';
import { nginxProjectSteps } from '../../scripts/lib/nginx-project.mjs';
import { run } from '../../scripts/lib/run.mjs';
import { startControlPlane, type ControlPlane } from '../../src/testing/index.ts';
import { runCli } from '../helpers/run-cli.ts';
import { copyFreshProject } from '../helpers/shared-projects.ts';
import { startOperator, statusOf, type OperatorProcess } from '../helpers/operator-process.ts';

let scratch: string;
let project: string;
const read = (path: string): string => readFileSync(join(project, path), 'utf8');
const inProject = (...args: string[]) =>
  run('npx', ['--no-install', 'op-sdk', ...args], { cwd: project, capture: true });

let plane: ControlPlane;
let api: ReturnType<typeof apiOf>;
const steps: { title: string; action: () => Promise<unknown> }[] = [];

async function nextStep(): Promise<void> {
  await steps.shift()?.action();
}

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-nginx-'));
  project = join(scratch, 'nginx-operator');
  const init = { title: 'init, by npm exec of the tarball', action: () => copyFreshProject(project) };
  const [, ...others] = nginxProjectSteps({ folder: project, tarball: '', quiet: true });
  steps.push(init, ...others);
  plane = await startControlPlane({ controllerManager: true });
  api = apiOf(plane);
});

afterAll(async () => {
  await plane?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

describe('AS1: scaffold the project', () => {
  test('AS1.1 init makes the documented tree and PROJECT', async () => {
    await nextStep();
    const expected = [
      '.dockerignore',
      '.gitignore',
      'Dockerfile',
      'Makefile',
      'PROJECT',
      'README.md',
      'config',
      'package-lock.json',
      'package.json',
      'src',
      'test',
      'tsconfig.json',
    ];
    expect(readdirSync(project)).toEqual(expect.arrayContaining(expected));
    expect(parse(read('PROJECT'))).toMatchObject({
      version: '3',
      domain: 'example.com',
      repo: 'github.com/example/nginx-operator',
      projectName: 'nginx-operator',
    });
  });

  test('AS1.1 init in the project is refused and changes nothing', async () => {
    const before = read('PROJECT');
    const again = await inProject('init', '--domain', 'other.com', '-o', 'json');
    expect(again.code).toBe(1);
    expect(JSON.parse(again.output)).toMatchObject({ ok: false });
    expect(read('PROJECT')).toBe(before);
  });

  test('AS1.2 the project without an API starts: healthz, readyz, metrics; SIGTERM exits 0', async () => {
    expect((await run('npm', ['run', '--silent', 'build'], { cwd: project, quiet: true })).code).toBe(0);
    await using operator = await startOperator(project, plane.kubeconfig);
    await until('readyz', async () => (await statusOf(`${operator.health}/readyz`)) === 200);
    expect(await statusOf(`${operator.health}/healthz`)).toBe(200);
    const metrics = await fetch(`${operator.metrics}/metrics`);
    expect(metrics.status).toBe(200);
    expect(await metrics.text()).toContain('# TYPE controller_runtime_reconcile_total counter');
    expect(await operator.stop()).toBe(0);
  });

  test.each(['--leader-elect', '--metrics-secure'])(
    'AS1.2 %s, which is not built yet, exits 2',
    async (flag) => {
      await using operator = await startOperator(project, plane.kubeconfig, [flag]);
      await until('the end of the process', () => operator.process.exitCode !== null);
      expect(operator.process.exitCode).toBe(2);
      expect(operator.output()).toContain(flag);
    },
  );
});

describe('AS1.3: the other project', () => {
  test('mysite.com with WebApp: the API server serves webapps.myapp.mysite.com', async () => {
    const folder = mkdtempSync(join(scratch, 'simple-app-'));
    const init = [
      'init',
      '--domain',
      'mysite.com',
      '--repo',
      'github.com/sample/simple-app',
      '--project-name',
      'simple-app',
    ];
    expect(await runCli([...init, '--skip-install', '--opsdk', '*'], { cwd: folder })).toMatchObject({
      code: 0,
    });
    const api = [
      'create',
      'api',
      '--group',
      'myapp',
      '--version',
      'v1alpha1',
      '--kind',
      'WebApp',
      '--resource',
      '--controller',
    ];
    expect(await runCli(api, { cwd: folder })).toMatchObject({ code: 0 });
    await plane.installCrds([join(folder, 'config/crd/bases')]);
    expect(await apiOf(plane).get('CustomResourceDefinition', 'webapps.myapp.mysite.com')).toBeDefined();
  });
});

describe('AS2: create the API, edit the types, generate', () => {
  test('AS2.1 create api writes types, controller, test and sample, and registers the controller', async () => {
    await nextStep();
    for (const file of [
      'src/api/operator/v1alpha1/nginx-operator.ts',
      'src/controllers/operator/nginx-operator.ts',
      'test/controllers/operator/nginx-operator.test.ts',
      'config/samples/operator_v1alpha1_nginxoperator.yaml',
      'config/crd/bases/operator.example.com_nginxoperators.yaml',
    ]) {
      expect(existsSync(join(project, file)), file).toBe(true);
    }
    expect(read('src/main.ts')).toContain("from './controllers/operator/nginx-operator.ts'");
    expect(parse(read('PROJECT')).resources).toMatchObject([
      { group: 'operator', version: 'v1alpha1', kind: 'NginxOperator', controller: true },
    ]);
  });

  test('AS2.2, AS2.3 the edited types become the CRD', async () => {
    await nextStep();
    await nextStep();
    const crd = parse(read('config/crd/bases/operator.example.com_nginxoperators.yaml'));
    expect(crd.spec.versions[0].schema.openAPIV3Schema.properties.spec).toEqual({
      description: 'NginxOperatorSpec defines the desired state of NginxOperator',
      properties: {
        forceRedploy: {
          description:
            'ForceRedploy is any string, modifying this field instructs the Operator to redeploy the Operand',
          type: 'string',
        },
        port: {
          description: 'Port is the port number to expose on the Nginx Pod',
          format: 'int32',
          type: 'integer',
        },
        replicas: {
          description: 'Replicas is the number of deployment replicas to scale',
          format: 'int32',
          type: 'integer',
        },
      },
      type: 'object',
    });
    expect(crd.spec.versions[0].subresources).toEqual({ status: {} });
  });

  test.each([['test'], ['lint'], ['typecheck']])(
    'the edited project passes its own npm run %s',
    async (script) => {
      expect((await run('npm', ['run', '--silent', script], { cwd: project, quiet: true })).code).toBe(0);
    },
  );

  test("AS2.3 the tutorial's explicit rules become its role, which the API server takes", async () => {
    const folder = mkdtempSync(join(scratch, 'role-'));
    const init = [
      'init',
      '--domain',
      'example.com',
      '--project-name',
      'role',
      '--skip-install',
      '--opsdk',
      '*',
    ];
    expect(await runCli(init, { cwd: folder })).toMatchObject({ code: 0 });
    const api = ['create', 'api', '--group', 'operator', '--version', 'v1alpha1', '--kind', 'NginxOperator'];
    expect(await runCli(api, { cwd: folder })).toMatchObject({ code: 0 });
    writeFileSync(
      join(folder, 'src/controllers/operator/nginx-operator.ts'),
      `import { defineController } from 'opsdk';
import { NginxOperator } from '../../api/operator/v1alpha1/nginx-operator.ts';
const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] as const;
const group = 'operator.example.com';
export const nginxOperatorController = defineController({
  for: NginxOperator,
  rbac: [
    { groups: [group], resources: ['nginxoperators'], verbs: all },
    { groups: [group], resources: ['nginxoperators/status'], verbs: ['get', 'update', 'patch'] },
    { groups: [group], resources: ['nginxoperators/finalizers'], verbs: ['update'] },
    { groups: ['apps'], resources: ['deployments'], verbs: all },
  ],
  async reconcile() {},
});
`,
    );
    expect(await runCli(['generate', 'manifests'], { cwd: folder })).toMatchObject({ code: 0 });
    const [role] = await apiOf(plane).applyFile(join(folder, 'config/rbac/role.yaml'));
    const all = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
    expect(role.metadata.name).toBe('manager-role');
    expect(role.rules).toEqual([
      { apiGroups: ['apps'], resources: ['deployments'], verbs: all },
      { apiGroups: ['operator.example.com'], resources: ['nginxoperators'], verbs: all },
      { apiGroups: ['operator.example.com'], resources: ['nginxoperators/finalizers'], verbs: ['update'] },
      {
        apiGroups: ['operator.example.com'],
        resources: ['nginxoperators/status'],
        verbs: ['get', 'patch', 'update'],
      },
    ]);
  });

  test('AS2.4 the API server serves it, with the descriptions in /openapi/v3', async () => {
    await plane.installCrds([join(project, 'config/crd/bases')]);
    const schema = await until('the schema in /openapi/v3', async () => {
      const { status, body } = await api.request('GET', '/openapi/v3/apis/operator.example.com/v1alpha1');
      return status === 200
        ? body.components.schemas['com.example.operator.v1alpha1.NginxOperator']
        : undefined;
    });
    expect(schema.properties.spec.properties.port.description).toBe(
      'Port is the port number to expose on the Nginx Pod',
    );
  });

  test('AS2.4 with kubectl, where it is installed: explain and get', async (context) => {
    const { code } = await run('sh', ['-c', 'command -v kubectl'], { capture: true });
    if (code !== 0) return context.skip('kubectl is not installed');
    const explained = await run(
      'kubectl',
      ['explain', 'nginxoperators.spec', `--kubeconfig=${plane.kubeconfig}`],
      { capture: true },
    );
    expect(explained.output).toContain('Port is the port number to expose on the Nginx Pod');
  });

  const nginx = (spec: object) => ({
    apiVersion: 'operator.example.com/v1alpha1',
    kind: 'NginxOperator',
    metadata: { name: 'wrong', namespace: 'default' },
    spec,
  });
  const create = (object: object) =>
    api.request(
      'POST',
      '/apis/operator.example.com/v1alpha1/namespaces/default/nginxoperators?fieldValidation=Strict',
      object,
    );

  test('AS2.4 a value of the wrong type is refused', async () => {
    const { status, body } = await create(nginx({ port: 'eighty' }));
    expect(status).toBe(422);
    expect(body.message).toContain('spec.port in body must be of type integer');
  });

  test('AS2.4 an unknown field is refused under Strict', async () => {
    const { status, body } = await create(nginx({ forceRedeploy: 'x' }));
    expect(status).toBe(400);
    expect(body.message).toContain('unknown field "spec.forceRedeploy"');
  });

  // The tutorial's variation of the type, under another group, so that both live side by side.
  async function createWithPort(declaration: string, group: string) {
    const folder = mkdtempSync(join(scratch, 'port-'));
    mkdirSync(join(folder, 'api'));
    writeFileSync(
      join(folder, 'api', 'nginx-operator.ts'),
      `import { defineResource, type CustomResource, type Int32 } from 'opsdk';
export interface NginxOperatorSpec {
  ${declaration}
}
export interface NginxOperator extends CustomResource {
  spec: NginxOperatorSpec;
}
export const NginxOperator = defineResource<NginxOperator>({ group: '${group}', version: 'v1alpha1', kind: 'NginxOperator' });
`,
    );
    const generated = await runCli(
      ['generate', 'manifests', '--only', 'crd', '--apis-dir', 'api', '--output-dir', 'out'],
      { cwd: folder },
    );
    expect(generated).toMatchObject({ code: 0 });
    await plane.installCrds([join(folder, 'out')]);
    const object = {
      apiVersion: `${group}/v1alpha1`,
      kind: 'NginxOperator',
      metadata: { name: 'x' },
      spec: {},
    };
    return api.request('POST', `/apis/${group}/v1alpha1/namespaces/default/nginxoperators`, object);
  }

  test('AS2.5 a port with @default 8080 is filled in', async () => {
    const { status, body } = await createWithPort(
      '/** @default 8080 */\n  port?: Int32;',
      'defaulted.example.com',
    );
    expect(status).toBe(201);
    expect(body.spec).toEqual({ port: 8080 });
  });

  test('AS2.5 a required port with @default 8080 is filled in too', async () => {
    const { status, body } = await createWithPort(
      '/** @default 8080 */\n  port: Int32;',
      'required-defaulted.example.com',
    );
    expect(status).toBe(201);
    expect(body.spec).toEqual({ port: 8080 });
  });

  test('AS2.5 a required port without a default is demanded', async () => {
    const { status, body } = await createWithPort('port: Int32;', 'required.example.com');
    expect(status).toBe(422);
    expect(body.message).toContain('spec.port: Required value');
  });

  test('AS2.6 the guard of CI: an edited type makes --check fail, generating mends it, a second run changes nothing', async () => {
    const types = 'src/api/operator/v1alpha1/nginx-operator.ts';
    const crd = 'config/crd/bases/operator.example.com_nginxoperators.yaml';
    const [typesBefore, crdBefore] = [read(types), read(crd)];
    writeFileSync(join(project, types), typesBefore.replace('  port?: Int32;', '  port: Int32;'));
    try {
      expect((await inProject('generate', 'manifests', '--check')).code).toBe(1);
      expect(read(crd)).toBe(crdBefore);
      expect((await inProject('generate', 'manifests')).code).toBe(0);
      expect(read(crd)).not.toBe(crdBefore);
      expect((await inProject('generate', 'manifests', '--check')).code).toBe(0);
      const generated = read(crd);
      expect((await inProject('generate', 'manifests')).code).toBe(0);
      expect(read(crd)).toBe(generated);
    } finally {
      writeFileSync(join(project, types), typesBefore);
    }
    expect((await inProject('generate', 'manifests')).code).toBe(0);
    expect(read(crd)).toBe(crdBefore);
  });
});

describe('AS3: the reconcile loop', () => {
  let operator: OperatorProcess;
  const apply = (spec: object) =>
    api.apply({
      apiVersion: 'operator.example.com/v1alpha1',
      kind: 'NginxOperator',
      metadata: { name: 'cluster', namespace: 'default' },
      spec,
    });
  const deployment = () => api.get('Deployment', 'cluster');
  const replicas = async () => (await deployment())?.spec.replicas;

  beforeAll(async () => {
    while (steps.length > 0) await nextStep();
    await api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'system' } });
    for (const file of ['service_account.yaml', 'role.yaml', 'role_binding.yaml'])
      await api.applyFile(join(project, 'config/rbac', file));
    const { path } = await plane.serviceAccountKubeconfig('system', 'controller-manager');
    operator = await startOperator(project, path);
    await until('readyz', async () => (await statusOf(`${operator.health}/readyz`)) === 200);
  });

  afterAll(async () => {
    await operator?.stop();
  });

  test('AS3.a a resource with replicas: 1 gets its Deployment, owned by it', async () => {
    const nginx = await apply({ replicas: 1 });
    const made = await until('the Deployment', deployment);
    expect(made.spec.replicas).toBe(1);
    expect(made.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'operator.example.com/v1alpha1',
        kind: 'NginxOperator',
        name: 'cluster',
        uid: nginx.metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
  });

  test('AS3.b a deleted Deployment comes back', async () => {
    const { uid } = (await deployment()).metadata;
    await api.delete('Deployment', 'cluster');
    const made = await until('another Deployment', async () => {
      const found = await deployment();
      return found !== undefined && found.metadata.uid !== uid ? found : undefined;
    });
    expect(made.spec.replicas).toBe(1);
  });

  test("AS3.c a Deployment scaled by hand returns to the resource's value", async () => {
    await api.patch('Deployment', 'cluster', { spec: { replicas: 5 } });
    await until('1 replica again', async () => (await replicas()) === 1);
  });

  test('AS3.d zero is a value, absent is not', async () => {
    await apply({ replicas: 0 });
    await until('0 replicas', async () => (await replicas()) === 0);
    await api.patch('NginxOperator', 'cluster', { spec: { replicas: null } });
    await until("the asset's 1 replica", async () => (await replicas()) === 1);
  });

  test('AS3.e the port reaches the container', async () => {
    await apply({ replicas: 1, port: 8080 });
    await until(
      'port 8080',
      async () => (await deployment())?.spec.template.spec.containers[0].ports?.[0]?.containerPort === 8080,
    );
  });

  test('AS3.h no hot loop: what is stable stays untouched, and the counter of reconciles stops', async () => {
    const total = async (): Promise<number> => {
      const text = await (await fetch(`${operator.metrics}/metrics`)).text();
      const lines = text.split('\n').filter((line) => line.startsWith('controller_runtime_reconcile_total{'));
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    };
    // The controller manager needs a moment to write the status of the last change.
    let [before, count] = [await deployment(), await total()];
    await until('two seconds without a change', async () => {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      const [now, counted] = [await deployment(), await total()];
      const quiet = now.metadata.resourceVersion === before.metadata.resourceVersion && counted === count;
      [before, count] = [now, counted];
      return quiet;
    });
    await new Promise((resolve) => setTimeout(resolve, 5000));
    expect(await total()).toBe(count);
    expect((await deployment()).metadata).toMatchObject({
      resourceVersion: before.metadata.resourceVersion,
      generation: before.metadata.generation,
    });
    expect(count).toBeGreaterThan(0);
  });

  test('AS3.g the API server is killed and comes back: the operator goes on', async () => {
    const { pid } = operator.process;
    await plane.killApiServer('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await plane.restartApiServer();
    await apply({ replicas: 2 });
    await until('2 replicas', async () => (await replicas()) === 2, { timeout: 90_000 });
    expect(operator.process.exitCode).toBeNull();
    expect(operator.process.pid).toBe(pid);
  });

  test('AS3.g a transient error is retried with back-off until it passes', async () => {
    const binding = await api.get('ClusterRoleBinding', 'manager-rolebinding');
    await api.delete('ClusterRoleBinding', 'manager-rolebinding');
    await apply({ replicas: 4 });
    const failures = () => operator.log().filter((line) => line['msg'] === 'Reconciler error');
    const earlier = failures().length;
    await until('a failed reconcile', () => failures().length > earlier + 1);
    delete binding.metadata.resourceVersion;
    delete binding.metadata.uid;
    delete binding.metadata.managedFields;
    delete binding.metadata.creationTimestamp;
    await api.apply(binding);
    await until('4 replicas', async () => (await replicas()) === 4, { timeout: 90_000 });
  });

  test('AS3.f a deleted resource: reconcile is not called, the runtime says so, the Deployment is garbage-collected', async () => {
    await api.delete('NginxOperator', 'cluster');
    await until('no Deployment', async () => (await deployment()) === undefined, { timeout: 90_000 });
    await until('the log line', () =>
      operator.log().some((line) => line['msg'] === 'Object not found; skipping reconcile'),
    );
    const applied = operator.log().filter((line) => line['msg'] === 'Deployment applied').length;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(operator.log().filter((line) => line['msg'] === 'Deployment applied')).toHaveLength(applied);
  });

  test('SIGTERM drains and exits 0', async () => {
    expect(await operator.stop()).toBe(0);
  });
});

describe('development against a test control plane', () => {
  test('testenv run serves until it is interrupted, and leaves nothing', async () => {
    const file = join(scratch, 'kubeconfig');
    const child = spawn(
      process.execPath,
      ['node_modules/opsdk/bin/op-sdk.js', 'testenv', 'run', '--kubeconfig', file],
      {
        cwd: project,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let talk = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => (talk += part));
    await until(
      'the control plane',
      () => talk.includes(`export KUBECONFIG=${file}`) || child.exitCode !== null,
    );
    expect(child.exitCode, talk).toBeNull();
    await using operator = await startOperator(project, file);
    await until('a live operator', async () => (await statusOf(`${operator.health}/healthz`)) === 200);
    await operator.stop();
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(existsSync(file)).toBe(false);
  });
});

describe('the compiler of the project does not matter', () => {
  test('a project that has typescript 7 installed generates the same CRD', async () => {
    const install = ['install', '--no-save', '--legacy-peer-deps', '--no-audit', '--no-fund', 'typescript@7'];
    expect((await run('npm', install, { cwd: project, quiet: true })).code).toBe(0);
    expect(JSON.parse(read('node_modules/typescript/package.json')).version).toMatch(/^7\./);
    expect(await inProject('generate', 'manifests', '--check')).toMatchObject({ code: 0 });
  });
});

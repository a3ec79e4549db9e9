// The tutorial, from the packed tarball on: the project is made by the documented commands, one step after the other.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { apiOf, until } from '../../scripts/lib/api.mjs';
import { nginxProjectSteps } from '../../scripts/lib/nginx-project.mjs';
import { run } from '../../scripts/lib/run.mjs';
import { startControlPlane, type ControlPlane } from '../../src/testing/index.ts';
import { copyFreshProject } from '../helpers/shared-projects.ts';
import { startOperator, statusOf } from '../helpers/operator-process.ts';

let scratch: string;
let project: string;
const read = (path: string): string => readFileSync(join(project, path), 'utf8');
const inProject = (...args: string[]) =>
  run(join(project, 'node_modules/.bin/op-sdk'), args, { cwd: project, capture: true });

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
  plane = await startControlPlane();
  api = apiOf(plane);
});

afterAll(async () => {
  await plane?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

describe('AS1: scaffold the project', () => {
  test('AS1.1: init makes the documented tree and PROJECT', async () => {
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

  test('AS1.1: init in the project is refused and changes nothing', async () => {
    const before = read('PROJECT');
    const again = await inProject('init', '--domain', 'other.com', '-o', 'json');
    expect(again.code).toBe(1);
    expect(JSON.parse(again.output)).toMatchObject({ ok: false });
    expect(read('PROJECT')).toBe(before);
  });

  test('AS1.2: the project without an API starts: healthz, readyz, metrics; SIGTERM exits 0', async () => {
    expect((await run('npm', ['run', '--silent', 'build'], { cwd: project, quiet: true })).code).toBe(0);
    await using operator = await startOperator(project, plane.kubeconfig);
    await until('readyz', async () => (await statusOf(`${operator.health}/readyz`)) === 200);
    expect(await statusOf(`${operator.health}/healthz`)).toBe(200);
    const metrics = await fetch(`${operator.metrics}/metrics`);
    expect(metrics.status).toBe(200);
    expect(await metrics.text()).toContain('# TYPE controller_runtime_reconcile_total counter');
    expect(await operator.stop()).toBe(0);
  });

  test('AS7.a: --leader-elect needs a namespace for its Lease, and leads in it', async () => {
    await using lost = await startOperator(project, plane.kubeconfig, ['--leader-elect']);
    await until('the end of the process', () => lost.process.exitCode !== null);
    expect(lost.process.exitCode).toBe(1);
    expect(lost.output()).toContain('runtime/election-namespace');
    const env = { POD_NAMESPACE: 'default' };
    await using operator = await startOperator(project, plane.kubeconfig, ['--leader-elect'], env);
    await until('the lead', () => operator.log().some(({ msg }) => msg === 'Became the leader'));
    expect(await operator.stop()).toBe(0);
    expect(operator.log().some(({ msg }) => msg === 'Lease released')).toBe(true);
  });
});

describe('AS2: create the API, edit the types, generate', () => {
  test('AS2.1: create api writes types, controller, test and sample, and registers the controller', async () => {
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

  test('AS2.2, AS2.3: the edited types become the CRD', async () => {
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

  test('AS2.4: the API server serves it, with the descriptions in /openapi/v3', async () => {
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

  test('AS2.4: with kubectl, where it is installed: explain and get', async (context) => {
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

  test('AS2.4: a value of the wrong type is refused', async () => {
    const { status, body } = await create(nginx({ port: 'eighty' }));
    expect(status).toBe(422);
    expect(body.message).toContain('spec.port in body must be of type integer');
  });

  test('AS2.4: an unknown field is refused under Strict', async () => {
    const { status, body } = await create(nginx({ forceRedeploy: 'x' }));
    expect(status).toBe(400);
    expect(body.message).toContain('unknown field "spec.forceRedeploy"');
  });

  test('AS2.6: the guard of CI: an edited type makes --check fail, generating mends it, a second run changes nothing', async () => {
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

describe('the compiler of the project does not matter', () => {
  test('a project that has typescript 7 installed generates the same CRD', async () => {
    const install = ['install', '--no-save', '--legacy-peer-deps', '--no-audit', '--no-fund', 'typescript@7'];
    expect((await run('npm', install, { cwd: project, quiet: true })).code).toBe(0);
    expect(JSON.parse(read('node_modules/typescript/package.json')).version).toMatch(/^7\./);
    expect(await inProject('generate', 'manifests', '--check')).toMatchObject({ code: 0 });
  });
});

// Variations of the tutorial: what the API server makes of other names, other types and explicit rules.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiOf } from '../../../../scripts/lib/api.mjs';
import { applyCrds } from '../../../../src/testing/crds/apply-crds.ts';
import { readCrdFiles } from '../../../../src/testing/manifest-files.ts';
import { sharedControlPlane, type SharedControlPlane } from '../../../helpers/control-plane.ts';
import { runCli } from '../../../helpers/run-cli.ts';

let scratch: string;
let plane: SharedControlPlane;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-tutorial-'));
  plane = await sharedControlPlane();
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const installCrds = async (folder: string): Promise<void> => applyCrds(plane, await readCrdFiles([folder]));

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
    await installCrds(join(folder, 'config/crd/bases'));
    expect(await apiOf(plane).get('CustomResourceDefinition', 'webapps.myapp.mysite.com')).toBeDefined();
  });
});

describe('AS2: edited types and rules', () => {
  test("AS2.3: the tutorial's explicit rules become its role, which the API server takes", async () => {
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
      // For Events of failures.
      { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
      { apiGroups: ['operator.example.com'], resources: ['nginxoperators'], verbs: all },
      { apiGroups: ['operator.example.com'], resources: ['nginxoperators/finalizers'], verbs: ['update'] },
      {
        apiGroups: ['operator.example.com'],
        resources: ['nginxoperators/status'],
        verbs: ['get', 'patch', 'update'],
      },
    ]);
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
    await installCrds(join(folder, 'out'));
    const object = {
      apiVersion: `${group}/v1alpha1`,
      kind: 'NginxOperator',
      metadata: { name: 'x' },
      spec: {},
    };
    return apiOf(plane).request('POST', `/apis/${group}/v1alpha1/namespaces/default/nginxoperators`, object);
  }

  test('AS2.5: a port with @default 8080 is filled in', async () => {
    const { status, body } = await createWithPort(
      '/** @default 8080 */\n  port?: Int32;',
      'defaulted.example.com',
    );
    expect(status).toBe(201);
    expect(body.spec).toEqual({ port: 8080 });
  });

  test('AS2.5: a required port with @default 8080 is filled in too', async () => {
    const { status, body } = await createWithPort(
      '/** @default 8080 */\n  port: Int32;',
      'required-defaulted.example.com',
    );
    expect(status).toBe(201);
    expect(body.spec).toEqual({ port: 8080 });
  });

  test('AS2.5: a required port without a default is demanded', async () => {
    const { status, body } = await createWithPort('port: Int32;', 'required.example.com');
    expect(status).toBe(422);
    expect(body.message).toContain('spec.port: Required value');
  });
});

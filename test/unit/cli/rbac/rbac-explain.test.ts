// `op-sdk rbac explain`: the rules of a role and the lines that need them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../../../helpers/run-cli.ts';
import { projectFolder, type ProjectFolder } from '../../compiler/manifests/project-folder.ts';

const source = `import { defineController, rbac } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { ConfigMap } from 'opsdk/k8s/core/v1';
export const permissions = rbac([
  { groups: [''], resources: ['configmaps'], verbs: ['delete'] },
  { nonResourceURLs: ['/metrics'], verbs: ['get'] },
]);
export const controller = defineController({
  for: ConfigMap,
  owns: [Deployment],
  async reconcile(_, { client, key }) {
    await client.delete(ConfigMap, key);
  },
});
`;
let folder: ProjectFolder;
beforeAll(() => {
  folder = projectFolder({ 'src/main.ts': source });
});
afterAll(() => folder.remove());

const explain = (...flags: readonly string[]) => runCli(['rbac', 'explain', ...flags], { cwd: folder.dir });

test('each rule has its lines, and each line its rules', async () => {
  const { code, stdout } = await explain();
  expect(code).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    "get: /metrics
      get  src/main.ts:6:3 (rbac)

    delete, list, watch: configmaps
      delete       src/main.ts:5:3 (rbac)
      list, watch  src/main.ts:9:8 (for)
      delete       src/main.ts:12:11 (delete)

    update: configmaps/finalizers
      update  src/main.ts:10:10 (owns)

    list, watch: deployments.apps
      list, watch  src/main.ts:10:10 (owns)

    create, patch: events.events.k8s.io
      create, patch  src/main.ts:8:27 (defineController)

    By line

    src/main.ts:5:3 (rbac)
      delete: configmaps

    src/main.ts:6:3 (rbac)
      get: /metrics

    src/main.ts:8:27 (defineController)
      create, patch: events.events.k8s.io

    src/main.ts:9:8 (for)
      list, watch: configmaps

    src/main.ts:10:10 (owns)
      update: configmaps/finalizers
      list, watch: deployments.apps

    src/main.ts:12:11 (delete)
      delete: configmaps
    "
  `);
});

test('--rule takes what the output names, with or without verbs', async () => {
  const one = await explain('--rule', 'get, delete: configmaps', '-o', 'json');
  const { result } = JSON.parse(one.stdout) as {
    result: { rules: { verbs: string[]; lines: object[] }[]; lines: object[] };
  };
  expect(result.rules).toMatchObject([
    {
      group: '',
      resource: 'configmaps',
      verbs: ['delete'],
      lines: [
        { file: 'src/main.ts', line: 5, by: 'rbac', origin: 'explicit', verbs: ['delete'] },
        { file: 'src/main.ts', line: 12, by: 'delete', origin: 'call', verbs: ['delete'] },
      ],
    },
  ]);
  expect(result.lines).toHaveLength(2);
  expect((await explain('--rule', '/metrics')).stdout).toContain('get: /metrics\n');
});

test('a rule that no line needs is refused, with the closest one that is there', async () => {
  const { code, stderr } = await explain('--rule', 'configmap');
  expect(code).toBe(2);
  expect(stderr).toContain("error[cli/invalid-value]: no line of the sources needs 'configmap'");
  expect(stderr).toContain("did you mean 'configmaps'?");
});

test('in a project that needs no permissions, the fix for --rule names none', async () => {
  const empty = projectFolder({ 'src/main.ts': 'export {};\n' });
  try {
    const { code, stderr } = await runCli(['rbac', 'explain', '--rule', 'pods'], { cwd: empty.dir });
    expect(code).toBe(2);
    expect(stderr).toContain('leave out --rule: the sources need no permissions');
    expect(stderr).not.toContain('name one of');
  } finally {
    empty.remove();
  }
});

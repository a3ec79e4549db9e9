// `op-sdk generate helm` in a scaffolded project: what it writes, and that nobody's edits are lost.
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { getFileInfo } from 'prettier';
import { afterAll, describe, expect, test } from 'vitest';
import { runCli } from '../../helpers/run-cli.ts';
import { ScaffoldedProjects, type ScaffoldedProject } from '../../helpers/scaffolded-project.ts';

const projects = new ScaffoldedProjects();
afterAll(() => {
  projects.remove();
});

const generate = ['generate', 'helm'];

async function withChart(): Promise<ScaffoldedProject> {
  const project = await projects.create();
  await project.done(generate);
  return project;
}

describe('op-sdk generate helm', () => {
  test('writes a chart, and nothing the second time', async () => {
    const project = await withChart();
    const paths = Object.keys(project.tree()).filter(
      (path) => path.startsWith('chart/') && !path.endsWith('/'),
    );
    expect(paths).toMatchInlineSnapshot(`
      [
        "chart/.helmignore",
        "chart/.op-sdk/output.json",
        "chart/Chart.yaml",
        "chart/templates/NOTES.txt",
        "chart/templates/_helpers.tpl",
        "chart/templates/checks.yaml",
        "chart/templates/manager/controller-manager.yaml",
        "chart/templates/network/allow-metrics-traffic.yaml",
        "chart/templates/rbac/controller-manager.yaml",
        "chart/templates/rbac/leader-election-role.yaml",
        "chart/templates/rbac/leader-election-rolebinding.yaml",
        "chart/templates/rbac/manager-role.yaml",
        "chart/templates/rbac/manager-rolebinding.yaml",
        "chart/values.schema.json",
        "chart/values.yaml",
      ]
    `);
    const before = project.tree();
    await project.done(generate);
    expect(project.tree()).toEqual(before);
    await project.done([...generate, '--check']);
  });

  test('has the version of package.json, or another one', async () => {
    const project = await withChart();
    expect(project.read('chart/Chart.yaml')).toContain('\nversion: 0.0.1\n');
    await project.done([...generate, '--version', '1.2.3-rc.1']);
    expect(project.read('chart/Chart.yaml')).toContain('\nversion: 1.2.3-rc.1\n');
    await project.done([...generate, '--version', '1.2.3+build.7']);
    expect(project.read('chart/Chart.yaml')).toContain('\nversion: 1.2.3+build.7\n');
  });

  test('has the image of the deployment', async () => {
    const project = await projects.create();
    await project.done([...generate, '--image', 'registry.example.com/team/cache:v7']);
    expect(project.read('chart/values.yaml')).toContain('  repository: registry.example.com/team/cache\n');
    expect(project.read('chart/values.yaml')).toContain('  tag: v7\n');
    expect(project.read('config/manager/kustomization.yaml')).toContain('newTag: v7');
  });

  test('has the annotations of the ServiceAccount, and an account for a Deployment that names none', async () => {
    const project = await projects.create();
    project.edit('config/rbac/service_account.yaml', (text) =>
      text.replace('metadata:\n', 'metadata:\n  annotations:\n    example.com/role: cache\n'),
    );
    await project.done(generate);
    expect(project.read('chart/values.yaml')).toContain('  annotations:\n    example.com/role: cache\n');
    project.edit('config/manager/manager.yaml', (text) => text.replace(/\n *serviceAccountName: .*/, ''));
    await project.done(generate);
    expect(project.read('chart/values.yaml')).toContain('serviceAccount:\n  create: false\n');
  });

  test('--check fails for a chart that is older than the manifests, and writes nothing', async () => {
    const project = await withChart();
    project.edit('config/manager/manager.yaml', (text) => text.replace('replicas: 1', 'replicas: 2'));
    const findings = await project.refused([...generate, '--check']);
    expect(findings).toMatchObject([
      { code: 'manifests/out-of-date', where: { file: 'chart/.op-sdk/output.json' } },
      { code: 'manifests/out-of-date', where: { file: 'chart/values.yaml' } },
    ]);
  });

  test('is the same in a checkout of another name', async () => {
    const project = await withChart();
    const other = await projects.create();
    cpSync(project.folder, other.folder, { recursive: true });
    await other.done([...generate, '--check']);
  });

  test('generate manifests says so if the chart is out of date, and cannot be read', async () => {
    const project = await withChart();
    const manifests = async (): Promise<string> => (await project.done(['generate', 'manifests'])).stderr;
    expect(await manifests()).not.toContain('chart');
    project.edit('config/manager/manager.yaml', (text) => text.replace('replicas: 1', 'replicas: 2'));
    expect(await manifests()).toContain('chart is out of date: `op-sdk generate helm`');
    project.write('chart/.op-sdk/output.json', '{}');
    expect(await manifests()).toContain(
      'chart may be out of date: `op-sdk generate helm` fails, chart/.op-sdk',
    );
  });

  test('is left alone by the formatter of the project, which cannot read templates', async () => {
    const project = await withChart();
    const ignorePath = join(project.folder, '.prettierignore');
    for (const path of Object.keys(project.tree()).filter((each) => /^chart\/.*[^/]$/.test(each)))
      expect(await getFileInfo(join(project.folder, path), { ignorePath }), path).toMatchObject({
        ignored: true,
      });
  });

  test('is checked by the workflow of the project, and named by commands that change its sources', async () => {
    const project = await withChart();
    const record = Object.keys(project.tree()).find((path) => path.endsWith('/output.json'));
    expect(project.read('.github/workflows/test.yml')).toContain(`hashFiles('${record}')`);
    const api = ['create', 'api', '--group', 'cache', '--version', 'v1', '--kind', 'Proxy'];
    const { stderr } = await project.done([...api, '--resource', '--controller']);
    expect(stderr).toMatch(/^Next: .*op-sdk generate helm$/m);
    await project.done(generate);
    expect(Object.keys(project.tree())).toContain('chart/templates/crds/proxies.cache.example.com.yaml');
  });

  test('keeps edits when the manifests change', async () => {
    const project = await withChart();
    project.edit('chart/values.yaml', (text) =>
      text.replace('podLabels: {}', 'podLabels: { team: web } # ours'),
    );
    project.edit('config/manager/manager.yaml', (text) => text.replace('replicas: 1', 'replicas: 2'));
    await project.done(generate);
    expect(project.read('chart/values.yaml')).toContain('podLabels: { team: web } # ours\n');
    expect(project.read('chart/values.yaml')).toContain('replicas: 2\n');
  });

  test('fails for lines that both sides have changed, after it has written all', async () => {
    const project = await withChart();
    const path = 'chart/templates/manager/controller-manager.yaml';
    project.edit(path, (text) => text.replace('periodSeconds: 20', 'periodSeconds: 30'));
    project.edit('config/manager/manager.yaml', (text) =>
      text.replace('periodSeconds: 20', 'periodSeconds: 40'),
    );
    const run = await runCli([...generate, '-o', 'json'], { cwd: project.folder });
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({
      errors: [{ code: 'chart/conflict', where: { file: path } }],
    });
    expect(project.read(path)).toContain('<<<<<<< edited');
    expect(project.read(path)).toContain('periodSeconds: 40');
    // The marks are still there.
    for (const flags of [['--check'], ['--package']])
      expect((await runCli([...generate, ...flags], { cwd: project.folder })).code).toBe(1);
    expect(Object.keys(project.tree()).filter((each) => each.endsWith('.tgz'))).toEqual([]);
  });

  test('keeps the permissions of an operator that reviews tokens and holds Leases without metrics and election', async () => {
    const project = await projects.create();
    project.write(
      'config/rbac/role.yaml',
      [
        'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: manager-role }\nrules:',
        '- { apiGroups: [authentication.k8s.io], resources: [tokenreviews], verbs: [create] }',
        '- { apiGroups: [coordination.k8s.io], resources: [leases], verbs: [create] }',
        "- { apiGroups: [''], resources: [pods], verbs: [get] }\n",
      ].join('\n'),
    );
    await project.done(generate);
    const conditionOf = (role: string): string =>
      project.read(`chart/templates/rbac/${role}.yaml`).split('\n')[0] ?? '';
    expect(conditionOf('leader-election-role')).toContain('.Values.leaderElection.enabled');
    expect(conditionOf('manager-role')).not.toMatch(/metrics|leaderElection/);
  });

  test('has files for objects with names that are no names of files', async () => {
    const project = await projects.create();
    const role = (name: string): string =>
      `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: '${name}' }\nrules: []\n`;
    const names = ['../../../../src/main', '_hidden', 'system:node', '..'];
    project.write('config/rbac/more.yaml', names.map(role).join('---\n'));
    project.edit('config/rbac/kustomization.yaml', (text) =>
      text.replace('resources:\n', 'resources:\n- more.yaml\n'),
    );
    const before = project.read('src/main.ts');
    await project.done(generate);
    expect(project.read('src/main.ts')).toBe(before);
    const files = Object.keys(project.tree()).filter((path) => /^chart.*(?:main|hidden|node)/.test(path));
    expect(files.map((path) => path.slice('chart/templates/rbac/'.length))).toMatchInlineSnapshot(`
      [
        "--..-..-..-src-main.yaml",
        "-hidden.yaml",
        "system-node.yaml",
      ]
    `);
  });

  test('refuses a record that leads out of the chart', async () => {
    const project = await withChart();
    const text = project.read('src/main.ts');
    const files = gzipSync(JSON.stringify({ '../src/main.ts': text })).toString('base64');
    project.write('chart/.op-sdk/output.json', JSON.stringify({ format: 1, files }));
    expect(await project.refused(generate)).toMatchObject([{ code: 'chart/bad-record' }]);
  });

  test('refuses a folder with files of somebody else, and writes nothing', async () => {
    const project = await projects.create();
    project.write('chart/Chart.yaml', 'name: mine\n');
    const findings = await project.refused(generate);
    expect(findings).toMatchObject([{ code: 'scaffold/file-exists', where: { file: 'chart/Chart.yaml' } }]);
    await project.done([...generate, '--output-dir', 'deploy/chart']);
  });

  test('may be outside of the project, but not around it', async () => {
    const project = await projects.create();
    const outside = ['--output-dir', `${project.folder}-chart`];
    await project.done([...generate, ...outside]);
    await project.done([...generate, ...outside, '--package']);
    await project.done([...generate, ...outside, '--check']);
    for (const folder of ['.', '', '..', '/'])
      expect(await project.refused([...generate, '--output-dir', folder], 2)).toMatchObject([
        { code: 'cli/invalid-value', where: { flag: '--output-dir' } },
      ]);
  });

  test('writes the image only if the chart can be written', async () => {
    const project = await projects.create();
    project.write('chart/Chart.yaml', 'name: mine\n');
    const image = ['--image', 'registry.example.com/team/cache:v7'];
    await project.refused([...generate, ...image]);
    await project.done([...generate, ...image, '--force']);
    expect(project.read('config/manager/kustomization.yaml')).toContain('newTag: v7');
    expect(project.read('chart/Chart.yaml.orig')).toBe('name: mine\n');
  });

  test('--package writes the package of the chart with its edits, and nothing the second time', async () => {
    const project = await withChart();
    project.write('chart/README.md', '# Cache\n');
    await project.done([...generate, '--package']);
    const before = project.tree();
    expect(Object.keys(before)).toContain('dist/cache-operator-0.0.1.tgz');
    await project.done([...generate, '--package']);
    expect(project.tree()).toEqual(before);
    project.edit('chart/README.md', () => '# Our cache\n');
    await project.done([...generate, '--package']);
    expect(project.tree()).not.toEqual(before);
  });

  test('--repository-index keeps what the index has, and refuses another package of a version', async () => {
    const project = await withChart();
    const publish = [...generate, '--repository-index', 'public'];
    const others = 'apiVersion: v1\nentries:\n  web:\n  - version: one\n  - version: 1.0.0\nours: 1\n';
    project.write('public/index.yaml', others);
    await project.done(publish);
    const index = project.read('public/index.yaml');
    expect(index).toContain('  web:\n  - version: one\n  - version: 1.0.0\n');
    expect(index).toContain('ours: 1\n');
    expect(index).toContain('    - cache-operator-0.0.1.tgz\n');
    await project.done(publish);
    expect(project.read('public/index.yaml')).toBe(index);
    project.write('chart/README.md', '# Cache\n');
    expect(await project.refused(publish)).toMatchObject([
      { code: 'chart/version-exists', where: { file: 'public/index.yaml' } },
    ]);
    await project.done([...publish, '--force']);
    expect(project.read('public/index.yaml')).not.toBe(index);
    project.write('public/index.yaml', 'entries: 1\n');
    expect(await project.refused(publish)).toMatchObject([{ code: 'chart/bad-index' }]);
  });

  test('refuses to package links that lead nowhere, around in circles, or out of the project', async () => {
    const project = await withChart();
    for (const [name, target] of [
      ['nothing', 'missing'],
      ['password', '/etc/passwd'],
      ['loop', '.'],
      ['inside', '../package.json'],
    ] as const)
      symlinkSync(target, join(project.folder, 'chart', name));
    const links = await runCli([...generate, '--package', '-o', 'json'], { cwd: project.folder });
    const { errors } = JSON.parse(links.stdout) as { errors: { message: string }[] };
    expect(errors.map(({ message }) => message)).toEqual([
      'chart/loop is a symbolic link to a folder around it',
      'chart/nothing is a symbolic link to nothing',
      'chart/password is a symbolic link that leads out of the project',
    ]);
  });

  test('refuses to package what Helm would not, all at once, before anything is written', async () => {
    const project = await withChart();
    project.edit('chart/Chart.yaml', (text) =>
      text.replace(/^version: .*$/m, 'version: one').replace(/^appVersion: .*$/m, 'appVersion: 1.5'),
    );
    project.write('chart/charts/web/Chart.yaml', 'name: web\n');
    project.edit('config/manager/manager.yaml', (text) => text.replace('replicas: 1', 'replicas: 2'));
    const findings = await project.refused([...generate, '--package']);
    expect(findings).toMatchObject([
      {
        code: 'chart/cannot-package',
        message: expect.stringContaining('version: expected a semantic version'),
      },
      { code: 'chart/cannot-package', message: expect.stringContaining('appVersion: expected a text') },
      { code: 'chart/cannot-package', where: { file: 'chart/charts/web/Chart.yaml' } },
    ]);
    project.write('chart/.helmignore', 'a/**\n');
    expect(await project.refused([...generate, '--package'])).toMatchObject([
      { code: 'chart/cannot-package', where: { file: 'chart/.helmignore' } },
    ]);
  });

  test('refuses flags that do not fit together, all at once', async () => {
    const project = await projects.create();
    const flags = ['--check', '--package', '--push', 'registry.example.com/charts', '--url', 'charts'];
    expect(await project.refused([...generate, ...flags], 2)).toMatchObject([
      { where: { flag: '--check' } },
      { where: { flag: '--push' } },
      { where: { flag: '--url' } },
      { where: { flag: '--url' } },
    ]);
  });

  test('refuses what cannot be: a version, two flags, a kustomization without the operator', async () => {
    const project = await projects.create();
    expect(await project.refused([...generate, '--version', '1'], 2)).toMatchObject([
      { code: 'cli/invalid-value', where: { flag: '--version' } },
    ]);
    expect(await project.refused([...generate, '--check', '--force'], 2)).toMatchObject([
      { code: 'cli/invalid-value' },
    ]);
    project.edit('config/default/kustomization.yaml', (text) => text.replace('- ../manager\n', ''));
    expect(await project.refused(generate)).toMatchObject([{ code: 'chart/no-manager' }]);
  });
});

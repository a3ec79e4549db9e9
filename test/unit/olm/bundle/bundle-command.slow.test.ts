import { afterEach, describe, expect, test } from 'vitest';
import { parseYaml } from '../../../../src/kubernetes/yaml/read-yaml.ts';
import { runCli, type CliRun } from '../../../helpers/run-cli.ts';
import { treeOf } from '../../../helpers/tree.ts';
import { projectFolder, type ProjectFolder } from '../../compiler/manifests/project-folder.ts';
import { goldenObjects } from './objects.ts';

const folders: ProjectFolder[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

/** A project with the objects of the tutorial in one file. */
function project(files: Record<string, string> = {}): ProjectFolder {
  const folder = projectFolder({ 'objects.yaml': goldenObjects('nginx-operator'), ...files });
  folder.write('PROJECT', folder.read('PROJECT').replace('sample', 'nginx-operator'));
  folders.push(folder);
  return folder;
}

const run = (
  folder: ProjectFolder,
  flags: readonly string[] = [],
  options: { env?: Record<string, string>; stdin?: string } = {},
): Promise<CliRun> =>
  runCli(['generate', 'bundle', '--version', '0.0.1', '-f', 'objects.yaml', ...flags], {
    cwd: folder.dir,
    ...options,
  });

const csv = 'bundle/manifests/nginx-operator.clusterserviceversion.yaml';
const annotations = 'bundle/metadata/annotations.yaml';

describe('generate bundle', () => {
  test('writes the bundle, and nothing the second time', async () => {
    const folder = project();
    const first = await run(folder);
    expect(first.code, first.stderr).toBe(0);
    expect(Object.keys(treeOf(folder.dir)).filter((path) => path.startsWith('bundle'))).toEqual([
      'bundle/',
      'bundle/manifests/',
      'bundle/manifests/nginx-operator-controller-manager-metrics-monitor_monitoring.coreos.com_v1_servicemonitor.yaml',
      'bundle/manifests/nginx-operator-controller-manager-metrics-service_v1_service.yaml',
      csv,
      'bundle/manifests/operator.example.com_nginxoperators.yaml',
      'bundle/metadata/',
      annotations,
      'bundle/tests/',
      'bundle/tests/scorecard/',
      'bundle/tests/scorecard/config.yaml',
      'bundle.Dockerfile',
    ]);
    expect(first.stderr).toContain('Bundle metadata generated successfully');
    expect(folder.read(annotations)).toContain('project_layout: typescript.opsdk.dev/v1');
    const before = treeOf(folder.dir);
    const second = await run(folder, ['-o', 'json']);
    const { result } = JSON.parse(second.stdout) as { result: { files: { action: string }[] } };
    expect(new Set(result.files.map(({ action }) => action))).toEqual(new Set(['unchanged']));
    expect(treeOf(folder.dir)).toEqual(before);
  });

  test.each([
    [
      'layout:\n- go.kubebuilder.io/v4\n- helm.kubebuilder.io/v1-alpha\n',
      'go.kubebuilder.io/v4,helm.kubebuilder.io/v1-alpha',
    ],
    ['layout: go.kubebuilder.io/v3\n', 'go.kubebuilder.io/v3'],
  ])('bundles the objects of a project in Go: %j', async (layout, expected) => {
    const folder = project();
    folder.write(
      'PROJECT',
      `${layout}domain: example.com\nprojectName: theirs\nrepo: example.com/theirs\nresources:\n- kind: X\n  webhooks: {}\nversion: "3"\n`,
    );
    const { code, stderr } = await run(folder, ['--package', 'nginx-operator']);
    expect(code, stderr).toBe(0);
    expect(folder.read(annotations)).toContain(`project_layout: ${expected}`);
    expect(folder.read(csv)).toContain(`project_layout: ${expected}`);
  });

  test.each([
    ['projectName: nginx-operator\n', 0, 'Bundle metadata generated successfully'],
    ['', 2, 'expected the name of a package in PROJECT as projectName, got none'],
    ['projectName: My_Operator\n', 2, 'as projectName, got "My_Operator"'],
  ])('a project in Go names its package: %j', async (name, expected, output) => {
    const folder = project();
    folder.write('PROJECT', `layout:\n- go.kubebuilder.io/v4\n${name}version: "3"\n`);
    const { code, stderr } = await run(folder);
    expect(code, stderr).toBe(expected);
    expect(stderr).toContain(output);
  });

  test('the labels of the Dockerfile are the annotations', async () => {
    const folder = project();
    const { code, stderr } = await run(folder, ['--channels', 'alpha, beta', '--default-channel', 'beta']);
    expect(code, stderr).toBe(0);
    const { value } = parseYaml(folder.read(annotations), annotations) as {
      value: { annotations: Record<string, string> };
    };
    const labels = folder
      .read('bundle.Dockerfile')
      .split('\n')
      .flatMap((line) => (line.startsWith('LABEL ') ? [line.slice('LABEL '.length)] : []));
    expect(labels.sort()).toEqual(
      Object.entries(value.annotations)
        .map(([key, text]) => `${key}=${text}`)
        .sort(),
    );
    expect(labels).toContain('operators.operatorframework.io.bundle.channels.v1=alpha,beta');
    expect(labels).toContain('operators.operatorframework.io.bundle.channel.default.v1=beta');
  });

  test('deletes what it wrote and writes no more; what others wrote stays, with a word', async () => {
    const folder = project();
    await run(folder);
    const role =
      'bundle/manifests/nginx-operator-nginxoperator-viewer-role_rbac.authorization.k8s.io_v1_clusterrole.yaml';
    const service = 'bundle/manifests/nginx-operator-controller-manager-metrics-service_v1_service.yaml';
    folder.write(service, `${folder.read(service)}# edited\n`);
    folder.write('bundle/manifests/mine.yaml', 'kind: Secret\n');
    const objects = folder.read('objects.yaml').split('\n---\n');
    const kept = objects.filter(
      (text) =>
        !/name: nginx-operator-(?:nginxoperator-viewer-role|controller-manager-metrics-service)\n/.test(
          text,
        ) && !text.includes('kind: Configuration'),
    );
    folder.write('objects.yaml', kept.join('\n---\n'));
    const { code, stderr } = await run(folder);
    expect(code, stderr).toBe(0);
    expect(folder.exists(role)).toBe(false);
    expect(folder.exists('bundle/tests/scorecard/config.yaml')).toBe(false);
    expect(folder.read(annotations)).not.toContain('scorecard');
    expect(folder.exists(service)).toBe(true);
    expect(folder.exists('bundle/manifests/mine.yaml')).toBe(true);
    expect(
      stderr
        .match(/warning\[bundle\/unknown-file\][^\n]*\n {2}at (\S+)/g)
        ?.map((text) => text.split(' at ')[1]),
    ).toEqual(['bundle/manifests/mine.yaml', service]);
  });

  test("keeps annotations of the user's own, and makes labels of them", async () => {
    const folder = project();
    await run(folder);
    folder.write(annotations, `${folder.read(annotations)}  com.redhat.openshift.versions: v4.12\n`);
    await run(folder);
    expect(folder.read(annotations)).toContain('  com.redhat.openshift.versions: v4.12\n');
    expect(folder.read('bundle.Dockerfile')).toContain('LABEL com.redhat.openshift.versions=v4.12\n');
    for (const broken of ['annotations: [1]\n', 'annotations: {-x: y}\n', 'annotations: {a: "b\\nc"}\n']) {
      folder.write(annotations, broken);
      const refused = await run(folder);
      expect(refused.code, refused.stderr).toBe(1);
      expect(refused.stderr).toContain(`at ${annotations}:1:`);
    }
  });

  test('tells what somebody wrote into the Dockerfile and is gone, once', async () => {
    const folder = project();
    await run(folder);
    const fresh = folder.read('bundle.Dockerfile');
    const mine = 'LABEL "com.example.a"="b" \\\n  com.example.c=d\nUSER 1000\n# a remark\n';
    folder.write('bundle.Dockerfile', fresh + mine);
    const { stderr, code } = await run(folder, ['--channels', 'beta']);
    expect(code).toBe(0);
    expect(folder.read('bundle.Dockerfile')).toBe(fresh.replace('v1=alpha', 'v1=beta'));
    expect(stderr.match(/^warning\[bundle\/dockerfile-edited\].*$/gm)).toEqual([
      expect.stringContaining('the label com.example.a was not written by op-sdk, and was lost'),
      expect.stringContaining('the label com.example.c was not written by op-sdk, and was lost'),
      expect.stringContaining('"USER 1000" was not written by op-sdk, and was lost'),
    ]);
    const again = await run(folder, ['--channels', 'beta']);
    expect(again.stderr).not.toContain('dockerfile-edited');
  });

  test('--overwrite=false leaves the metadata alone', async () => {
    const folder = project();
    await run(folder);
    folder.write(annotations, 'annotations: {mine: yes-it-is}\n');
    const { code, stderr } = await run(folder, ['--overwrite=false', '--channels', 'beta']);
    expect(code, stderr).toBe(0);
    expect(folder.read(annotations)).toBe('annotations: {mine: yes-it-is}\n');
  });

  test('reads standard input only with -f -', async () => {
    const folder = project();
    const piped = await run(folder, ['--stdout', '-f', '-'], { stdin: 'not: an object' });
    expect(piped.code).toBe(1);
    expect(piped.stderr).toContain('at -:1:1');
    const unread = await run(folder, ['--stdout'], { stdin: 'not: an object' });
    expect(unread.code, unread.stderr).toBe(0);
  });

  test('--stdout prints the manifests and writes nothing', async () => {
    const folder = project();
    const before = treeOf(folder.dir);
    const { code, stdout } = await run(folder, ['--stdout']);
    expect(code).toBe(0);
    expect(stdout.match(/^kind: /gm)).toHaveLength(4);
    expect(treeOf(folder.dir)).toEqual(before);
  });

  test('reads folders, and the CustomResourceDefinitions from another one', async () => {
    const folder = project();
    const objects = goldenObjects('nginx-operator').split('\n---\n');
    const isCrd = (text: string): boolean => text.includes('kind: CustomResourceDefinition');
    folder.write('deploy/all.yaml', objects.filter((text) => !isCrd(text)).join('\n---\n'));
    folder.write('deploy/README.md', 'not read');
    folder.write('crds/deeper/crd.yml', objects.filter(isCrd).join('\n---\n'));
    const from = (...flags: string[]) =>
      runCli(['generate', 'bundle', '--version', '0.0.1', ...flags], { cwd: folder.dir });
    const { code, stderr } = await from('--deploy-dir', 'deploy', '--crds-dir', 'crds');
    expect(code, stderr).toBe(0);
    const written = folder.read(csv);
    await run(folder);
    expect(folder.read(csv)).toBe(written);
    expect((await from('--input-dir', 'nowhere')).stderr).toContain(
      '--input-dir nowhere cannot be read: ENOENT',
    );
  });

  test('takes the base from config/manifests where the objects have none, and needs no PROJECT', async () => {
    const folder = project();
    const objects = goldenObjects('nginx-operator').split('\n---\n');
    folder.write('objects.yaml', objects.slice(0, -1).join('\n---\n'));
    folder.write('config/manifests/bases/nginx-operator.clusterserviceversion.yaml', objects.at(-1) ?? '');
    await run(folder);
    const withProject = folder.read(csv);
    expect(withProject).toContain('displayName: Nginx Operator');
    const alone = projectFolder({ 'objects.yaml': goldenObjects('nginx-operator') });
    folders.push(alone);
    await runCli(['version'], { cwd: alone.dir });
    expect((await run(alone, ['--package', 'other'])).code).toBe(1);
  });

  test('renders config/manifests by default', async () => {
    const folder = project();
    const render = () => runCli(['generate', 'bundle', '--version', '0.0.1'], { cwd: folder.dir });
    const missing = await render();
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('error[bundle/no-kustomization]');
    const image = 'images:\n- name: registry.example.com/nginx-operator\n  newTag: v9\n';
    folder.write('config/manifests/kustomization.yaml', `resources:\n- all.yaml\n${image}`);
    folder.write('config/manifests/all.yaml', goldenObjects('nginx-operator'));
    const { code, stderr } = await render();
    expect(code, stderr).toBe(0);
    expect(folder.read(csv)).toContain('image: registry.example.com/nginx-operator:v9');
  });

  test('createdAt is the time of SOURCE_DATE_EPOCH', async () => {
    const folder = project();
    await run(folder, [], { env: { SOURCE_DATE_EPOCH: '1767323045' } });
    expect(folder.read(csv)).toContain('createdAt: "2026-01-02T03:04:05Z"');
    expect((await run(folder, [], { env: { SOURCE_DATE_EPOCH: 'now' } })).code).toBe(2);
  });

  test('a refused bundle changes nothing', async () => {
    const folder = project();
    await run(folder);
    const before = treeOf(folder.dir);
    folder.write(
      'objects.yaml',
      goldenObjects('nginx-operator').replace('kind: Deployment', 'kind: StatefulSet'),
    );
    const { code, stderr } = await run(folder);
    expect(code).toBe(1);
    expect(stderr).toContain('error[bundle/no-deployment]');
    expect(stderr).toMatch(/at objects\.yaml:\d+:1/);
    folder.write('objects.yaml', goldenObjects('nginx-operator'));
    expect(treeOf(folder.dir)).toEqual(before);
  });

  test('tells all wrong flags at once', async () => {
    const folder = project();
    const { code, stderr } = await runCli(
      [
        ...['generate', 'bundle', '--version', 'v1.0', '--channels', 'Alpha,b', '--default-channel', 'c'],
        ...['-f', 'x.yaml', '--input-dir', 'x', '--crds-dir', 'y', '--output-dir', '/', '--stdout'],
      ],
      { cwd: folder.dir },
    );
    expect(code).toBe(2);
    expect([...stderr.matchAll(/ {2}at (\S+)/g)].map((match) => match[1])).toEqual([
      '--version',
      '--channels',
      '--default-channel',
      '--output-dir',
      '--filename',
      '--stdout',
      '--crds-dir',
    ]);
    expect((await runCli(['generate', 'bundle'], { cwd: folder.dir })).stderr).toContain(
      '--version is missing',
    );
  });

  test.each([
    ['1.2.3', true],
    ['0.0.1-rc.1', true],
    ['1.2.3-0a', true],
    ['1.2', false],
    ['01.2.3', false],
    ['1.2.3-01', false],
    ['1.2.3+build', false],
    ['1.2.3-RC1', false],
    ['v1.2.3', false],
    ['1.2.3-', false],
    ['', false],
  ])('version %j', async (version, fits) => {
    const folder = project();
    const { code } = await run(folder, ['--version', version, '--stdout']);
    expect(code).toBe(fits ? 0 : 2);
  });
});

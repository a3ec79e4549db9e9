import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parseYaml } from '../../../../src/kubernetes/yaml/read-yaml.ts';
import { pushImage } from '../../../../src/images/registry/push-image.ts';
import { runCli, type CliRun } from '../../../helpers/run-cli.ts';
import { app, quickOptions, scriptedRegistry, testImage } from '../../../helpers/scripted-registry.ts';
import { treeOf } from '../../../helpers/tree.ts';
import { projectFolder, type ProjectFolder } from '../../compiler/manifests/project-folder.ts';
import { goldenObjects } from './objects.ts';

const folders: ProjectFolder[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

function project(files: Record<string, string> = {}): ProjectFolder {
  const folder = projectFolder({ 'objects.yaml': goldenObjects('nginx-operator'), ...files });
  folder.write('PROJECT', folder.read('PROJECT').replace('sample', 'nginx-operator'));
  folders.push(folder);
  return folder;
}

const generate = ['generate', 'bundle', '--version', '0.0.2', '-f', 'objects.yaml'];
const run = (folder: ProjectFolder, ...flags: string[]): Promise<CliRun> =>
  runCli([...generate, ...flags], { cwd: folder.dir });

const csvFile = 'bundle/manifests/nginx-operator.clusterserviceversion.yaml';

interface Csv {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>> & {
    readonly install: {
      readonly spec: {
        readonly deployments: readonly {
          readonly spec: {
            readonly template: { readonly spec: { readonly containers: readonly unknown[] } };
          };
        }[];
      };
    };
  };
}
const csvOf = (folder: ProjectFolder): Csv => parseYaml(folder.read(csvFile), csvFile).value as Csv;

describe('what a release says of others', () => {
  test('flags count more than package.json, and that more than the base', async () => {
    const opsdk = { replaces: 'nginx-operator.v0.0.0', skipRange: '<0.0.2', minKubeVersion: '1.33.0' };
    const folder = project({ 'package.json': JSON.stringify({ name: 'x', opsdk }) });
    const { code, stderr } = await run(
      folder,
      ...[
        '--replaces',
        'nginx-operator.v0.0.1',
        '--skips',
        'nginx-operator.v0.0.1-rc.1, nginx-operator.v0.0.1-rc.2',
      ],
    );
    expect(code, stderr).toBe(0);
    const { metadata, spec } = csvOf(folder);
    expect(spec['replaces']).toBe('nginx-operator.v0.0.1');
    expect(spec['skips']).toEqual(['nginx-operator.v0.0.1-rc.1', 'nginx-operator.v0.0.1-rc.2']);
    expect(spec['minKubeVersion']).toBe('1.33.0');
    expect(metadata.annotations['olm.skipRange']).toBe('<0.0.2');
  });

  test('all that is wrong is said at once', async () => {
    const { code, stderr } = await run(
      project(),
      ...['--replaces', 'Nginx', '--skips', 'a.v1,B', '--skip-range', 'newer', '--min-kube-version', '1.32'],
    );
    expect(code).toBe(2);
    expect(stderr.match(/^error\[.*$/gm)).toEqual([
      expect.stringMatching(/--replaces is "Nginx": it is not the name of a ClusterServiceVersion: /),
      expect.stringMatching(/--skips is "B": it is not the name of a ClusterServiceVersion: /),
      expect.stringContaining('--skip-range is "newer": it is not a range of semantic versions'),
      expect.stringContaining('--min-kube-version is "1.32": it is not a semantic version of three numbers'),
    ]);
  });

  test.each(['', ','])('no names in --skips %j', async (list) => {
    const { code, stderr } = await run(project(), '--skips', list);
    expect(code).toBe(2);
    expect(stderr).toContain('--skips is "": it is not the name of a ClusterServiceVersion: ');
  });

  test('package.json is read as strictly', async () => {
    const opsdk = { skips: ['nginx-operator.v1', 'No'], minKubeVersion: 1.32 };
    const folder = project({ 'package.json': JSON.stringify({ name: 'x', opsdk }) });
    const { code, stderr } = await run(folder);
    expect(code).toBe(1);
    expect(stderr).toContain('"No": it is not the name of a ClusterServiceVersion');
    expect(stderr).toContain('opsdk.minKubeVersion: expected a string, got a number');
    expect(stderr).toContain('`op-sdk generate bundle --help`');
  });

  test.each(['--replaces', '--skips'])('a version is not the update of itself by %s', async (flag) => {
    const { code, stderr } = await run(project(), flag, 'nginx-operator.v0.0.2');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'names nginx-operator.v0.0.2, the version of this bundle itself; expected another version',
    );
  });
});

describe('createdAt', () => {
  const time = /createdAt: "(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"/;
  const old = 'createdAt: "2020-01-02T03:04:05Z"';

  test('changes when something else does, and only then', async () => {
    const folder = project();
    await run(folder);
    expect(folder.read(csvFile)).toMatch(time);
    folder.write(csvFile, folder.read(csvFile).replace(time, old));
    const before = treeOf(folder.dir);
    await run(folder);
    expect(treeOf(folder.dir)).toEqual(before);
    await run(folder, '--channels', 'beta');
    expect(folder.read(csvFile)).not.toContain(old);
    expect(folder.read(csvFile)).toMatch(time);
  });

  test('of the base stays', async () => {
    const objects = goldenObjects('nginx-operator');
    const folder = project({
      'objects.yaml': objects.replace('    capabilities:', `    ${old}\n    capabilities:`),
    });
    await run(folder);
    await run(folder, '--channels', 'beta');
    expect(folder.read(csvFile)).toContain(old);
  });
});

describe('dependencies.yaml and properties.yaml', () => {
  const dependencies = 'config/manifests/bases/dependencies.yaml';
  const written = 'bundle/metadata/dependencies.yaml';
  const text = 'dependencies:\n- type: olm.package\n  value: {packageName: etcd, version: ">=0.9.0"}\n';

  test('come from the folder of the base, and go with it', async () => {
    const folder = project({ [dependencies]: text });
    const { code, stderr } = await run(folder);
    expect(code, stderr).toBe(0);
    expect(parseYaml(folder.read(written), written).value).toEqual(parseYaml(text, 'x').value);
    const before = treeOf(folder.dir);
    await run(folder);
    expect(treeOf(folder.dir)).toEqual(before);
    rmSync(join(folder.dir, dependencies));
    await run(folder);
    expect(folder.exists(written)).toBe(false);
  });

  test('that somebody wrote into the bundle stay, and are not replaced', async () => {
    const folder = project();
    await run(folder);
    const mine = `# mine\n${text}`;
    folder.write(written, mine);
    expect((await run(folder)).code).toBe(0);
    folder.write(dependencies, text);
    const { code, stderr } = await run(folder);
    expect(code).toBe(1);
    expect(stderr).toContain('this file would be overwritten from config/manifests/bases/dependencies.yaml');
    expect(folder.read(written)).toBe(mine);
  });

  test('are judged before anything is written, at the file that people write', async () => {
    const folder = project({ [dependencies]: text.replace('olm.package', 'olm.packages') });
    const { code, stderr } = await run(folder);
    expect(code).toBe(1);
    expect(stderr).toContain('error[bundle/invalid-dependency]');
    expect(stderr).toContain(`at ${dependencies}`);
    expect(folder.exists('bundle')).toBe(false);
    folder.write(dependencies, 'dependencies: {}\n');
    expect((await run(folder)).stderr).toContain('expected a list `dependencies`');
  });
});

describe('what OLM v1 would refuse', () => {
  const warningsOf = (stderr: string): readonly string[] =>
    stderr.match(/^warning\[bundle\/not-for-olm-v1\].*$/gm) ?? [];

  test('is said, all of it', async () => {
    const other =
      'apiservicedefinitions:\n    owned: [{name: v1.x.example.com, kind: X, version: v1, group: x.example.com, deploymentName: nginx-operator-controller-manager}]\n  installModes: [{type: OwnNamespace, supported: true}]\n';
    const folder = project({
      'objects.yaml': goldenObjects('nginx-operator').replace('apiservicedefinitions: {}\n', other),
      'config/manifests/bases/dependencies.yaml':
        'dependencies:\n- {type: olm.package, value: {packageName: etcd, version: ">=0.9.0"}}\n',
    });
    const { stderr } = await run(folder);
    expect(warningsOf(stderr)).toEqual([
      expect.stringContaining('does not support AllNamespaces'),
      expect.stringContaining('it owns API services'),
      expect.stringContaining('it depends on other packages'),
    ]);
    expect(stderr).toContain('at config/manifests/bases/dependencies.yaml');
  });

  test('is nothing of an untouched project', async () => {
    expect(warningsOf((await run(project())).stderr)).toEqual([]);
  });
});

describe("roles for the operator's users", () => {
  const role = (kind: string): string =>
    `bundle/manifests/nginx-operator-nginxoperator-${kind}-role_rbac.authorization.k8s.io_v1_clusterrole.yaml`;

  test('are left out, with a word, and kept with --user-roles', async () => {
    const folder = project();
    const { stderr } = await run(folder);
    expect(stderr).toContain('nginx-operator-nginxoperator-viewer-role');
    expect(folder.exists(role('viewer'))).toBe(false);
    await run(folder, '--user-roles');
    expect(folder.exists(role('viewer'))).toBe(true);
  });

  test('that grant something else, or that somebody is bound to, stay', async () => {
    const clusterRole = (name: string, group: string): string =>
      `---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: ${name}}\nrules:\n- {apiGroups: [${group}], resources: [nginxoperators], verbs: [get]}\n`;
    const binding =
      '---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: b}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: bound}\nsubjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: people}]\n';
    const folder = project({
      'objects.yaml': `${goldenObjects('nginx-operator')}${clusterRole('other', 'example.org')}${clusterRole('bound', 'operator.example.com')}${binding}`,
    });
    const { code, stderr } = await run(folder);
    expect(code, stderr).toBe(0);
    expect(folder.exists('bundle/manifests/other_rbac.authorization.k8s.io_v1_clusterrole.yaml')).toBe(true);
    expect(folder.exists('bundle/manifests/bound_rbac.authorization.k8s.io_v1_clusterrole.yaml')).toBe(true);
  });
});

describe('--use-image-digests', () => {
  const withImage = (image: string): string =>
    goldenObjects('nginx-operator')
      .replaceAll('registry.example.com/nginx-operator:v0.0.1', image)
      .replaceAll('docker.io/library/nginx:1.27', image);

  test('images get the digest that their registry gives them now, everywhere', async () => {
    await using registry = await scriptedRegistry();
    const image = testImage([100]);
    await pushImage(app(registry.host), image, quickOptions());
    const name = `${registry.host}/team/app`;
    const folder = project({
      'objects.yaml': withImage(`${name}:v1`),
    });
    const { code, stderr } = await run(folder, '--use-image-digests', '--plain-http');
    expect(code, stderr).toBe(0);
    const pinned = `${name}@${image.root.digest}`;
    const { spec } = csvOf(folder);
    expect(folder.read(csvFile)).not.toContain(`${name}:v1`);
    expect(spec.install.spec.deployments[0]?.spec.template.spec.containers).toContainEqual(
      expect.objectContaining({
        ...{ name: 'manager', image: pinned },
        env: expect.arrayContaining([{ name: 'RELATED_IMAGE_NGINX_SERVER', value: pinned }]) as unknown,
      }),
    );
    expect(spec['relatedImages']).toContainEqual({ name: 'nginx-server', image: pinned });
  });

  test.each(['--registry-mirror', 'OPSDK_REGISTRY_MIRRORS'])(
    'a mirror in %s is asked, and the image keeps its name',
    async (by) => {
      await using mirror = await scriptedRegistry();
      const image = testImage([100]);
      await pushImage(app(mirror.host), image, quickOptions());
      const folder = project({ 'objects.yaml': withImage('registry.invalid/app:v1') });
      const pair = `registry.invalid=${mirror.host}/team`;
      const isFlag = by.startsWith('--');
      const { code, stderr } = await runCli(
        [...generate, '--use-image-digests', '--plain-http', ...(isFlag ? [by, pair] : [])],
        { cwd: folder.dir, env: isFlag ? {} : { [by]: pair } },
      );
      expect(code, stderr).toBe(0);
      expect(stderr).toContain(`asking the mirror ${mirror.host}/team/app:v1`);
      expect(csvOf(folder).spec['relatedImages']).toContainEqual({
        name: 'nginx-server',
        image: `registry.invalid/app@${image.root.digest}`,
      });
      expect(folder.read(csvFile)).not.toContain(mirror.host);
    },
  );

  test('mirrors that are none are refused, all of them', async () => {
    const folder = project({ 'objects.yaml': withImage('registry.invalid/app:v1') });
    const flags = ['--registry-mirror', 'docker.io', '--registry-mirror', 'docker.io=team'];
    const { code, stderr } = await run(folder, '--use-image-digests', ...flags);
    expect(code).toBe(2);
    expect(stderr).toContain('--registry-mirror: expected <registry>=<mirror>, got "docker.io"');
    expect(stderr).toContain('--registry-mirror: expected a registry, such as mirror.example.com');
  });

  test.each(['--registry-mirror', 'OPSDK_REGISTRY_MIRRORS'])('a password in %s is not shown', async (by) => {
    const folder = project({ 'objects.yaml': withImage('registry.invalid/app:v1') });
    const text = 'docker.io=alice:pa55,w0rd@mirror.example.com/hub';
    const isFlag = by.startsWith('--');
    const { code, stdout, stderr } = await runCli(
      [...generate, '--use-image-digests', ...(isFlag ? [by, text] : [])],
      { cwd: folder.dir, env: isFlag ? {} : { [by]: text } },
    );
    expect(code).toBe(2);
    expect(stderr).toContain('got "…@mirror.example.com/hub"');
    expect(stdout + stderr).not.toMatch(/pa55|w0rd/);
  });

  test('an image that no registry has is refused, and nothing is written', async () => {
    await using registry = await scriptedRegistry();
    const folder = project({
      'objects.yaml': withImage(`${registry.host}/team/app:v1`),
    });
    const { code, stderr } = await run(folder, '--use-image-digests', '--plain-http');
    expect(code).toBe(1);
    expect(stderr).toContain('error[oci/not-found]');
    expect(folder.exists('bundle')).toBe(false);
  });
});

import { existsSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { runCli } from '../../../helpers/run-cli.ts';
import { kindSource, projectFolder, type ProjectFolder } from '../../compiler/manifests/project-folder.ts';

const folders: ProjectFolder[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

function project(files: Record<string, string> = {}): ProjectFolder {
  const folder = projectFolder(files);
  folders.push(folder);
  return folder;
}

const base = 'config/manifests/bases/sample.clusterserviceversion.yaml';
const answers = [
  ...['--display-name', 'Sample Operator', '--description', 'Runs samples', '--provider', 'MyCompany'],
  ...['--provider-url', 'http://mycompany.example', '--keywords', 'sample,high availability'],
  ...['--maintainers', 'Mike Dame:mike@mycompany.example'],
];
const run = (folder: ProjectFolder, ...flags: string[]) =>
  runCli(['generate', 'kustomize', 'manifests', ...flags], { cwd: folder.dir });

describe('generate kustomize manifests', () => {
  test('makes the base from flags, and the kustomization and the scorecard beside it', async () => {
    const folder = project({ 'src/api/sample.ts': kindSource('HTTPProxy') });
    const { code, stderr } = await run(folder, ...answers);
    expect(code, stderr).toBe(0);
    expect(folder.read(base)).toMatchInlineSnapshot(`
      "# How OLM and its catalogues describe the operator. Edit it as you like: \`op-sdk generate kustomize manifests\` adds the
      # kinds that are missing here, and \`op-sdk generate bundle\` adds what follows from the manifests and, for each kind, from its
      # TypeScript types: displayName, description, resources, specDescriptors, statusDescriptors. What you write here wins.
      apiVersion: operators.coreos.com/v1alpha1
      kind: ClusterServiceVersion
      metadata:
        annotations:
          capabilities: Basic Install
        name: sample.v0.0.0
        namespace: placeholder
      spec:
        apiservicedefinitions: {}
        customresourcedefinitions:
          owned:
          - kind: HTTPProxy
            name: httpproxies.cache.example.com
            version: v1alpha1
        description: Runs samples
        displayName: Sample Operator
        installModes:
        - supported: false
          type: OwnNamespace
        - supported: false
          type: SingleNamespace
        - supported: false
          type: MultiNamespace
        - supported: true
          type: AllNamespaces
        keywords:
        - sample
        - high availability
        links:
        - name: MyCompany
          url: http://mycompany.example
        maintainers:
        - email: mike@mycompany.example
          name: Mike Dame
        maturity: alpha
        minKubeVersion: 1.32.0
        provider:
          name: MyCompany
          url: http://mycompany.example
        version: 0.0.0
      "
    `);
    expect(folder.read('config/manifests/kustomization.yaml')).toContain(
      'resources:\n- bases/sample.clusterserviceversion.yaml\n- ../default\n- ../scorecard\n',
    );
    expect(folder.read('config/scorecard/patches/olm.config.yaml')).toContain('olm-crds-have-validation');
    expect(folder.read('PROJECT')).toContain('config/scorecard/bases/config.yaml:');
  });

  test('names the JSON schema of the scorecard where node_modules has it', async () => {
    const sources = { 'src/api/sample.ts': kindSource('Memcached') };
    const scorecard = 'config/scorecard/bases/config.yaml';
    const installed = project(sources);
    await run(installed, ...answers);
    const [comment = '', ...rest] = installed.read(scorecard).split('\n');
    const [, schema = ''] = /^# yaml-language-server: \$schema=(.+)$/.exec(comment) ?? [];
    expect(posix.join(posix.dirname(scorecard), schema)).toBe(
      'node_modules/opsdk/schemas/scorecard.schema.json',
    );
    expect(rest[0]).toBe('apiVersion: scorecard.operatorframework.io/v1alpha3');
    const packed = project(sources);
    packed.write('.pnp.cjs', '');
    await run(packed, ...answers);
    expect(packed.read(scorecard)).toBe(rest.join('\n'));
  });

  test('lets OLM choose the namespaces of an operator that works in those that it is given', async () => {
    const folder = project({ 'src/api/sample.ts': kindSource('Memcached') });
    folder.write('PROJECT', `${folder.read('PROJECT')}namespaced: true\n`);
    const { code, stderr } = await run(folder, ...answers);
    expect(code, stderr).toBe(0);
    expect(folder.read(base)).not.toContain('supported: false');
  });

  test('changes nothing the second time, and asks for nothing', async () => {
    const folder = project({ 'src/api/sample.ts': kindSource('Memcached') });
    await run(folder, ...answers);
    const { code, stdout } = await run(folder, '-o', 'json');
    expect(code).toBe(0);
    const { result } = JSON.parse(stdout) as { result: { files: { action: string; path: string }[] } };
    expect(result.files).toEqual([{ action: 'unchanged', path: base }]);
  });

  test('without a terminal names every missing flag at once, and writes nothing', async () => {
    const folder = project();
    const { code, stderr } = await run(folder, '--provider', ' ');
    expect(code).toBe(2);
    for (const flag of ['--description', '--keywords', '--maintainers'])
      expect(stderr).toContain(`${flag} is missing, and package.json has no opsdk.`);
    expect(stderr).toContain('--provider is " ": it is empty');
    expect(stderr).not.toContain('--display-name');
    expect(folder.exists('config')).toBe(false);
  });

  test.each([
    ['--maintainers', 'Mike', '"Mike" has no name in front of a colon'],
    ['--maintainers', 'Mike:mike@', '"mike@" is not an email address'],
    ['--maintainers', 'A:a@b.example,,', 'has no name in front of a colon'],
    ['--maintainers', 'Maintainer Name:your@email.com', 'is a placeholder'],
    ['--provider-url', 'mycompany.example', 'expected a URL that begins with https:// or http://'],
    ['--provider-url', 'https://your.domain', 'it is a placeholder'],
    ['--provider', 'Provider Name', 'it is a placeholder'],
    ['--keywords', ',', 'one of the keywords is empty'],
    ['--keywords', '', 'it is empty'],
    ['--display-name', '', 'it is empty'],
    ['--package', 'Sample Operator', '--package is "Sample Operator"'],
    ['--output-dir', '../elsewhere', 'it is not a folder inside the current folder'],
    ['--output-dir', 'with blank', 'it has other characters'],
    ['--icon', 'nowhere.svg', 'ENOENT'],
    ['--interactive', undefined, 'expected a terminal'],
  ])('refuses %s %j', async (flag, value, problem) => {
    const folder = project();
    const { code, stderr } = await run(folder, ...answers, flag, ...(value === undefined ? [] : [value]));
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
    expect(folder.exists('config')).toBe(false);
  });

  test('takes answers from package.json; flags win, npm fields come last', async () => {
    const folder = project({
      'package.json': JSON.stringify({
        type: 'module',
        description: 'what npm says',
        keywords: ['npm'],
        author: 'Ada Lovelace <ada@example.com> (https://example.com)',
        homepage: 'https://example.com/operator',
        opsdk: { displayName: 'From package.json', keywords: ['a', 'b'], provider: { name: 'Example' } },
      }),
    });
    const { code, stderr } = await run(folder, '--display-name', 'From flags');
    expect(code, stderr).toBe(0);
    const text = folder.read(base);
    for (const line of [
      'displayName: From flags',
      'description: what npm says',
      '  - a\n  - b\n',
      '  - email: ada@example.com\n    name: Ada Lovelace\n',
      '    name: Example\n    url: https://example.com\n',
      '  - name: From flags\n    url: https://example.com/operator\n',
    ])
      expect(text).toContain(line);
  });

  test('tells all that is wrong in package.json with its place, beside wrong flags', async () => {
    const folder = project({
      'package.json': JSON.stringify(
        {
          opsdk: {
            displayname: 'x',
            provider: { name: 'X', url: 'ftp://x' },
            keywords: 'cache',
            maintainers: [{ name: 'A', email: 'nobody' }],
          },
        },
        null,
        2,
      ),
    });
    const { code, stderr } = await run(folder, '--display-name', '');
    expect(code).toBe(2);
    expect(stderr.match(/error\[/g)).toHaveLength(6);
    for (const part of [
      'opsdk has no property `displayname`',
      'at package.json:6:7',
      'opsdk.keywords: expected an array, got a string',
      '"nobody" is not an email address',
      '--display-name is "": it is empty',
      '--description is missing',
    ])
      expect(stderr).toContain(part);
  });

  test('adds new kinds to a base that somebody edited, and keeps all else', async () => {
    const folder = project({ 'src/api/sample.ts': kindSource('Memcached') });
    await run(folder, ...answers);
    const edited = folder
      .read(base)
      .replace('- kind: Memcached', "- displayName: 'My cache' # ours\n      kind: Memcached")
      .replace('  maturity: alpha', '  # Grows up.\n  maturity: stable')
      .replace('version: v1alpha1', 'version: v1alpha1\n      specDescriptors: [{path: size}]');
    folder.write(base, edited);
    folder.write('src/api/other.ts', kindSource('Backup'));
    const { code, stderr } = await run(folder, '--keywords', 'one,two', '--provider', 'Other: "Company"');
    expect(code, stderr).toBe(0);
    const backup = [
      '    - kind: Backup',
      '      name: backups.cache.example.com',
      '      version: v1alpha1',
      '',
    ].join('\n');
    const after = folder.read(base);
    expect(after).toContain(backup);
    expect(after.replace(backup, '')).toBe(
      edited
        .replace('  - sample\n  - high availability\n', '  - one\n  - two\n')
        .replace('provider:\n    name: MyCompany', `provider:\n    name: 'Other: "Company"'`),
    );
  });

  test('tells entries of kinds that are gone, and keeps them', async () => {
    const folder = project({ 'src/api/sample.ts': kindSource('Memcached') });
    await run(folder, ...answers);
    const before = folder.read(base);
    folder.write('src/api/sample.ts', kindSource('Redis'));
    const { code, stderr } = await run(folder);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(
      'Memcached v1alpha1 (memcacheds.cache.example.com), which the sources no longer declare',
    );
    expect(stderr).toMatch(/at config\/manifests\/bases\/sample\.clusterserviceversion\.yaml:15:7/);
    expect(folder.read(base)).toContain('kind: Redis');
    expect(before).not.toContain('kind: Redis');
  });

  test('names the samples once there are some, but not where they are commented out', async () => {
    const folder = project();
    await run(folder, ...answers);
    const file = 'config/manifests/kustomization.yaml';
    expect(folder.read(file)).not.toContain('../samples');
    folder.write('config/samples/kustomization.yaml', 'resources: []\n');
    await run(folder);
    expect(folder.read(file)).toContain('\n- ../scorecard\n- ../samples\n');
    folder.write(file, folder.read(file).replace('- ../samples', '#- ../samples'));
    const commented = folder.read(file);
    await run(folder);
    expect(folder.read(file)).toBe(commented);
  });

  test('leaves the tests of the bundle away where somebody removed them', async () => {
    const folder = project();
    await run(folder, ...answers);
    const file = 'config/manifests/kustomization.yaml';
    rmSync(join(folder.dir, 'config/scorecard'), { recursive: true });
    await run(folder);
    expect(folder.read('config/scorecard/kustomization.yaml')).toContain('config.yaml');
    rmSync(join(folder.dir, 'config/scorecard'), { recursive: true });
    folder.write(file, folder.read(file).replace('- ../scorecard\n', ''));
    await run(folder);
    expect(existsSync(join(folder.dir, 'config/scorecard'))).toBe(false);
  });

  test('names the other folders of config as they are seen from --output-dir', async () => {
    const folder = project({ 'config/samples/kustomization.yaml': 'resources: []\n' });
    const { code, stderr } = await run(folder, ...answers, '--output-dir', 'deploy/olm');
    expect(code, stderr).toBe(0);
    expect(folder.read('deploy/olm/kustomization.yaml')).toContain(
      '\n- ../../config/default\n- ../../config/samples\n- ../../config/scorecard\n',
    );
    expect(existsSync(join(folder.dir, 'config/manifests'))).toBe(false);
    const again = await run(folder, '--output-dir', 'deploy/olm', '-o', 'json');
    expect(again.stdout).not.toMatch(/"(?:create|update)"/);
  });

  test('embeds an icon', async () => {
    const folder = project({
      'icon.svg': '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>',
    });
    const { code, stderr } = await run(folder, ...answers, '--icon', 'icon.svg');
    expect(code, stderr).toBe(0);
    expect(folder.read(base)).toContain('mediatype: image/svg+xml');
    folder.write('icon.svg', 'text');
    const again = await run(folder, '--icon', 'icon.svg');
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('it is not a GIF, JPEG, PNG or SVG');
  });

  test('leaves a base that is something else alone', async () => {
    const folder = project({ [base]: 'kind: Deployment\n' });
    const { code, stderr } = await run(folder);
    expect(code).toBe(1);
    expect(stderr).toContain("kind: expected 'ClusterServiceVersion'");
    expect(folder.read(base)).toBe('kind: Deployment\n');
  });
});

// Every generate command can run again at any time: it changes nothing, and what people edited stays.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseYaml } from '../../../../src/kubernetes/yaml/read-yaml.ts';
import { runCli } from '../../../helpers/run-cli.ts';
import { ScaffoldedProjects, type ScaffoldedProject } from '../../../helpers/scaffolded-project.ts';
import type { Loose } from './objects.ts';

const described = [
  ...['--display-name', 'Cache Operator', '--description', 'Runs caches', '--provider', 'Example'],
  ...['--keywords', 'cache', '--maintainers', 'Jo:jo@example.com'],
];
const commands: readonly (readonly string[])[] = [
  ['generate', 'manifests'],
  ['generate', 'kustomize', 'manifests'],
  ['generate', 'helm'],
  ['generate', 'bundle', '--version', '0.0.1'],
];
const base = 'config/manifests/bases/cache-operator.clusterserviceversion.yaml';
const csv = 'bundle/manifests/cache-operator.clusterserviceversion.yaml';
const annotations = 'bundle/metadata/annotations.yaml';

const projects = new ScaffoldedProjects();
afterAll(() => projects.remove());

async function runAll(): Promise<void> {
  for (const argv of commands) await project.done(argv);
}

let project: ScaffoldedProject;
let fresh: Readonly<Record<string, string>>;
beforeAll(async () => {
  project = await projects.create();
  await project.done(['create', 'api', '--group', 'cache', '--version', 'v1', '--kind', 'Cache']);
  await project.done(['generate', 'kustomize', 'manifests', ...described]);
  await runAll();
  const files = Object.keys(project.tree()).filter((path) => !path.endsWith('/'));
  fresh = Object.fromEntries(files.map((path) => [path, project.read(path)]));
});
beforeEach(() => {
  for (const [path, text] of Object.entries(fresh)) project.write(path, text);
});

const read = (path: string): Loose => parseYaml(project.read(path), path).value;

describe('in a project as it was generated', () => {
  test('the help lists no other command', async () => {
    const { stdout } = await runCli(['generate', '--help']);
    const listed = /Commands:\n([^]*)/
      .exec(stdout)?.[1]
      ?.match(/^ {2}\w+/gm)
      ?.map((line) => line.trim());
    expect(listed).toEqual([...new Set(commands.map(([, name]) => name)), 'help']);
  });

  test('a second run changes nothing, with the line ends of Windows too', async () => {
    const before = project.tree();
    await runAll();
    expect(project.tree()).toEqual(before);
    for (const path of Object.keys(fresh).filter((name) => /\.(?:ya?ml|ts|Dockerfile)$|^PROJECT$/.test(name)))
      project.edit(path, (text) => text.replaceAll('\n', '\r\n'));
    const edited = project.tree();
    expect(edited[csv]).not.toBe(before[csv]);
    await runAll();
    expect(project.tree()).toEqual(edited);
  });
});

const icon = 'PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=';

/** Edits by their files. */
const edits: Readonly<Record<string, (text: string) => string>> = {
  [base]: (text) =>
    text
      .replace(
        '    capabilities: Basic Install',
        "    capabilities: 'Seamless Upgrades' # since 0.0.1\n    example.com/team: 'a: b'",
      )
      .replace(
        '  description: Runs caches',
        '  # Shown by catalogues.\n  description: |\n    Runs *caches*.\n\n    - of all sizes',
      )
      .replace(
        '  installModes:\n',
        `  icon: # ours\n  - {mediatype: image/svg+xml, base64data: ${icon}}\n  installModes:\n`,
      )
      .replace(
        /( {2}installModes:\n)([^]*?)(?= {2}keywords)/,
        (_, key: string, modes: string) =>
          `${key}${modes
            .split(/(?=^ {2}- )/m)
            .reverse()
            .join('')}`,
      )
      .replace('  keywords:\n  - cache\n', '  keywords: [cache,   "high availability"]\n'),
  'config/manifests/kustomization.yaml': (text) =>
    text
      .replace('- ../samples', '#- ../samples')
      .replace('- ../scorecard', '- "../scorecard" # quoted')
      .replace(
        '\npatches:\n',
        '\npatches:\n- target: {kind: Deployment}\n  patch: |-\n    - {op: add, path: /metadata/labels/mine, value: here}\n',
      ),
  'config/manager/kustomization.yaml': (text) => `# Ours.\n${text}- {name: other,   newTag: v2}\n`,
  'config/crd/kustomization.yaml': (text) =>
    `${text}\n# Ours.\ncommonAnnotations: {example.com/owner: "us"}\n`,
  'config/samples/kustomization.yaml': (text) => text.replace('- cache_v1', '-   cache_v1'),
  'config/scorecard/kustomization.yaml': (text) => text.replace('resources:', '# Ours.\nresources:'),
  [annotations]: (text) =>
    text
      .replace(
        'annotations:\n',
        "annotations:\n  # For OpenShift.\n  com.redhat.openshift.versions: 'v4.12' # and later\n",
      )
      .replace(/v1: alpha$/m, 'v1: "alpha"'),
};

test('what people edited stays, and reaches the bundle', async () => {
  const edited: Record<string, string> = {};
  for (const [path, change] of Object.entries(edits)) {
    project.edit(path, change);
    edited[path] = project.read(path);
  }
  await runAll();
  expect(Object.fromEntries(Object.keys(edits).map((path) => [path, project.read(path)]))).toEqual(edited);

  const { metadata, spec } = read(csv);
  expect(metadata.annotations).toMatchObject({
    capabilities: 'Seamless Upgrades',
    'example.com/team': 'a: b',
  });
  expect(metadata.annotations['alm-examples']).toBe('[]');
  expect(spec).toMatchObject({
    description: 'Runs *caches*.\n\n- of all sizes\n',
    icon: [{ base64data: icon, mediatype: 'image/svg+xml' }],
    keywords: ['cache', 'high availability'],
    installModes: [
      { supported: true, type: 'AllNamespaces' },
      { supported: false, type: 'MultiNamespace' },
      { supported: false, type: 'SingleNamespace' },
      { supported: false, type: 'OwnNamespace' },
    ],
  });
  expect(spec.install.spec.deployments[0].label.mine).toBe('here');
  expect(project.read('bundle.Dockerfile')).toContain('LABEL com.redhat.openshift.versions=v4.12\n');

  for (const path of Object.keys(edits)) project.edit(path, (text) => text.replaceAll('\n', '\r\n'));
  const before = project.tree();
  await runAll();
  expect(project.tree()).toEqual(before);
});

describe('headers', () => {
  /** Files that are generated whole: another header is one of an earlier version. */
  const generated = [
    'bundle.Dockerfile',
    csv,
    'bundle/manifests/cache.example.com_caches.yaml',
    'bundle/tests/scorecard/config.yaml',
    'config/crd/bases/cache.example.com_caches.yaml',
    'config/rbac/role.yaml',
    'src/generated/rbac.ts',
  ];
  const withHeader = (text: string, header: string): string =>
    text.replace(/^(?:(?:#|\/\/).*\n)*/, () => header);

  test.each([
    ['none', ''],
    ['another one', '# Of an earlier version.\n\n# Or ours.\n'],
  ])('%s: stays where people edit, is replaced where they do not', async (_, header) => {
    const texts = (): readonly string[] =>
      // It is the time of the last change.
      generated.map((path) => project.read(path).replace(/createdAt: .*/, ''));
    const generatedTexts = texts();
    for (const path of [base, annotations]) project.edit(path, (text) => withHeader(text, header));
    const edited = [project.read(base), project.read(annotations)];
    for (const path of generated) project.write(path, withHeader(project.read(path), header));
    await runAll();
    expect([project.read(base), project.read(annotations)]).toEqual(edited);
    expect(texts()).toEqual(generatedTexts);

    const before = project.tree();
    await runAll();
    expect(project.tree()).toEqual(before);
  });
});

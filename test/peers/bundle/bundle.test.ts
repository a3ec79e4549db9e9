// The bundles that op-sdk makes, read as all of operator-framework reads them.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseYaml } from '../../../src/kubernetes/yaml/read-yaml.ts';
import { runCli } from '../../helpers/run-cli.ts';

/** What apimachinery's YAMLOrJSONDecoder gives of a bundle. */
interface DecodedBundle {
  readonly objects: readonly { file: string; apiVersion: string; kind: string; name: string }[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly errors: readonly string[] | null;
}

interface OwnObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const go = process.env.GO ?? 'go';
const examples = join(import.meta.dirname, '../../../examples');
const folder = mkdtempSync(join(tmpdir(), 'op-sdk-bundle-peer-'));
const program = join(folder, 'decode');
const build = spawnSync(go, ['build', '-o', program, '.'], { cwd: import.meta.dirname, encoding: 'utf8' });
const missing = build.status === 0 ? undefined : (build.error?.message ?? build.stderr);
if (missing !== undefined) console.log(`skipped: bundles beside apimachinery's decoder: ${missing}`);

const api = (group: string, version: string, kind: string, ...flags: string[]): readonly string[] => [
  ...['create', 'api', '--group', group, '--version', version, '--kind', kind],
  ...flags,
];

const describeOperator = [
  ...['generate', 'kustomize', 'manifests', '--display-name', 'Sample', '--description', 'Runs samples'],
  ...['--provider', 'Example', '--keywords', 'sample', '--maintainers', 'Jo:jo@example.com'],
];

/** The kinds of each project, and the example whose sources take the place of the scaffolded ones. */
const projects: readonly (readonly [name: string, apis: readonly (readonly string[])[], example?: string])[] =
  [
    ['one-kind', [api('cache', 'v1alpha1', 'Memcached')]],
    [
      'three-kinds',
      [api('apps', 'v1', 'Web'), api('apps', 'v1', 'Worker'), api('storage', 'v1beta1', 'Backup')],
    ],
    ['cluster-scoped', [api('network', 'v1alpha1', 'Proxy', '--namespaced=false')]],
    ['memcached-operator', [api('cache', 'v1alpha1', 'Memcached')], 'memcached-operator'],
    ['nginx-operator', [api('operator', 'v1alpha1', 'NginxOperator')], 'nginx-operator'],
  ];

describe.skipIf(missing !== undefined)('bundles beside apimachinery’s decoder', () => {
  const run = async (cwd: string, argv: readonly string[]): Promise<void> => {
    const { code, stderr } = await runCli(argv, { cwd });
    expect(code, `${argv.join(' ')}\n${stderr}`).toBe(0);
  };
  const makeBundle = async (name: string, apis: readonly (readonly string[])[], example?: string) => {
    const cwd = join(folder, name);
    mkdirSync(cwd);
    await run(cwd, [
      'init',
      '--skip-install',
      '--opsdk',
      '^0.1.0',
      '--domain',
      'example.com',
      '--project-name',
      name,
    ]);
    for (const argv of apis) await run(cwd, argv);
    if (example !== undefined) cpSync(join(examples, example), cwd, { recursive: true });
    await run(cwd, ['generate', 'manifests']);
    await run(cwd, describeOperator);
    await run(cwd, ['generate', 'bundle', '--version', '0.0.1', '--channels', 'stable,candidate']);
    return join(cwd, 'bundle');
  };
  const decoded = new Map<string, DecodedBundle>();

  beforeAll(async () => {
    const bundles: string[] = [];
    for (const project of projects) bundles.push(await makeBundle(...project));
    const lines = execFileSync(program, bundles, { encoding: 'utf8' }).trimEnd().split('\n');
    for (const [index, [name]] of projects.entries())
      decoded.set(name, JSON.parse(lines[index] ?? '{}') as DecodedBundle);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(projects.map(([name]) => name))('%s holds the same objects for both', (name) => {
    const theirs = decoded.get(name);
    const bundle = join(folder, name, 'bundle');
    const files = readdirSync(join(bundle, 'manifests')).sort();
    const ours = files.map((file) => {
      const { value } = parseYaml(readFileSync(join(bundle, 'manifests', file), 'utf8'), file);
      const { apiVersion, kind, metadata } = value as OwnObject;
      return { file, apiVersion, kind, name: metadata.name };
    });
    expect(theirs?.errors ?? []).toEqual([]);
    expect(theirs?.objects).toEqual(ours);
    expect(ours.filter(({ kind }) => kind === 'ClusterServiceVersion')).toHaveLength(1);
    expect(ours.filter(({ kind }) => kind === 'CustomResourceDefinition').length).toBeGreaterThan(0);
    const file = join(bundle, 'metadata/annotations.yaml');
    const { annotations } = parseYaml(readFileSync(file, 'utf8'), file).value as { annotations: object };
    expect(theirs?.annotations).toEqual(annotations);
    expect(theirs?.annotations).toHaveProperty(
      ['operators.operatorframework.io.bundle.channels.v1'],
      'stable,candidate',
    );
  });

  it.each(projects.map(([name]) => name))('%s is valid', async (name) => {
    await run(join(folder, name), ['bundle', 'validate', './bundle']);
  });
});

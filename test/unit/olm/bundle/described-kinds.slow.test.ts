// From the types to the bundle: scaffolded projects, edited ones, and streams of other projects.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseYaml } from '../../../../src/kubernetes/yaml/read-yaml.ts';
import { runCli } from '../../../helpers/run-cli.ts';
import { treeOf } from '../../../helpers/tree.ts';
import type { Loose } from './objects.ts';

const describeOperator = [
  ...['generate', 'kustomize', 'manifests', '--display-name', 'Sample', '--description', 'Runs samples'],
  ...['--provider', 'Example', '--keywords', 'sample', '--maintainers', 'Jo:jo@example.com'],
];
const bundle = ['generate', 'bundle', '--version', '0.0.1'];
const base = 'config/manifests/bases/sample.clusterserviceversion.yaml';
const types = 'src/api/cache/v1alpha1/memcached.ts';

let scratch = '';
let scaffold = '';

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-described-'));
  scaffold = mkdtempSync(join(scratch, 'scaffold-'));
  const init = ['init', '--domain', 'example.com', '--project-name', 'sample', '--skip-install'];
  await run(scaffold, [...init, '--opsdk', '^0.1.0']);
  const api = ['create', 'api', '--group', 'cache', '--version', 'v1alpha1', '--kind', 'Memcached'];
  await run(scaffold, api);
  await run(scaffold, ['generate', 'manifests']);
  await run(scaffold, describeOperator);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function run(folder: string, argv: readonly string[], stdin?: string): Promise<string> {
  const { code, stdout, stderr } = await runCli(argv, {
    cwd: folder,
    // A bundle is created at the same time, whenever that is.
    env: { OPSDK_NO_CACHE: '1', SOURCE_DATE_EPOCH: '1767323045' },
    ...(stdin === undefined ? {} : { stdin }),
  });
  expect(code, `${argv.join(' ')}\n${stderr}`).toBe(0);
  return stdout;
}

function project(): string {
  const folder = mkdtempSync(join(scratch, 'project-'));
  cpSync(scaffold, folder, { recursive: true });
  return folder;
}

function edit(folder: string, file: string, change: (text: string) => string): void {
  const before = readFileSync(join(folder, file), 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(join(folder, file), after);
}

/** The entry of the only kind of a bundle, and its sample. */
function readBundle(folder: string): { readonly owned: Loose; readonly sample: Loose } {
  const file = 'bundle/manifests/sample.clusterserviceversion.yaml';
  const csv: Loose = parseYaml(readFileSync(join(folder, file), 'utf8'), file).value;
  const [owned] = csv.spec.customresourcedefinitions.owned;
  const [sample] = JSON.parse(csv.metadata.annotations['alm-examples']) as Loose[];
  return { owned, sample };
}

describe('the bundle of a project', () => {
  test('describes an untouched kind as the tests of scorecard ask for it', async () => {
    const folder = project();
    await run(folder, bundle);
    // Fails, unless all six tests pass.
    const verdict = await run(folder, ['scorecard', '--local', '-o', 'xunit']);
    expect(verdict.match(/<testcase /g)).toHaveLength(6);
    const { owned, sample } = readBundle(folder);
    expect(owned).toMatchInlineSnapshot(`
      {
        "description": "Memcached is the Schema for the memcacheds API.",
        "displayName": "Memcached",
        "kind": "Memcached",
        "name": "memcacheds.cache.example.com",
        "resources": [
          {
            "kind": "Memcached",
            "name": "memcacheds.cache.example.com",
            "version": "v1alpha1",
          },
        ],
        "specDescriptors": [
          {
            "description": "Foo is an example field of Memcached. Replace it by fields of yours.",
            "displayName": "Foo",
            "path": "foo",
          },
        ],
        "statusDescriptors": [
          {
            "description": "Conditions represent the latest observations of the object's state.",
            "displayName": "Conditions",
            "path": "conditions",
          },
        ],
        "version": "v1alpha1",
      }
    `);
    const paths = (list: Loose[]): string[] => list.map(({ path }) => path);
    expect(paths(owned.specDescriptors)).toEqual(expect.arrayContaining(Object.keys(sample.spec)));
    expect(paths(owned.statusDescriptors)).toContain('conditions');
  });

  test('follows the types, but not where the base says otherwise; nothing is written into the base', async () => {
    const folder = project();
    const doc = '/**\n * Caches.\n *\n * @displayName Cache\n */\nexport interface Memcached extends';
    edit(folder, types, (text) =>
      text.replace(/(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export interface Memcached extends/, doc),
    );
    await run(folder, ['generate', 'manifests']);
    const before = treeOf(folder);
    await run(folder, describeOperator.slice(0, 3));
    expect(treeOf(folder)).toEqual(before);
    await run(folder, bundle);
    expect(readBundle(folder).owned).toMatchObject({ displayName: 'Cache', description: 'Caches.' });
    edit(folder, base, (text) =>
      text.replace('- kind: Memcached', "- displayName: 'Ours' # by hand\n      kind: Memcached"),
    );
    await run(folder, describeOperator.slice(0, 3));
    await run(folder, bundle);
    expect(readFileSync(join(folder, base), 'utf8')).toContain("- displayName: 'Ours' # by hand\n");
    expect(readBundle(folder).owned).toMatchObject({ displayName: 'Ours', description: 'Caches.' });
  });

  test('needs sources without errors, or none', async () => {
    const folder = project();
    edit(folder, types, (text) => text.replace('foo?: string', 'foo?: number'));
    const { code, stderr } = await runCli(bundle, { cwd: folder });
    expect(code).toBe(1);
    expect(stderr).toContain('error[schema/plain-number]');
    expect(Object.keys(treeOf(folder))).not.toContain('bundle/');
    await run(folder, [...bundle, '--no-sources']);
  });

  test('is the same from a stream, and has no descriptors where the sources are not read', async () => {
    const folder = project();
    await run(folder, bundle);
    const expected = treeOf(join(folder, 'bundle'));
    const stream = await run(folder, ['kustomize', 'build', 'config/manifests']);
    rmSync(join(folder, 'bundle'), { recursive: true });
    await run(folder, [...bundle, '-f', '-'], stream);
    expect(treeOf(join(folder, 'bundle'))).toEqual(expected);
    const elsewhere = mkdtempSync(join(scratch, 'elsewhere-'));
    await run(elsewhere, [...bundle, '--package', 'sample', '-f', '-'], stream);
    await run(folder, [...bundle, '--no-sources', '-f', '-'], stream);
    const { owned } = readBundle(folder);
    expect(owned).toEqual(readBundle(elsewhere).owned);
    expect(Object.keys(owned)).toEqual(['description', 'displayName', 'kind', 'name', 'version']);
  });
});

// scripts/publish.mjs: it refuses while a piece is missing; complete, it lists what a release does, and the packed packages pass publint
// and attw.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { checkPackage } from '../../scripts/lib/package-checks.mjs';
import { startNpmRegistry } from '../../scripts/lib/npm-registry.mjs';
import { packFolder } from '../../scripts/lib/release-packages.mjs';
import { must, run } from '../../scripts/lib/run.mjs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
  dependencies: Readonly<Record<string, string>>;
  devDependencies: Readonly<Record<string, string>>;
};
const version = manifest.version.replace(/-.*/, '');
const page = 'https://git.example.com/team/opsdk';

/** The pieces of a release, for an example address. */
const complete = {
  'package.json': { ...manifest, repository: { type: 'git', url: `git+${page}.git` } },
  'create-opsdk/package.json': { version: manifest.version },
  'CHANGELOG.md': `## ${version}\n\n- Something.\n`,
};

/** A folder with these pieces in place of those of the repository. */
function rootOf(pieces: Readonly<Record<string, unknown>>): string {
  const { folder } = inject('managers') ?? expect.fail('run with --project managers');
  const root = mkdtempSync(join(folder, 'to-publish-'));
  mkdirSync(join(root, 'create-opsdk'));
  for (const [path, piece] of Object.entries(pieces))
    writeFileSync(join(root, path), typeof piece === 'string' ? piece : JSON.stringify(piece));
  return root;
}

const publish = (root: string, ...args: readonly string[]) =>
  run(process.execPath, ['scripts/publish.mjs', ...args, '--root', root, '--dry-run'], { capture: 'all' });

/** Runs the script without --dry-run, with a registry on loopback that has these packages. */
async function publishTo(published: readonly string[], root: string, ...args: readonly string[]) {
  await using registry = await startNpmRegistry({ published });
  return await run(process.execPath, ['scripts/publish.mjs', ...args, '--root', root], {
    capture: 'all',
    env: { ...process.env, npm_config_registry: registry.url },
  });
}

/** Packs packages without files, of the version of the release. */
async function packEmpty(folder: string, names: readonly string[], keys: object = {}): Promise<string[]> {
  mkdirSync(folder);
  const packed: string[] = [];
  for (const name of names) {
    const place = join(folder, name);
    mkdirSync(place);
    writeFileSync(join(place, 'package.json'), JSON.stringify({ name, version, ...keys }));
    packed.push(await packFolder(place, folder));
  }
  return packed;
}

test.each([
  ['no version', '', {}, '- the version "" is not a release: give X.Y.Z'],
  ['no repository', version, { 'package.json': manifest }, '- package.json names no repository'],
  [
    'no prerelease',
    version,
    { 'package.json': { ...complete['package.json'], version }, 'create-opsdk/package.json': { version } },
    `- package.json has the version ${version}: between releases it is a prerelease`,
  ],
  [
    'another version of create-opsdk',
    version,
    { 'create-opsdk/package.json': { version: '0.0.1-dev' } },
    '- create-opsdk has the version 0.0.1-dev',
  ],
  [
    'no notes',
    version,
    { 'CHANGELOG.md': '## Unreleased\n' },
    `- CHANGELOG.md has no heading "## ${version}"`,
  ],
])('refuses with %s', async (_what, given, pieces, sentence) => {
  const { code, output } = await publish(rootOf({ ...complete, ...pieces }), given);
  expect(code).toBe(1);
  expect(output.split('\n').filter((line) => line.startsWith('- '))).toEqual([
    expect.stringContaining(sentence),
  ]);
});

test('refuses to publish what is not packed', async () => {
  const root = rootOf(complete);
  const { code, output } = await publish(root, version, '--packed', join(root, 'release'));
  expect(code).toBe(1);
  expect(output).toContain(`opsdk-${version}.tgz is missing: pack it with --output-dir`);
});

test('packs and lists what it would publish', { timeout: 180_000 }, async () => {
  const root = rootOf(complete);
  const folder = join(root, 'release');
  const packed = await publish(root, version, '--output-dir', folder);
  expect(packed.code, packed.output).toBe(0);
  const files = [
    `create-opsdk-${version}.tgz`,
    'notes.md',
    `opsdk-${version}.cdx.json`,
    `opsdk-${version}.tgz`,
  ];
  expect(readdirSync(folder).sort()).toEqual(files);
  for (const file of files) expect(packed.output).toContain(`packed: ${file}, `);
  expect(readFileSync(join(folder, 'notes.md'), 'utf8')).toBe('- Something.\n');

  const { code, output } = await publish(root, version, '--packed', folder);
  expect(code, output).toBe(0);
  const lines = output.split('\n').filter((line) => line.startsWith('would '));
  const command = (name: string) =>
    expect.stringMatching(
      new RegExp(`^would run: npm publish \\S+/${name}-[\\d.]+\\.tgz --access public( --no-provenance)?$`),
    );
  expect(lines).toEqual([
    command('opsdk'),
    command('create-opsdk'),
    `would create: the release v${version}, with the notes of CHANGELOG.md`,
  ]);

  const { components, metadata } = JSON.parse(
    readFileSync(join(folder, `opsdk-${version}.cdx.json`), 'utf8'),
  ) as {
    components: readonly { name: string; group?: string; purl: string }[];
    metadata: { component: { name: string; version: string } };
  };
  expect(metadata.component).toMatchObject({ name: 'opsdk', version });
  const names = components.map(({ purl }) => decodeURIComponent(purl).replace(/^pkg:npm\/(.+)@.*$/, '$1'));
  expect(names).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
  for (const name of ['vitest', 'eslint', 'publint', 'prettier']) {
    expect(Object.keys(manifest.devDependencies)).toContain(name);
    expect(names).not.toContain(name);
  }

  await must('tar', ['-xzf', join(folder, `opsdk-${version}.tgz`), '-C', root]);
  const readme = readFileSync(join(root, 'package', 'README.md'), 'utf8');
  expect(readme).toContain('](docs/tour.md)');
  expect(readme).toContain(`](${page}/blob/v${version}/CONTRIBUTING.md)`);
  expect(JSON.parse(readFileSync(join(root, 'package', 'package.json'), 'utf8'))).toMatchObject({
    version,
    homepage: `${page}#readme`,
    bugs: { url: `${page}/issues` },
  });
});

test('passes over what the registry has, and refuses what it has with other content', async () => {
  const root = rootOf(complete);
  const folder = join(root, 'release');
  const packages = ['opsdk', 'create-opsdk'];
  const tarballs = await packEmpty(folder, packages);
  const again = await publishTo(tarballs, root, version, '--packed', folder);
  expect(again.code, again.output).toBe(0);
  expect(again.output.trim().split('\n')).toEqual(
    packages.map((name) => `${name} ${version} is published already`),
  );
  const others = await packEmpty(join(root, 'others'), packages, { description: 'something else' });
  const refused = await publishTo(others, root, version, '--packed', folder);
  expect(refused.code).toBe(1);
  expect(refused.output).toContain(
    `opsdk ${version} is published with other content: release the next version`,
  );
});

test('names what is wrong with a package: its shape, its types, also those behind a pattern', async () => {
  const folder = rootOf({});
  const files = {
    'package.json': {
      name: 'broken',
      version: '1.0.0',
      type: 'module',
      files: ['*.js', '*.ts', 'k8s'],
      exports: {
        '.': { types: './index.d.ts', default: './index.js' },
        './k8s/*': { types: './k8s/*.d.ts', default: './k8s/*.js' },
      },
    },
    'index.d.ts': 'export declare const one: number;\n',
    'k8s/v1.d.ts': "export * from './meta';\n",
    'k8s/v1.js': 'export const two = 2;\n',
  };
  mkdirSync(join(folder, 'k8s'));
  for (const [path, file] of Object.entries(files))
    writeFileSync(join(folder, path), typeof file === 'string' ? file : JSON.stringify(file));
  const findings = await checkPackage(await packFolder(folder, folder));
  expect(findings).toContainEqual(expect.stringMatching(/^broken: publint: .*index\.js/));
  expect(findings).toContainEqual(
    expect.stringMatching(/^broken: attw: .*k8s\/v1\.d\.ts: InternalResolutionError/),
  );
});

// `bundle build` and `image build`, from the flags to the image on disk; the base image lies on disk, too.
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { operatorStart } from '../../../src/project/scaffold/index.ts';
import {
  joinPlatforms,
  resolvePlace,
  readBlob,
  readIndex,
  readLayout,
  readImageManifest,
  selectPlatform,
  sha256,
  storeImage,
} from '../../../src/images/index.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { amd64, arm64, smallImage } from './images.ts';
import { readTar } from './read-tar.ts';
import { tempFolder } from './temp-folder.ts';

const folder = tempFolder();
const tag = 'registry.example.com/team/demo:v0.1.0';

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder(), path)), { recursive: true });
    writeFileSync(join(folder(), path), text);
  }
}

const call = async (...argv: string[]) => {
  const env = { HOME: folder(), XDG_CACHE_HOME: join(folder(), 'cache') };
  const run = await runCli([...argv, '-o', 'json'], { cwd: folder(), env });
  const document = JSON.parse(run.stdout) as {
    result: { digest: string; changed: boolean; platforms: string[] } | null;
    errors: { code: string; where?: object }[];
    warnings: { code: string }[];
  };
  return { ...document, code: run.code };
};

/** The files of the last layer of an image in the store. */
async function lastLayer(name = tag) {
  const content = await readLayout(resolvePlace(folder(), 'dist/images'), name);
  const image = await selectPlatform(content, amd64, name);
  const layer = image.manifest.layers.at(-1);
  if (layer === undefined) throw new Error('the image has no layer');
  return { config: image.config, entries: readTar(gunzipSync(await readBlob(content, layer))) };
}

describe('bundle build', () => {
  const prefix = 'operators.operatorframework.io.bundle.';
  const annotations = `annotations:
  ${prefix}mediatype.v1: registry+v1
  ${prefix}manifests.v1: manifests/
  ${prefix}metadata.v1: metadata/
  ${prefix}package.v1: demo
  ${prefix}channels.v1: alpha
`;
  beforeEach(() => {
    write({
      'bundle/manifests/csv.yaml': 'kind: ClusterServiceVersion\n',
      'bundle/metadata/annotations.yaml': annotations,
      'bundle/tests/scorecard/config.yaml': 'kind: Configuration\n',
    });
  });

  test('holds the folders of the bundle, with its annotations as labels', async () => {
    const { code, result } = await call('bundle', 'build', '--tag', tag);
    expect(code).toBe(0);
    const { config, entries } = await lastLayer();
    expect(entries.filter(({ type }) => type === 'file').map(({ path }) => path)).toEqual([
      'manifests/csv.yaml',
      'metadata/annotations.yaml',
      'tests/scorecard/config.yaml',
    ]);
    expect(config.config?.Labels).toEqual({
      [`${prefix}mediatype.v1`]: 'registry+v1',
      [`${prefix}manifests.v1`]: 'manifests/',
      [`${prefix}metadata.v1`]: 'metadata/',
      [`${prefix}package.v1`]: 'demo',
      [`${prefix}channels.v1`]: 'alpha',
    });
    expect(config).toMatchObject({ os: 'linux', architecture: 'amd64' });
    expect((await readLayout(resolvePlace(folder(), 'dist/images'), tag)).root.digest).toBe(result?.digest);
  });

  test('the digest does not depend on times, modes of the owner and the order of writing', async () => {
    const first = await call('bundle', 'build', '--tag', tag);
    write({ 'bundle/manifests/csv.yaml': 'kind: ClusterServiceVersion\n' });
    chmodSync(join(folder(), 'bundle/manifests/csv.yaml'), 0o600);
    const second = await call('bundle', 'build', '--tag', tag);
    expect(second.result).toMatchObject({ digest: first.result?.digest, changed: false });
  });

  test('--dry-run tells the digest and writes nothing', async () => {
    const { code, result } = await call('bundle', 'build', '--tag', tag, '--dry-run');
    expect(code).toBe(0);
    expect(existsSync(join(folder(), 'dist'))).toBe(false);
    expect((await call('bundle', 'build', '--tag', tag)).result?.digest).toBe(result?.digest);
  });

  test('files that are not in the image are reported', async () => {
    write({ 'bundle/README.md': '' });
    expect((await call('bundle', 'build', '--tag', tag)).warnings).toMatchObject([{ code: 'oci/left-out' }]);
  });

  test('all findings come at once, and nothing is written', async () => {
    symlinkSync('/etc/hostname', join(folder(), 'bundle/manifests/link.yaml'));
    write({ file: '' });
    const { code, errors } = await call('bundle', 'build', '--tag', 'Team/Demo:v1', '--to', 'oci:file');
    expect(code).toBe(2);
    expect(new Set(errors.map((error) => error.code))).toEqual(
      new Set(['oci/invalid-reference', 'io/cannot-write', 'oci/unfit-file']),
    );
    expect(existsSync(join(folder(), 'dist'))).toBe(false);
  });

  test.each([
    ['a folder that does not exist', 'nowhere'],
    ['a folder without metadata', 'bundle/manifests'],
  ])('%s is refused', async (_, path) => {
    const { code, errors } = await call('bundle', 'build', path, '--tag', tag);
    expect(code).toBe(1);
    expect(errors.length).toBeGreaterThan(0);
    expect(existsSync(join(folder(), 'dist'))).toBe(false);
  });

  test('a bundle without manifests is refused', async () => {
    write({ 'empty/metadata/annotations.yaml': annotations });
    mkdirSync(join(folder(), 'empty/manifests'));
    const { errors } = await call('bundle', 'build', 'empty', '--tag', tag);
    expect(errors.map((error) => error.code)).toEqual(['bundle/empty']);
  });

  test('without a name for the image, the flag is named', async () => {
    const { code, errors } = await call('bundle', 'build');
    expect(code).toBe(2);
    expect(errors).toMatchObject([{ code: 'cli/missing-value', where: { flag: '--tag' } }]);
  });
});

test('bundle push tells all that is wrong with its flags at once', async () => {
  const flags = ['--ca-file', 'none.pem', '--from', 'somewhere'];
  const { code, errors } = await call('bundle', 'push', 'registry.example.com/Team/demo:v1', ...flags);
  expect(code).toBe(2);
  expect(errors.map((error) => error.code).sort()).toEqual([
    'cli/invalid-value',
    'oci/ca-file',
    'oci/invalid-reference',
  ]);
});

describe('image build', () => {
  beforeEach(async () => {
    // The operator need not be one: what is bundled is not run.
    write({
      'src/main.ts': 'console.log("an operator");\n',
      'package.json': '{"type":"module"}\n',
      'tsconfig.json': '{}\n',
    });
    const platforms = [amd64, arm64].map((platform) =>
      smallImage({
        platform,
        files: { 'usr/bin/node': platform.architecture },
        config: { Env: ['PATH=/usr/bin', 'NODE_VERSION=24.3.0'] },
      }),
    );
    await storeImage(resolvePlace(folder(), 'base'), 'base', joinPlatforms(platforms, 'oci'), {
      remove: 'unreferenced',
    });
  });
  const build = (...flags: string[]) => call('image', 'build', '--tag', tag, '--base', 'oci:base', ...flags);

  test('puts one layer on the base: the bundled operator, started as the Dockerfile starts it', async () => {
    const { code, errors } = await build();
    expect(errors).toEqual([]);
    expect(code).toBe(0);
    const { config, entries } = await lastLayer();
    expect(config.rootfs.diff_ids).toHaveLength(2);
    expect(config.config).toMatchObject({
      User: '65532:65532',
      WorkingDir: '/app',
      Entrypoint: ['node', '--enable-source-maps', '/app/main.mjs'],
    });
    const main = entries.find(({ path }) => path === 'app/main.mjs');
    expect(main?.content).toContain('an operator');
    expect(entries.map(({ path }) => path)).toContain('app/THIRD-PARTY-NOTICES.txt');
  });

  test('one layer serves all platforms', async () => {
    const { code, result } = await build('--platform', 'linux/amd64,linux/arm64');
    expect(code).toBe(0);
    expect(result?.platforms).toEqual(['linux/amd64', 'linux/arm64']);
    const content = await readLayout(resolvePlace(folder(), 'dist/images'), tag);
    const { manifests } = await readIndex(content, content.root);
    const layers = await Promise.all(
      manifests.map(async (manifest) => (await readImageManifest(content, manifest)).layers.at(-1)?.digest),
    );
    expect(manifests.map(({ platform }) => platform?.architecture)).toEqual(['amd64', 'arm64']);
    expect(new Set(layers).size).toBe(1);
  });

  test('the same sources and base give the same digest', async () => {
    const first = await build();
    expect((await build()).result).toMatchObject({ digest: first.result?.digest, changed: false });
    write({ 'src/main.ts': 'console.log("another operator");\n' });
    expect((await build()).result?.digest).not.toBe(first.result?.digest);
  });

  test('--sbom attaches a bill of materials, the same for the same image, and changes no digest', async () => {
    const plain = await build();
    const first = await build('--sbom');
    expect(first.result).toMatchObject({ digest: plain.result?.digest, changed: true });
    expect((await build('--sbom')).result).toEqual({ ...first.result, changed: false });
    const content = await readLayout(resolvePlace(folder(), 'dist/images'), tag);
    const [referrer] = content.referrers ?? [];
    expect(first.result).toMatchObject({ sbom: referrer?.digest });
    if (referrer === undefined) return expect.fail();
    const { layers } = await readImageManifest(content, referrer);
    const text = await Promise.all(layers.map((layer) => readBlob(content, layer)));
    expect(JSON.parse(text.join(''))).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'registry.example.com/team/demo', version: 'v0.1.0' } },
      components: [
        { name: 'oci:base', type: 'container' },
        { name: 'node', version: '24.3.0' },
      ],
    });
  });

  test('--sbom and a docker archive, which has no place for it, are refused', async () => {
    const { code, errors } = await build('--sbom', '--to', 'docker-archive:demo.tar');
    expect(code).toBe(2);
    expect(errors).toMatchObject([{ code: 'oci/archive-form', where: { flag: '--to' } }]);
    expect(existsSync(join(folder(), 'demo.tar'))).toBe(false);
  });

  test('a base that is not for the platform is reported, for each platform', async () => {
    const { code, errors } = await build('--platform', 'linux/s390x,linux/ppc64le');
    expect(code).toBe(1);
    expect(errors.map((error) => error.code)).toEqual(['oci/no-such-platform', 'oci/no-such-platform']);
    expect(existsSync(join(folder(), 'dist'))).toBe(false);
  });

  test("the base is the Dockerfile's, unless a flag names another one", async () => {
    write({ Dockerfile: 'ARG BASE_IMAGE=oci:./base\n\nFROM ${BASE_IMAGE}\n' });
    const { code, result } = await call('image', 'build', '--tag', tag);
    expect(code).toBe(0);
    expect(result).toMatchObject({ base: { image: 'base' } });
    write({ Dockerfile: 'ARG BASE_IMAGE=oci:./nothing\n' });
    expect((await call('image', 'build', '--tag', tag, '--base', 'oci:./base')).code).toBe(0);
    expect((await call('image', 'build', '--tag', tag)).code).not.toBe(0);
  });

  test('--push wants a name with a registry, before anything is built', async () => {
    const flags = ['--base', 'oci:./base', '--push'];
    const { code, errors } = await call('image', 'build', '--tag', 'controller:latest', ...flags);
    expect(code).toBe(2);
    expect(errors).toMatchObject([{ code: 'oci/no-registry-named', where: { flag: '--tag' } }]);
    expect(existsSync(join(folder(), 'dist'))).toBe(false);
  });

  test('all findings of the flags come at once', async () => {
    const { code, errors } = await call(
      ...['image', 'build', '--tag', 'Demo', '--base', 'oci:', '--platform', 'windows', '--to', 'x'],
    );
    expect(code).toBe(2);
    expect(errors.map((error) => error.where)).toEqual(
      ['--tag', '--to', '--platform', '--base'].map((flag) => ({ flag })),
    );
  });
});

test('images and the scaffolded Dockerfile agree on user, folder and entrypoint', () => {
  const dockerfile = readFileSync('test/golden/projects/basic/Dockerfile', 'utf8');
  expect(dockerfile).toContain(`WORKDIR ${operatorStart.folder}\n`);
  expect(dockerfile).toContain(`USER ${operatorStart.user}\n`);
  expect(dockerfile).toContain(
    `ENTRYPOINT ${JSON.stringify(operatorStart.entrypoint).replaceAll(',', ', ')}`,
  );
  expect(sha256(Buffer.from(''))).toBe(
    'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
});

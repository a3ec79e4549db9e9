// Bundles and images that were made to do harm: each is refused with a code, within 300 MB of memory, and nothing is written.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archive, imageOfLayer, tarBomb } from '../helpers/hostile-image.ts';
import { measuredRun, type MeasuredRun } from '../helpers/measured-run.ts';
import type { TarEntry } from '../unit/testing/tar.ts';

const objects = readFileSync(
  join(import.meta.dirname, '../golden/bundle/nginx-operator/objects.yaml'),
  'utf8',
);
const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-hostile-'));
const good = join(scratch, 'good');
const run = (cwd: string, ...argv: readonly string[]): Promise<MeasuredRun> => measuredRun(cwd, argv);
const generate = ['generate', 'bundle', '--version', '0.1.0', '--package', 'nginx-operator'];

beforeAll(async () => {
  mkdirSync(good);
  writeFileSync(join(good, 'objects.yaml'), objects);
  const { code, stderr } = await run(good, ...generate, '-f', 'objects.yaml');
  expect(code, stderr).toBe(0);
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A folder with the good bundle, spoilt. */
function spoilt(change: (bundle: string) => void): string {
  const folder = mkdtempSync(join(scratch, 'spoilt-'));
  cpSync(good, folder, { recursive: true });
  change(join(folder, 'bundle'));
  return folder;
}

const many = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_unused, index) => item(index)).join('');
const bomb = `a0: &a0 [x]\n${many(12, (i) => `a${i + 1}: &a${i + 1} [${many(10, () => `*a${i},`)}]\n`)}`;
const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const pipe = (path: string): unknown => execFileSync('mkfifo', [path]);
const big = (path: string): void => {
  writeFileSync(path, 'a: "');
  truncateSync(path, 100_000_000);
};

/** Sixty files of 19 MB, which take the room of one. */
const sixty = (folder: string): void => {
  writeFileSync(join(folder, 'z0.yaml'), `- ${'x'.repeat(17)}\n`.repeat(1_000_000).slice(0, 19_900_000));
  for (let index = 1; index < 60; index++) linkSync(join(folder, 'z0.yaml'), join(folder, `z${index}.yaml`));
};

/** What each of the commands says of a spoilt bundle: a code, or undefined where it is not its matter. */
interface Verdicts {
  readonly validate: string;
  readonly build: string | undefined;
}
const spoiltFile = 'manifests/z.yaml';
const bundles: readonly (readonly [what: string, change: (bundle: string) => void, verdicts: Verdicts])[] = [
  [
    'a file of 100 MB',
    (bundle) => big(join(bundle, spoiltFile)),
    { validate: 'bundle/not-a-manifest', build: 'oci/unfit-file' },
  ],
  [
    'aliases that multiply',
    (bundle) => writeFileSync(join(bundle, spoiltFile), bomb),
    { validate: 'io/too-large', build: undefined },
  ],
  [
    '100,000 documents',
    (bundle) =>
      writeFileSync(
        join(bundle, spoiltFile),
        many(100_000, (i) => `---\na: ${i}\n`),
      ),
    { validate: 'io/not-an-object', build: undefined },
  ],
  [
    'a link to a file of the machine',
    (bundle) => symlinkSync('/etc/passwd', join(bundle, spoiltFile)),
    { validate: 'bundle/unexpected-file', build: 'oci/unfit-file' },
  ],
  [
    'a link to an endless device',
    (bundle) => symlinkSync('/dev/zero', join(bundle, spoiltFile)),
    { validate: 'bundle/unexpected-file', build: 'oci/unfit-file' },
  ],
  [
    'a link to the folder around it',
    (bundle) => symlinkSync('..', join(bundle, 'manifests/loop')),
    { validate: 'bundle/unexpected-file', build: 'oci/unfit-file' },
  ],
  [
    'a pipe',
    (bundle) => pipe(join(bundle, spoiltFile)),
    { validate: 'bundle/unexpected-file', build: 'oci/unfit-file' },
  ],
  [
    'a pipe in the place of the annotations',
    (bundle) => {
      rmSync(join(bundle, 'metadata/annotations.yaml'));
      pipe(join(bundle, 'metadata/annotations.yaml'));
    },
    { validate: 'bundle/unexpected-file', build: 'io/cannot-read' },
  ],
  [
    'a file of four gigabytes',
    (bundle) => {
      writeFileSync(join(bundle, spoiltFile), '');
      truncateSync(join(bundle, spoiltFile), 4 * 1024 ** 3);
    },
    { validate: 'bundle/not-a-manifest', build: 'oci/unfit-file' },
  ],
  [
    '6,000 files',
    (bundle) => {
      for (let index = 0; index < 6000; index++) writeFileSync(join(bundle, `manifests/f${index}.yaml`), map);
    },
    { validate: 'bundle/unexpected-file', build: 'oci/unfit-file' },
  ],
  [
    '60 manifests of 19 MB',
    (bundle) => sixty(join(bundle, 'manifests')),
    { validate: 'io/too-large', build: 'oci/unfit-file' },
  ],
  [
    '60 metadata files of 19 MB',
    (bundle) => sixty(join(bundle, 'metadata')),
    { validate: 'io/too-large', build: 'oci/unfit-file' },
  ],
  [
    'annotations that lead out of the bundle',
    (bundle) => {
      const path = join(bundle, 'metadata/annotations.yaml');
      writeFileSync(path, readFileSync(path, 'utf8').replace('manifests/', '../../../etc/'));
    },
    { validate: 'bundle/invalid-annotation', build: 'bundle/invalid-annotation' },
  ],
  [
    'NUL and characters that turn the direction of text',
    (bundle) =>
      writeFileSync(join(bundle, spoiltFile), 'apiVersion: v1\nkind: A\u202eb\nmetadata: {name: "\u0000"}\n'),
    { validate: 'bundle/not-a-manifest', build: undefined },
  ],
];

describe('a bundle with', () => {
  test.each(bundles)('%s', async (_what, change, verdicts) => {
    const folder = spoilt(change);
    const before = readdirSync(folder);
    const validated = await run(folder, 'bundle', 'validate', 'bundle');
    expect([validated.code, validated.stdout], validated.stderr).toEqual([1, '']);
    expect(validated.stderr).toContain(`error[${verdicts.validate}]`);
    const published = await run(folder, 'bundle', 'publish', '--output-dir', 'hub');
    expect([published.code, published.stdout], published.stderr).toEqual([1, '']);
    expect(published.stderr).toContain(`error[${verdicts.validate}]`);
    const tested = await run(folder, 'scorecard', '--local', 'bundle');
    if (verdicts.validate !== 'bundle/invalid-annotation') expect(tested.code, tested.stderr).toBe(1);
    if (verdicts.build !== undefined) {
      const built = await run(folder, 'bundle', 'build', '--tag', 'example.com/a/b:v1', '--to', 'oci:out');
      expect([built.code, built.stdout], built.stderr).toEqual([1, '']);
      expect(built.stderr).toContain(`error[${verdicts.build}]`);
    }
    expect(readdirSync(folder)).toEqual(before);
  });
});

describe('generate bundle into a folder with', () => {
  const folders: readonly (readonly [what: string, change: (bundle: string) => void])[] = [
    ['60 manifests of 19 MB', (bundle) => sixty(join(bundle, 'manifests'))],
    ['60 metadata files of 19 MB', (bundle) => sixty(join(bundle, 'metadata'))],
    [
      '100,000 annotations',
      (bundle) =>
        appendFileSync(
          join(bundle, 'metadata/annotations.yaml'),
          many(100_000, (i) => `  a${i}: b\n`),
        ),
    ],
  ];
  test.each(folders)('%s', async (_what, change) => {
    const folder = spoilt(change);
    const csv = (): string =>
      readFileSync(join(folder, 'bundle/manifests/nginx-operator.clusterserviceversion.yaml'), 'utf8');
    const before = csv();
    const { code, stdout, stderr } = await run(folder, ...generate, '-f', 'objects.yaml', '--channels', 'a');
    expect([code, stdout], stderr).toEqual([1, '']);
    expect(stderr).toContain('error[io/too-large]');
    expect(csv()).toBe(before);
  });
});

describe('a bundle with a link', () => {
  test('in the place of its scorecard tests reads nothing from elsewhere', async () => {
    const folder = spoilt((bundle) => {
      rmSync(join(bundle, 'tests'), { recursive: true });
      mkdirSync(join(bundle, 'tests'));
      symlinkSync('../../elsewhere', join(bundle, 'tests/scorecard'));
    });
    mkdirSync(join(folder, 'elsewhere'));
    writeFileSync(join(folder, 'elsewhere/config.yaml'), 'secret: 1\n');
    const { code, stdout, stderr } = await run(folder, 'scorecard', '--local', 'bundle');
    expect([code, stdout], stderr).toEqual([1, '']);
    expect(stderr).toContain('error[bundle/scorecard-config]');
    expect(stderr).not.toContain('secret');
  });

  test('above the folder of its manifests is not built', async () => {
    const folder = spoilt((bundle) => {
      symlinkSync('../elsewhere', join(bundle, 'link'));
      const path = join(bundle, 'metadata/annotations.yaml');
      writeFileSync(path, readFileSync(path, 'utf8').replace('manifests/', 'link/deep/'));
    });
    mkdirSync(join(folder, 'elsewhere'));
    cpSync(join(folder, 'bundle/manifests'), join(folder, 'elsewhere/deep'), { recursive: true });
    const built = await run(folder, 'bundle', 'build', '--tag', 'example.com/a/b:v1', '--to', 'oci:out');
    expect([built.code, built.stdout], built.stderr).toEqual([1, '']);
    expect(built.stderr).toContain('error[oci/unfit-file]');
  });
});

const file = (name: string): TarEntry => ({ name, content: Buffer.from('a: 1\n') });

describe('bundle validate oci:DIR of an image with', () => {
  const images: readonly (readonly [what: string, code: string, layer: () => Buffer | Promise<Buffer>])[] = [
    ['a path out of it', 'oci/', () => archive(file('../../escaped.yaml'))],
    ['an absolute path', 'bundle/missing-folder', () => archive(file('/escaped.yaml'))],
    [
      'a file behind a link out of it',
      'bundle/missing-folder',
      () => archive({ name: 'manifests', type: '2', target: scratch }, file('manifests/escaped.yaml')),
    ],
    ['2 GB in 2 MB', 'oci/', () => tarBomb('manifests/a.yaml')],
  ];
  test.each(images)('%s', async (_what, code, layer) => {
    const folder = imageOfLayer(scratch, await layer());
    const before = readdirSync(scratch);
    const { code: exitCode, stdout, stderr } = await run(folder, 'bundle', 'validate', 'oci:image');
    expect([exitCode, stdout], stderr).toEqual([1, '']);
    expect(stderr).toContain(`error[${code}`);
    expect(readdirSync(scratch)).toEqual(before);
    for (const path of ['/escaped.yaml', join(scratch, 'escaped.yaml'), join(tmpdir(), 'escaped.yaml')])
      expect(existsSync(path), path).toBe(false);
  });
});

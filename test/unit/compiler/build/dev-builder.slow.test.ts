// The bundle of `op-sdk dev`, made again and again by one builder.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { DevBuilder, devOutfile, type DevBundle } from '../../../../src/compiler/build/index.ts';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import { observe, changedPaths } from '../../../../src/base/util/observe-files.ts';
import { projectFolder, type ProjectFolder } from '../manifests/project-folder.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function setUp(files: Record<string, string>): { folder: ProjectFolder; builder: DevBuilder } {
  const folder = projectFolder(files);
  const builder = new DevBuilder(folder.dir);
  cleanUps.push(
    () => folder.remove(),
    () => builder.close(),
  );
  return { folder, builder };
}

const build = (builder: DevBuilder): Promise<DevBundle> => builder.build(observe().view);
const textOf = ({ files }: DevBundle): string => files.find(({ path }) => path === devOutfile)?.content ?? '';
const configMap = (value: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${value}}\n`;
const loading = {
  'src/main.ts': `import { loadManifest } from 'opsdk';
import { ConfigMap } from 'opsdk/k8s/core/v1';
import { word } from './word.ts';
export const loaded = [loadManifest(ConfigMap, 'assets/map.yaml'), word];
`,
  'src/word.ts': `export const word: string = 'first';\n`,
  'assets/map.yaml': configMap('one'),
};

describe('a bundle for development', () => {
  test('follows sources and operand manifests, and leaves opsdk where it is installed', async () => {
    const { folder, builder } = setUp(loading);
    const first = textOf(await build(builder));
    expect(first).toContain('from "opsdk"');
    expect(first).toContain('one');
    expect(first).toContain('first');
    folder.write('src/word.ts', `\n\nexport const word: string = 'second';\n`);
    folder.write('assets/map.yaml', configMap('two'));
    const second = textOf(await build(builder));
    expect(second).toContain('two');
    expect(second).toContain('second');
    expect(textOf(await build(builder))).toBe(second);
  });

  test('is not minified, so that a debugger shows what was written', async () => {
    const { builder } = setUp({
      'src/main.ts': `const sum = (first: number, second: number) => {\n  return first + second;\n};\nconsole.log(sum(1, 2));\n`,
    });
    expect(textOf(await build(builder))).toContain('return first + second;\n');
  });

  test('does not touch what goes into an image, and has chunks of its own', async () => {
    const { folder, builder } = setUp({
      'src/main.ts': `await import('./late.ts');\n`,
      'src/late.ts': `console.log('late');\n`,
    });
    const { files, staleChunks } = await build(builder);
    expect(files.map(({ path }) => path).filter((path) => path.endsWith('.mjs'))).toEqual([
      expect.stringMatching(/^dist\/dev-chunks\/late-\w{8}\.mjs$/),
      'dist/dev.mjs',
    ]);
    expect(staleChunks).toEqual([]);
    for (const { path, content } of files) {
      mkdirSync(dirname(join(folder.dir, path)), { recursive: true });
      writeFileSync(join(folder.dir, path), content);
    }
    expect(spawnSync(process.execPath, [join(folder.dir, devOutfile)], { encoding: 'utf8' }).stdout).toBe(
      'late\n',
    );
    folder.write('src/late.ts', `console.log('later');\n`);
    expect((await build(builder)).staleChunks).toEqual([
      expect.stringMatching(/^dist\/dev-chunks\/late-\w{8}\.mjs$/),
      expect.stringMatching(/^dist\/dev-chunks\/late-\w{8}\.mjs\.map$/),
    ]);
  });

  test('is shown every file that it depends on', async () => {
    const { folder, builder } = setUp({
      ...loading,
      'src/word.ts': `import data from './data.json' with { type: 'json' };\nexport const word: string = data.word;\n`,
      'src/data.json': '{ "word": "json" }',
      'src/unused.ts': '',
    });
    const observed = observe();
    await builder.build(observed.view);
    const seen = observed.observations() ?? expect.fail('torn');
    for (const [file, isSeen] of [
      ['src/main.ts', true],
      ['src/word.ts', true],
      ['src/data.json', true],
      ['assets/map.yaml', true],
      ['src/unused.ts', false],
    ] as const) {
      const before = folder.read(file);
      folder.write(file, `${before}\n`);
      const names = changedPaths(seen).map((path) => path.endsWith(file));
      expect(names, file).toEqual(isSeen ? [true] : []);
      folder.write(file, before);
    }
  });
});

describe('after an error', () => {
  test.each([
    ['a syntax error', 'src/word.ts', 'export const word = ;\n'],
    ['an import of nothing', 'src/word.ts', `export { word } from './nothing.ts';\n`],
    ['an invalid operand manifest', 'assets/map.yaml', 'apiVersion: v1\nkind: Pod\n'],
  ])('%s, the same builder goes on', async (_title, file, bad) => {
    const { folder, builder } = setUp(loading);
    const good = textOf(await build(builder));
    const before = folder.read(file);
    folder.write(file, bad);
    const error = await build(builder).catch((thrown: unknown) => thrown);
    expect(isOpSdkError(error) ? error.findings : error).toMatchObject([
      { where: { file: expect.stringMatching(/^(src|assets)\//) as string } },
    ]);
    folder.write(file, before);
    expect(textOf(await build(builder))).toBe(good);
  });

  test('a missing entry is refused until it is there', async () => {
    const { folder, builder } = setUp({});
    await expect(build(builder)).rejects.toMatchObject({ code: 'build/entry-not-found' });
    folder.write('src/main.ts', `console.log('there');\n`);
    expect(textOf(await build(builder))).toContain('there');
  });
});

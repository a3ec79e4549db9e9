// What the bundler says of a bundle, written down: which inputs it took, who imports whom, what the outputs weigh.
import type { Metafile } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { bundleSize, forbiddenInputs } from '../../../../src/compiler/build/build-operator.ts';
import { lines } from '../manifests/fixture.ts';

/** A metafile of these inputs, each with what it imports. */
function metafile(imports: Readonly<Record<string, readonly string[]>>): Metafile {
  const inputs = Object.entries(imports).map(([path, targets]) => [
    path,
    { bytes: 1, imports: targets.map((target) => ({ path: target, kind: 'import-statement' })) },
  ]);
  return { inputs: Object.fromEntries(inputs), outputs: {} };
}

const options = {
  projectDir: '/project',
  entry: 'src/main.ts',
  ownRoots: ['/project/node_modules/opsdk'],
};
const found = (imports: Readonly<Record<string, readonly string[]>>): string[] =>
  lines(forbiddenInputs(metafile(imports), options));

describe('forbidden inputs', () => {
  const opsdk = 'node_modules/opsdk/dist';

  test('a room of opsdk that does not ship, with the way to it from the last file of the project', () => {
    expect(
      found({
        'src/main.ts': ['src/plane.ts'],
        'src/plane.ts': [`${opsdk}/testing/index.js`],
        [`${opsdk}/testing/index.js`]: [],
      }),
    ).toEqual([
      `build/forbidden-package src/plane.ts the operator's bundle would contain opsdk/testing, which is for development only and is imported by way of src/main.ts → src/plane.ts → ${opsdk}/testing/index.js`,
    ]);
  });

  test('a tool that opsdk imports, once', () => {
    const yaml = ['node_modules/yaml/index.js', 'node_modules/yaml/parse.js'] as const;
    const imports = {
      'src/main.ts': [`${opsdk}/index.js`],
      [`${opsdk}/index.js`]: yaml,
      [yaml[0]]: [],
      [yaml[1]]: [],
    };
    expect(found(imports)).toHaveLength(1);
    expect(found(imports)[0]).toContain(
      "src/main.ts the operator's bundle would contain yaml, which is for development only",
    );
  });

  test('not what ships, and not a package that the operator itself imports', () => {
    expect(
      found({
        'src/main.ts': [`${opsdk}/index.js`, 'node_modules/yaml/index.js'],
        [`${opsdk}/index.js`]: [`${opsdk}/runtime/index.js`],
        [`${opsdk}/runtime/index.js`]: [`${opsdk}/kube/index.js`],
        [`${opsdk}/kube/index.js`]: [],
        'node_modules/yaml/index.js': [],
      }),
    ).toEqual([]);
  });
});

test('the size counts what is loaded at the start apart from what is loaded when needed, and says whose it is', () => {
  const inputs = (bytes: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(bytes).map(([path, bytesInOutput]) => [path, { bytesInOutput }]));
  const outputs = {
    'dist/main.mjs': {
      bytes: 10,
      imports: [
        { path: 'dist/chunks/shared.mjs', kind: 'import-statement' },
        { path: 'dist/chunks/lazy.mjs', kind: 'dynamic-import' },
      ],
      inputs: inputs({ 'src/main.ts': 3, 'node_modules/opsdk/dist/runtime/main.js': 6 }),
    },
    'dist/main.mjs.map': { bytes: 1000, imports: [], inputs: {} },
    'dist/chunks/shared.mjs': {
      bytes: 5,
      imports: [],
      inputs: inputs({
        'node_modules/opsdk/dist/runtime/queue.js': 1,
        'node_modules/opsdk/dist/index.js': 0,
        'node_modules/opsdk/node_modules/@x/y/lib/a.js': 4,
      }),
    },
    'dist/chunks/lazy.mjs': {
      bytes: 100,
      imports: [{ path: 'dist/chunks/shared.mjs', kind: 'import-statement' }],
      inputs: inputs({ 'node_modules/z/index.js': 99 }),
    },
  };
  const size = bundleSize({ inputs: {}, outputs } as unknown as Metafile, 'dist/main.mjs', options);
  const parts = { 'opsdk/runtime': 7, '@x/y': 4, operator: 3, opsdk: 0 };
  expect(size).toEqual({ hot: 15, total: 115, parts });
  expect(Object.keys(size.parts)).toEqual(Object.keys(parts));
});

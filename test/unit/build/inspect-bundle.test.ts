// What the bundler says of a bundle, written down: which inputs it took, who imports whom, what the outputs weigh.
import type { Metafile } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { bundleSize, forbiddenInputs } from '../../../src/build/inspect-bundle.ts';
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
      `build/forbidden-package src/plane.ts the bundle holds opsdk/testing, which belongs to development: src/main.ts → src/plane.ts → ${opsdk}/testing/index.js`,
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
    expect(found(imports)[0]).toContain('src/main.ts the bundle holds yaml, which belongs to development');
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

test('the size counts what is loaded at the start apart from what is loaded when needed', () => {
  const output = (bytes: number, ...imports: { path: string; kind: string }[]) => ({ bytes, imports });
  const outputs = {
    'dist/main.mjs': output(
      10,
      { path: 'dist/chunks/shared.mjs', kind: 'import-statement' },
      { path: 'dist/chunks/lazy.mjs', kind: 'dynamic-import' },
    ),
    'dist/main.mjs.map': output(1000),
    'dist/chunks/shared.mjs': output(5),
    'dist/chunks/lazy.mjs': output(100, { path: 'dist/chunks/shared.mjs', kind: 'import-statement' }),
  };
  expect(bundleSize({ inputs: {}, outputs } as unknown as Metafile, 'dist/main.mjs')).toEqual({
    hot: 15,
    total: 115,
  });
});

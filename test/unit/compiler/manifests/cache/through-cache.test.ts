import fs, {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { throughCache } from '../../../../../src/compiler/manifests/cache/through-cache.ts';
import { generateManifests } from '../../../../../src/compiler/manifests/index.ts';
import { observe, stillHolds, type FileView } from '../../../../../src/base/util/observe-files.ts';
import { kindSource, projectFolder, type ProjectFolder } from '../project-folder.ts';

let root = '';
let cache = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'opsdk-cache-')));
  cache = join(root, 'cache');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string, content: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};

/** One run of something that looks at files; it says whether it had to look. */
async function run(
  looks: (files: FileView) => unknown,
  given: { readonly key?: unknown; readonly identity?: string } = {},
): Promise<'hit' | 'miss'> {
  let outcome: 'hit' | 'miss' = 'hit';
  await throughCache({
    folder: cache,
    key: given.key ?? 'key',
    identity: given.identity ?? 'package',
    make: (files) => {
      outcome = 'miss';
      looks(files);
      return Promise.resolve({ made: true });
    },
  });
  return outcome;
}

describe('what makes a second run look again', () => {
  const looks = (files: FileView): void => {
    files.readFile(join(root, 'src/a.ts'));
    files.readFile(join(root, 'src/later.json'));
    files.fileExists(join(root, 'src/b.ts'));
    files.directoryExists(join(root, 'node_modules/x'));
    files.realpath(join(root, 'link'));
    files.list(join(root, 'src'));
  };
  beforeEach(() => {
    write('src/a.ts', 'a');
    write('one/x', '');
    write('two/x', '');
    symlinkSync(join(root, 'one'), join(root, 'link'));
  });

  const changes: readonly [string, () => void][] = [
    ['another text', () => write('src/a.ts', 'b')],
    ['a text that is gone', () => rmSync(join(root, 'src/a.ts'))],
    ['a text that was not there', () => write('src/later.json', '{}')],
    ['a file that was not there', () => write('src/b.ts', '')],
    ['a folder that was not there', () => mkdirSync(join(root, 'node_modules/x'), { recursive: true })],
    ['a new name in a listed folder', () => write('src/c.ts', '')],
    [
      'another name in a listed folder',
      () => {
        write('src/a2.ts', 'a');
        rmSync(join(root, 'src/a.ts'));
      },
    ],
    ['a listed folder that is gone', () => renameSync(join(root, 'src'), join(root, 'other'))],
    [
      'a link that leads elsewhere',
      () => {
        rmSync(join(root, 'link'));
        symlinkSync(join(root, 'two'), join(root, 'link'));
      },
    ],
  ];
  test.each(changes)('%s', async (_, change) => {
    expect(await run(looks)).toBe('miss');
    expect(await run(looks)).toBe('hit');
    change();
    expect(await run((files) => files.readFile(join(root, 'src/a.ts')))).toBe('miss');
  });

  test('another text of the same length and time', async () => {
    expect(await run(looks)).toBe('miss');
    write('src/a.ts', 'x');
    utimesSync(join(root, 'src/a.ts'), 0, 0);
    expect(await run(looks)).toBe('miss');
    write('src/a.ts', 'y');
    utimesSync(join(root, 'src/a.ts'), 0, 0);
    expect(await run(looks)).toBe('miss');
  });

  test('other options and another generator', async () => {
    expect(await run(looks, { key: { only: 'crd' } })).toBe('miss');
    expect(await run(looks, { key: {} })).toBe('miss');
    expect(await run(looks, { key: { only: 'crd' } })).toBe('hit');
    expect(await run(looks, { key: {}, identity: 'packed again' })).toBe('miss');
  });

  test('nothing else does: the same text written again, a hidden file, a file elsewhere', async () => {
    expect(await run(looks)).toBe('miss');
    write('src/a.ts', 'a');
    write('src/.a.ts.swp', '');
    write('unrelated.ts', '');
    expect(await run(looks)).toBe('hit');
  });
});

test('a file that changes while it is read twice belongs to no outcome that could be remembered', async () => {
  write('a.ts', '1');
  const looks = (files: FileView): void => {
    files.readFile(join(root, 'a.ts'));
    write('a.ts', '2');
    files.readFile(join(root, 'a.ts'));
  };
  expect(await run(looks)).toBe('miss');
  expect(await run(() => undefined)).toBe('miss');
});

test('nor one that is read while it is another for a moment', async () => {
  write('a.ts', '1');
  const looks = (files: FileView): void => {
    files.readFile(join(root, 'a.ts'));
    write('a.ts', '2');
    files.readFile(join(root, 'a.ts'));
    write('a.ts', '1');
  };
  expect(await run(looks)).toBe('miss');
  expect(await run(() => undefined)).toBe('miss');
});

test('a run that fails is not remembered', async () => {
  const failing = run(() => {
    throw new Error('broken source');
  });
  await expect(failing).rejects.toThrow('broken source');
  expect(await run(() => undefined)).toBe('miss');
});

test('a damaged entry is written again', async () => {
  await run(() => undefined);
  const [name = ''] = readdirSync(cache);
  const text = readFileSync(join(cache, name), 'utf8');
  writeFileSync(join(cache, name), text.slice(0, -9));
  expect(await run(() => undefined)).toBe('miss');
  expect(readFileSync(join(cache, name), 'utf8')).toBe(text);
});

test('a cache that cannot be written is none', async () => {
  write('cache', 'a file where the folder should be');
  expect(await run(() => undefined)).toBe('miss');
  expect(await run(() => undefined)).toBe('miss');
});

test('many at once: all get the outcome, one whole entry stays, no drafts', async () => {
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => run(() => undefined)));
  expect(outcomes).toContain('miss');
  expect(readdirSync(cache)).toEqual([expect.stringMatching(/\.entry$/)]);
  expect(await run(() => undefined)).toBe('hit');
});

test('old entries go, and drafts of processes that died', async () => {
  mkdirSync(cache);
  for (let index = 0; index < 80; index += 1) {
    writeFileSync(join(cache, `old-${index}.entry`), '');
    utimesSync(join(cache, `old-${index}.entry`), index, index);
  }
  writeFileSync(join(cache, 'dead.tmp'), '');
  utimesSync(join(cache, 'dead.tmp'), 0, 0);
  writeFileSync(join(cache, 'fresh.tmp'), '');
  await run(() => undefined);
  const names = readdirSync(cache);
  expect(names.filter((name) => name.endsWith('.entry'))).toHaveLength(64);
  expect(names).toContain('old-79.entry');
  expect(names).not.toContain('old-0.entry');
  expect(names.filter((name) => name.endsWith('.tmp'))).toEqual(['fresh.tmp']);
});

describe('generateManifests', () => {
  let folder: ProjectFolder;
  beforeEach(() => {
    folder = projectFolder({
      'tsconfig.json': '{ "extends": "./base.json" }',
      'base.json': '{ "compilerOptions": { "baseUrl": ".", "paths": { "#shared/*": ["./shared/*"] } } }',
      'src/api/a.ts': kindSource('Alpha', {
        spec: 'b?: Part; c?: Installed }\ninterface Unused { x?: string',
      }).replace(
        'import',
        "import type { Part } from '#shared/part';\nimport type { Installed } from 'parts';\nimport",
      ),
      'src/plain.js': 'export const x = 1;',
      'shared/part.d.ts': 'export interface Part { name: string }',
      'node_modules/parts/package.json': '{ "name": "parts", "types": "./index.d.ts" }',
      'node_modules/parts/index.d.ts': 'export interface Installed { size: string }',
    });
  });
  afterEach(() => folder.remove());

  test('looks at nothing in the project but through its view', () => {
    const looked = new Set<string>();
    const names = ['readFileSync', 'statSync', 'lstatSync', 'existsSync', 'readdirSync', 'openSync'] as const;
    const own = names.map((name) => [name, fs[name]] as const);
    const dir = realpathSync(folder.dir);
    let open = true;
    const observed = observe();
    const through: FileView = Object.fromEntries(
      Object.entries(observed.view).map(([name, look]) => [
        name,
        (path: string) => {
          open = false;
          try {
            return (look as (path: string) => unknown)(path);
          } finally {
            open = true;
          }
        },
      ]),
    ) as never;
    try {
      for (const [name, original] of own) {
        const spied = (path: unknown, ...rest: unknown[]): unknown => {
          if (open && typeof path === 'string' && (path.startsWith(dir) || path.startsWith(folder.dir)))
            looked.add(`${name} ${path}`);
          return (original as (...all: unknown[]) => unknown)(path, ...rest);
        };
        Object.assign(fs, { [name]: spied });
      }
      syncBuiltinESMExports();
      expect(generateManifests({ projectDir: folder.dir, files: through }).kinds).toBe(1);
    } finally {
      Object.assign(fs, Object.fromEntries(own));
      syncBuiltinESMExports();
    }
    expect([...looked]).toEqual([]);
    const texts = Object.keys(observed.observations()?.texts ?? {}).map((path) =>
      path.replace(`${dir}/`, ''),
    );
    for (const file of ['tsconfig.json', 'base.json', 'src/api/a.ts', 'shared/part.d.ts', 'src/plain.js'])
      expect(texts).toContain(file);
    expect(texts).toContain('node_modules/parts/package.json');
    expect(texts).toContain('node_modules/parts/index.d.ts');
  });

  const changes: readonly [string, (folder: ProjectFolder) => void][] = [
    ['a source', (to) => to.write('src/api/a.ts', `${to.read('src/api/a.ts')}\n`)],
    ['an imported file', (to) => to.write('shared/part.d.ts', 'export interface Part { name?: string }')],
    [
      'a file that comes before the imported one',
      (to) => to.write('shared/part.ts', 'export interface Part {}'),
    ],
    [
      'a package',
      (to) => to.write('node_modules/parts/index.d.ts', 'export interface Installed { n: string }'),
    ],
    [
      'the package.json of a package',
      (to) => to.write('node_modules/parts/package.json', '{ "name": "parts", "types": "./other.d.ts" }'),
    ],
    [
      'a nearer package',
      (to) => to.write('src/node_modules/parts/index.d.ts', 'export interface Installed {}'),
    ],
    ['the base of the tsconfig', (to) => to.write('base.json', '{}')],
    ['a new source', (to) => to.write('src/api/deep/b.ts', kindSource('Beta'))],
    ['a new script', (to) => to.write('src/new.js', '')],
    ['the type of the package', (to) => to.write('package.json', '{}')],
  ];
  test.each(changes)('%s is an input', (_, change) => {
    const observed = observe();
    generateManifests({ projectDir: folder.dir, files: observed.view });
    const seen = observed.observations();
    expect(seen).toBeDefined();
    expect(seen && stillHolds(seen)).toBe(true);
    change(folder);
    expect(seen && stillHolds(seen)).toBe(false);
  });
});

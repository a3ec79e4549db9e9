// The files of the user that a module of a schema, or another source, must not bring into a CRD.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readManifests } from '../../../../../src/compiler/build/read-manifests.ts';
import { OpSdkError, formatFindings } from '../../../../../src/base/errors/index.ts';
import { generateManifests } from '../../../../../src/compiler/manifests/index.ts';
import { schemaProject } from '../../../../helpers/schema-project.ts';
import { repository, type ProjectFolder } from '../../manifests/project-folder.ts';

const timeout = 300_000;
const secret = 'c2VjcmV0LXRva2Vu';

let home: string;
let folder: ProjectFolder | undefined;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-home-')));
  writeHome('.docker/config.json', JSON.stringify({ auths: { [secret]: { auth: secret } } }));
  writeHome('.netrc', `machine example.com login ${secret}\n`);
  writeHome('other/package.json', JSON.stringify({ name: 'other', main: './index.js' }));
  writeHome('other/index.js', `export const z = '${secret}';\n`);
  writeHome(
    'other/keys.ts',
    `/** ${secret} */\nexport interface Keys { ${secret}: string }\nexport const key = '${secret}';\n`,
  );
});
afterEach(() => {
  folder?.remove();
  rmSync(home, { recursive: true, force: true });
});

function writeHome(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

/** The way from a folder of the project to a file of the home, with forward slashes. */
const way = (from: string, to: string): string =>
  relative(join(folder?.dir ?? '', from), join(home, to)).replaceAll('\\', '/');

const schemaOf = (imports: string, value: string): string => `import { z } from 'zod';
${imports}
export const schema = z.object({ spec: z.object({ size: z.int32().describe(JSON.stringify(${value})) }) });
`;

function outcome(project: ProjectFolder): string {
  try {
    const { files } = generateManifests({ projectDir: project.dir, only: 'crd' });
    return `generated ${JSON.stringify(files)}`;
  } catch (error) {
    if (error instanceof OpSdkError) return formatFindings(error.findings);
    throw error;
  }
}

function expectRefused(project: ProjectFolder, place: RegExp = /at src\/api\/[\w./-]+:\d+:\d+/): void {
  const said = outcome(project);
  expect(said).not.toContain(secret);
  expect(said).toContain('error[schema/outside-project]');
  expect(said).toMatch(place);
}

/** Modules of a schema, by what they import; made when the folders are there. */
const imports: Readonly<Record<string, () => readonly [imports: string, value: string]>> = {
  'JSON by a relative path': () => [
    `import s from '${way('src/api', '.docker/config.json')}' with { type: 'json' };`,
    's',
  ],
  'JSON by a link in src': () => {
    symlinkSync(join(home, '.docker/config.json'), join(folder?.dir ?? '', 'src/api/config.json'));
    return ["import s from './config.json' with { type: 'json' };", 's'];
  },
  'JSON through a link to a folder': () => {
    symlinkSync(home, join(folder?.dir ?? '', 'src/api/link'));
    return ["import s from './link/.docker/config.json' with { type: 'json' };", 's'];
  },
  'a module by a relative path': () => [`import { key } from '${way('src/api', 'other/keys.ts')}';`, 'key'],
  'a module by a link in src': () => {
    symlinkSync(join(home, 'other/keys.ts'), join(folder?.dir ?? '', 'src/api/keys.ts'));
    return ["import { key } from './keys.ts';", 'key'];
  },
  'a text by a link in src': () => {
    symlinkSync(join(home, '.netrc'), join(folder?.dir ?? '', 'src/api/netrc.ts'));
    return ["import * as s from './netrc.ts';", 's'];
  },
  'a re-export': () => [`export * from '${way('src/api', 'other/keys.ts')}';`, '1'],
  'a path of the tsconfig': () => {
    folder?.write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { paths: { secret: [way('', '.docker/config.json')] } } }),
    );
    return ["import s from 'secret' with { type: 'json' };", 's'];
  },
  'a path that climbs out of a library': () => [
    `import s from 'arktype/../../${way('', '.docker/config.json')}' with { type: 'json' };`,
    's',
  ],
  'a path that climbs out of a library that is missing': () => {
    rmSync(join(folder?.dir ?? '', 'node_modules/arktype'), { recursive: true });
    return [`import s from 'arktype/../../${way('', '.docker/config.json')}' with { type: 'json' };`, 's'];
  },
};

test.each(Object.keys(imports))('%s is refused with its place', { timeout }, (name) => {
  folder = schemaProject('');
  const [lines, value] = imports[name]?.() ?? ['', ''];
  folder.write('src/api/sample.schema.ts', schemaOf(lines, value));
  expectRefused(folder);
});

test.each(['file:///etc/passwd', '/etc/passwd', 'data:application/json,{}', 'https://example.com/x.js'])(
  'the module %s is refused',
  { timeout },
  (specifier) => {
    folder = schemaProject(schemaOf(`import s from '${specifier}';`, 's'));
    expect(outcome(folder)).toMatch(
      /error\[schema\/module-imports\][^]*at src\/api\/sample\.schema\.ts:2:15/,
    );
  },
);

/** Packages called arktype, and what a module imports of them. */
const packages: Readonly<Record<string, (dir: string) => string | undefined>> = {
  'a link to a folder elsewhere': (dir) => {
    symlinkSync(join(home, '.docker'), dir);
    return 'arktype/config.json';
  },
  'a link to another package': (dir) => {
    writeHome('node_modules/arktype/package.json', JSON.stringify({ name: 'private' }));
    symlinkSync(join(home, 'node_modules/arktype'), dir);
    return undefined;
  },
  'main that leads out': (dir) => {
    mkdirSync(dir);
    writeFileSync(
      join(dir, 'package.json'),
      JSON.stringify({ name: 'arktype', main: relative(dir, join(home, 'other/index.js')) }),
    );
    return undefined;
  },
  'exports that lead out': (dir) => {
    mkdirSync(dir);
    writeFileSync(
      join(dir, 'package.json'),
      JSON.stringify({
        name: 'arktype',
        exports: { '.': `./${relative(dir, join(home, 'other/index.js'))}` },
      }),
    );
    return undefined;
  },
  'a pattern of exports that leads out': (dir) => {
    mkdirSync(dir);
    writeFileSync(
      join(dir, 'package.json'),
      JSON.stringify({ name: 'arktype', exports: { './*': '../../../*' } }),
    );
    return `arktype/${basename(home)}/.docker/config.json`;
  },
  'imports that lead out': (dir) => {
    mkdirSync(dir);
    writeFileSync(
      join(dir, 'package.json'),
      JSON.stringify({
        name: 'arktype',
        main: 'index.js',
        imports: { '#s': `./${relative(dir, join(home, 'other/index.js'))}` },
      }),
    );
    writeFileSync(join(dir, 'index.js'), "export * from '#s'; export { z as default } from '#s';");
    return undefined;
  },
  'a link in a package': (dir) => {
    mkdirSync(dir);
    writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: 'arktype', main: 'index.js' }));
    symlinkSync(join(home, 'other/index.js'), join(dir, 'index.js'));
    return undefined;
  },
  'a package.json that is a link': (dir) => {
    mkdirSync(dir);
    symlinkSync(join(home, 'other/package.json'), join(dir, 'package.json'));
    writeFileSync(join(dir, 'index.js'), 'export default 1;');
    return undefined;
  },
  'a module of a package that climbs': (dir) => {
    mkdirSync(dir);
    writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: 'arktype', main: 'index.js' }));
    writeFileSync(
      join(dir, 'index.js'),
      `export { default } from ${JSON.stringify(relative(dir, join(home, '.docker/config.json')))};`,
    );
    return undefined;
  },
  'a module of a package that asks for a linked folder': (dir) => {
    mkdirSync(dir);
    writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: 'arktype', main: 'index.js' }));
    writeFileSync(join(dir, 'index.js'), "export { default } from 'docker/config.json';");
    symlinkSync(join(home, '.docker'), join(dir, '../docker'));
    return undefined;
  },
};

test.each(Object.keys(packages))('a package with %s is refused', { timeout }, (name) => {
  folder = schemaProject('');
  const dir = join(folder.dir, 'node_modules/arktype');
  rmSync(dir);
  const specifier = packages[name]?.(dir) ?? 'arktype';
  folder.write('src/api/sample.schema.ts', schemaOf(`import s from '${specifier}';`, 's'));
  expectRefused(folder);
});

test('a library is found as pnpm and workspaces install it', { timeout }, () => {
  folder = schemaProject('');
  const { dir } = folder;
  rmSync(join(dir, 'node_modules/zod'));
  const stored = join(dir, 'node_modules/.pnpm/zod@4/node_modules/zod');
  cpSync(join(repository, 'node_modules/zod'), stored, { recursive: true });
  symlinkSync(stored, join(dir, 'node_modules/zod'));
  const inner = join(dir, 'packages/inner');
  mkdirSync(inner, { recursive: true });
  cpSync(join(dir, 'src'), join(inner, 'src'), { recursive: true });
  cpSync(join(dir, 'PROJECT'), join(inner, 'PROJECT'));
  writeFileSync(join(inner, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(inner, 'src/api/sample.schema.ts'), schemaOf('', "'x'"));
  expect(outcome({ ...folder, dir: inner })).toContain('generated');
});

/** Sources beside schemas: how an interface names what is elsewhere. */
const sources: Readonly<Record<string, () => string>> = {
  'keys of JSON': () =>
    `import s from '${way('src/api', '.docker/config.json')}' with { type: 'json' };\ntype Secret = keyof typeof s.auths;`,
  'keys of JSON by a link': () => {
    symlinkSync(join(home, '.docker/config.json'), join(folder?.dir ?? '', 'src/api/config.json'));
    return "import s from './config.json' with { type: 'json' };\ntype Secret = keyof typeof s.auths;";
  },
  'a type of another folder': () =>
    `import type { Keys } from '${way('src/api', 'other/keys.ts')}';\ntype Secret = keyof Keys;`,
  'a type by a link': () => {
    symlinkSync(join(home, 'other/keys.ts'), join(folder?.dir ?? '', 'src/api/keys.ts'));
    return "import type { Keys } from './keys.ts';\ntype Secret = keyof Keys;";
  },
  'a type by a reference': () => {
    writeHome('other/global.d.ts', `interface Keys { ${secret}: string }`);
    return `/// <reference path="${way('src/api', 'other/global.d.ts')}" />\ntype Secret = keyof Keys;`;
  },
  'an import type': () => `type Secret = keyof import('${way('src/api', 'other/keys.ts')}').Keys;`,
};

test.each(Object.keys(sources))('%s does not reach a kind', { timeout }, (name) => {
  folder = schemaProject('');
  const declared = sources[name]?.() ?? '';
  folder.write(
    'src/api/sample.ts',
    `${declared}
import { defineResource, type CustomResource } from 'opsdk';
export interface Sample extends CustomResource { spec: { a: Secret } }
export const Sample = defineResource<Sample>({ group: 'example.com', version: 'v1', kind: 'Sample' });
`,
  );
  rmSync(join(folder.dir, 'src/api/sample.schema.ts'));
  expectRefused(folder);
});

test('types of the repository around a project are read, JSON of it is not', { timeout }, () => {
  folder = schemaProject('');
  rmSync(join(folder.dir, 'src/api/sample.schema.ts'));
  const inner = join(folder.dir, 'operator');
  const source = (line: string): string => `${line}
import { defineResource, type CustomResource } from 'opsdk';
export interface Sample extends CustomResource { spec: { a: Shared } }
export const Sample = defineResource<Sample>({ group: 'example.com', version: 'v1', kind: 'Sample' });
`;
  mkdirSync(join(inner, 'src/api'), { recursive: true });
  cpSync(join(folder.dir, 'PROJECT'), join(inner, 'PROJECT'));
  writeFileSync(join(inner, 'package.json'), '{ "type": "module" }');
  folder.write('shared.ts', "export type Shared = 'one' | 'two';");
  folder.write('shared.json', '{ "one": 1 }');
  const project = { ...folder, dir: inner };
  const sample = join(inner, 'src/api/sample.ts');
  writeFileSync(sample, source("import type { Shared } from '../../../shared.ts';"));
  expectRefused(project);
  folder.write('package.json', '{ "workspaces": ["operator"] }');
  expect(outcome(project)).toContain('"enum":["one","two"]');
  writeFileSync(
    sample,
    source(
      "import json from '../../../shared.json' with { type: 'json' };\ntype Shared = keyof typeof json;",
    ),
  );
  expectRefused(project);
});

test('a manifest of loadManifest is not read through a link out of the project', { timeout }, () => {
  folder = schemaProject('');
  writeHome(
    'secret.yaml',
    `apiVersion: v1\nkind: Secret\nmetadata: { name: a }\nstringData: { token: ${secret} }\n`,
  );
  mkdirSync(join(folder.dir, 'assets'));
  symlinkSync(join(home, 'secret.yaml'), join(folder.dir, 'assets/secret.yaml'));
  symlinkSync(home, join(folder.dir, 'assets/home'));
  folder.write(
    'src/main.ts',
    `import { loadManifest } from 'opsdk';
import { Secret } from 'opsdk/k8s/core/v1';
export const all = [loadManifest(Secret, 'assets/secret.yaml'), loadManifest(Secret, 'assets/home/secret.yaml')];
`,
  );
  const { dir } = folder;
  expect(() => readManifests(dir, 'src/main.ts')).toThrow(
    /assets\/secret\.yaml' of loadManifest leads out of the project/,
  );
});

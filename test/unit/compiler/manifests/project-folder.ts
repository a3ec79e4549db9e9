import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../../../', import.meta.url));

const project = `domain: example.com
layout:
- typescript.opsdk.dev/v1
multigroup: true
projectName: sample
version: "3"
`;

/** A project in a temporary folder. */
export interface ProjectFolder {
  readonly dir: string;
  write(path: string, content: string): void;
  read(path: string): string;
  exists(path: string): boolean;
  /** Copies a folder of the repository into the project. */
  copy(from: string): void;
  remove(): void;
}

/** Makes a project of the given files; `opsdk` is installed from the repository's sources. */
export function projectFolder(files: Record<string, string> = {}): ProjectFolder {
  const dir = mkdtempSync(join(tmpdir(), 'opsdk-project-'));
  const folder: ProjectFolder = {
    dir,
    write(path, content) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), content);
    },
    read: (path) => readFileSync(join(dir, path), 'utf8'),
    exists: (path) => existsSync(join(dir, path)),
    copy: (from) => cpSync(join(repository, from), dir, { recursive: true }),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
  folder.write('PROJECT', project);
  folder.write('package.json', '{ "type": "module" }');
  folder.write(
    'node_modules/opsdk/package.json',
    JSON.stringify({
      name: 'opsdk',
      type: 'module',
      sideEffects: false,
      exports: {
        '.': './src/index.ts',
        './testing': './src/testing.ts',
        './k8s/*': './src/sdk/k8s/generated/*.ts',
      },
    }),
  );
  symlinkSync(join(repository, 'src'), join(dir, 'node_modules/opsdk/src'));
  for (const [path, content] of Object.entries(files)) folder.write(path, content);
  return folder;
}

/** The source of a kind. */
export function kindSource(
  kind: string,
  options: { readonly definition?: string; readonly spec?: string; readonly group?: string } = {},
): string {
  const { definition = '', spec = 'size?: Int32', group = 'cache.example.com' } = options;
  return `import { defineResource, type CustomResource, type Int32 } from 'opsdk';
export interface ${kind}Spec { ${spec} }
export interface ${kind} extends CustomResource { spec: ${kind}Spec; status?: { ready?: boolean } }
export const ${kind} = defineResource<${kind}>({ group: '${group}', version: 'v1alpha1', kind: '${kind}', ${definition} });
`;
}

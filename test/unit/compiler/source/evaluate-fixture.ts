import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import type { EvaluateContext } from '../../../../src/compiler/source/evaluate/evaluate-context.ts';

/** A folder with an installed package `opsdk` as its declaration files look, for evaluation without a build. */
const installed: Record<string, string> = {
  'node_modules/opsdk/package.json': `{ "name": "opsdk", "type": "module", "exports": {
    ".": { "types": "./dist/index.d.ts", "default": "./dist/index.js" },
    "./k8s/*": { "types": "./dist/k8s/generated/*.d.ts", "default": "./dist/k8s/generated/*.js" } } }`,
  'node_modules/opsdk/dist/index.d.ts': `
    export interface Resource<T> { readonly group: string; readonly version: string; readonly kind: string; readonly plural: string; readonly object?: T }
    export declare function defineResource<T>(definition: object): Resource<T>;
    export declare function defineController(options: object): object;
    export declare function rbac<const T>(rules: T): T;
    export declare function watch<T>(resource: Resource<T>, options: object): object;
    export declare function owned<T>(resource: Resource<T>, options: object): object;
    export declare function metadataOnly<T>(resource: Resource<T>): Resource<T>;
    export declare function ifServed<T>(resource: Resource<T>): Resource<T>;
    export declare function every(delay: string, keys: unknown): object;
    export declare function from(name: string, iterable: unknown, keys: unknown): object;
    export declare function loadManifest<T>(resource: Resource<T>, path: string): T;
    export declare function externalResource<T>(resource: object): Resource<T>;`,
  'node_modules/opsdk/dist/k8s/generated/apps/v1.d.ts': `
    import type { Resource } from '../../../index.js';
    export interface Deployment { kind: 'Deployment' }
    export declare const Deployment: Resource<Deployment>;`,
  'node_modules/opsdk/dist/k8s/generated/apps/v1.js': `
    import { externalResource } from '../../../api/external-resource.js';
    export const Deployment = externalResource({ group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', scope: 'Namespaced' });`,
  'node_modules/other/package.json': `{ "name": "other", "types": "index.d.ts" }`,
  'node_modules/other/index.d.ts': `export declare function defineResource<T>(definition: object): T; export declare const GROUP = "other.example.com";`,
};

/** Writes the files to a temporary folder and binds a program over them. Call `remove` when done. */
export function evaluateFixture(files: Record<string, string>): {
  context: EvaluateContext;
  sources: ts.SourceFile[];
  dir: string;
  remove: () => void;
} {
  const dir = mkdtempSync(path.join(tmpdir(), 'opsdk-evaluate-'));
  for (const [name, content] of Object.entries({
    ...installed,
    'package.json': '{"type":"module"}',
    ...files,
  })) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), content);
  }
  const roots = Object.keys(files)
    .filter((name) => /^src\/.*\.ts$/.test(name))
    .map((name) => path.join(dir, name));
  const program = ts.createProgram(roots, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
    noLib: true,
  });
  const sources = roots.map((root) => program.getSourceFile(root)).filter((source) => source !== undefined);
  return {
    context: {
      ts,
      program,
      checker: program.getTypeChecker(),
      readFile: (file) => ts.sys.readFile(file),
      projectDir: dir,
    },
    sources,
    dir,
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const here = import.meta.dirname;
const sources = join(here, '../../../src');

/** What the compiler says of the TypeScript side, as in a strict project that has this package installed. */
export function typeErrors(): readonly string[] {
  const kinds = readdirSync(join(here, 'kinds'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(here, 'kinds', name));
  const program = ts.createProgram(kinds, {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts'],
    types: ['node'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    paths: { opsdk: [join(sources, 'index.ts')], 'opsdk/k8s/*': [join(sources, 'sdk/k8s/generated/*.ts')] },
  });
  const host = {
    getCurrentDirectory: () => here,
    getCanonicalFileName: (name: string) => name,
    getNewLine: () => '\n',
  };
  return kinds
    .flatMap((name) => ts.getPreEmitDiagnostics(program, program.getSourceFile(name)))
    .map((diagnostic) => ts.formatDiagnostic(diagnostic, host));
}

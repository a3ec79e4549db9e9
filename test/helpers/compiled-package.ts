// The package as it is installed: compiled modules that import from each other past the indexes.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { importDirectly } from '../../scripts/lib/direct-imports.mjs';
import { repositoryRoot } from './source-files.ts';

/** The parts of src that ship in operators. */
const shipped = ['index.ts', 'tracing.ts', 'sdk', 'base/errors', 'base/util'];

/**
 * Compiles what ships in operators, without declarations.
 * @param folder absolute; where the package is to be, as `…/node_modules/opsdk`
 */
export function compilePackage(folder: string): void {
  const src = join(repositoryRoot, 'src');
  const files = shipped.flatMap((part) =>
    part.endsWith('.ts')
      ? [part]
      : readdirSync(join(src, part), { recursive: true, encoding: 'utf8' }).map((name) => join(part, name)),
  );
  const compilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
  };
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const { outputText } = ts.transpileModule(readFileSync(join(src, file), 'utf8'), { compilerOptions });
    const path = join(folder, 'dist', file.replace(/ts$/, 'js'));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, outputText);
  }
  importDirectly(join(folder, 'dist'));
  cpSync(join(repositoryRoot, 'package.json'), join(folder, 'package.json'));
  installDependencies(dirname(folder));
}

/** Packages of what an operator loads when it starts. */
const started = ['pino', 'prom-client'];

/**
 * Copies the packages that an operator starts with beside the package, as npm does, and links to the others. A bundle holds the paths of
 * CommonJS modules, so that with links alone its size would follow the length of this repository's path.
 */
function installDependencies(folder: string): void {
  const installed = join(repositoryRoot, 'node_modules');
  const copied = new Set(started);
  for (const name of copied) {
    cpSync(join(installed, name), join(folder, name), { recursive: true });
    const { dependencies = {} } = JSON.parse(readFileSync(join(installed, name, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    for (const dependency of Object.keys(dependencies)) copied.add(dependency);
  }
  const names = readdirSync(installed).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(installed, name)).map((inner) => `${name}/${inner}`) : [name],
  );
  for (const name of names.filter((other) => !other.startsWith('.') && !existsSync(join(folder, other)))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    symlinkSync(join(installed, name), join(folder, name));
  }
}

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { filesBelow, repositoryRoot } from '../../helpers/source-files.ts';

const folder = join(repositoryRoot, 'examples');
const examples = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'package.json')));

/** Names of the packages that the modules of a folder import. */
function importsBelow(path: string): readonly string[] {
  const specifiers = filesBelow(path, (file) => file.endsWith('.ts')).flatMap(({ text }) =>
    ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName),
  );
  const packages = specifiers
    .filter((name) => !name.startsWith('.') && !isBuiltin(name))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
  return [...new Set(packages)].sort();
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

test.each(examples)('%s lists the packages that it imports', (name) => {
  const text = readFileSync(join(folder, name, 'package.json'), 'utf8');
  const { dependencies = {}, devDependencies = {} } = JSON.parse(text) as Manifest;
  const isMissing = (listed: object) => (imported: string) => !Object.hasOwn(listed, imported);
  expect(importsBelow(`examples/${name}/src`).filter(isMissing(dependencies))).toEqual([]);
  const all = { ...dependencies, ...devDependencies };
  expect(importsBelow(`examples/${name}/test`).filter(isMissing(all))).toEqual([]);
});

// Pieces of code as a user's project would compile them: with the compiler options of the scaffold, `opsdk` from the sources, and whatever
// they use without declaring it imported or declared before them.
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { repositoryRoot } from './source-files.ts';

export interface Snippets {
  /**
   * The pieces by name. One without `export` and `import` is compiled as the body of an async function. A name that ends with `.ts` is its path, from
   * which others import it.
   */
  readonly snippets: Readonly<Record<string, string>>;
  /** Modules that they can import from, by file name: `site.ts`. Each export is imported where it is used. */
  readonly modules?: Readonly<Record<string, string>>;
  /** Declarations by the name that they declare, for pieces that use it: `{ key: 'declare const key: ObjectKey;' }`. */
  readonly declarations?: Readonly<Record<string, string>>;
}

const folder = `${repositoryRoot}test/snippets`;
const kinds = {
  'apps/v1': ['Deployment', 'ReplicaSet', 'StatefulSet'],
  'core/v1': ['ConfigMap', 'Namespace', 'PersistentVolumeClaim', 'Pod', 'Secret', 'Service'],
};

/** @returns what the compiler says of each piece: `line: message`; lines count from the start of the piece */
export function compileSnippets({
  snippets,
  modules = {},
  declarations = {},
}: Snippets): Record<string, string[]> {
  const known = knownNames(modules);
  const headers = new Map<string, number>();
  const files = new Map(Object.entries(modules).map(([name, text]) => [`${folder}/${name}`, text]));
  for (const [index, [name, code]] of Object.entries(snippets).entries()) {
    const used = namesIn(code);
    const needed = [...used].flatMap((name) =>
      Object.hasOwn(declarations, name) ? [declarations[name] ?? ''] : [],
    );
    const imported = [...new Set([...used, ...needed.flatMap((text) => [...namesIn(text)])])]
      .filter((name) => !declares(code, name))
      .flatMap((name) => known.get(name) ?? []);
    const isModule = /^(?:export|import) /m.test(code);
    const header = [...imported, ...needed, isModule ? '' : 'export default async function () {', ''];
    const file = fileOf(name, index);
    files.set(file, `${header.join('\n')}${code}${isModule ? '' : '\n}'}`);
    headers.set(file, header.join('\n').split('\n').length - 1);
  }
  const program = createProgram(files);
  return Object.fromEntries(
    Object.keys(snippets).map((name, index) => {
      const file = fileOf(name, index);
      const source = program.getSourceFile(file);
      const found = [
        ...program.getSyntacticDiagnostics(source),
        ...program.getSemanticDiagnostics(source),
      ].map((diagnostic) => textOf(diagnostic, headers.get(file) ?? 0));
      return [name, found];
    }),
  );
}

const fileOf = (name: string, index: number): string =>
  `${folder}/${name.endsWith('.ts') ? name : `snippet-${index}.ts`}`;

function createProgram(files: ReadonlyMap<string, string>): ts.Program {
  const scaffold = readFileSync(`${repositoryRoot}templates/init/tsconfig.json.hbs`, 'utf8');
  const { compilerOptions } = JSON.parse(scaffold) as { compilerOptions: object };
  const paths = {
    opsdk: ['./src/index.ts'],
    'opsdk/testing': ['./src/testing.ts'],
    'opsdk/testing/vitest': ['./src/testing/vitest.ts'],
    'opsdk/tracing': ['./src/tracing.ts'],
    'opsdk/k8s/*': ['./src/sdk/k8s/generated/*.ts'],
  };
  const json = { compilerOptions: { ...compilerOptions, paths }, files: [...files.keys()] };
  const { options, errors } = ts.parseJsonConfigFileContent(json, ts.sys, repositoryRoot);
  if (errors.length > 0) throw new Error(errors.map((error) => textOf(error, 0)).join('\n'));
  const host = ts.createCompilerHost(options);
  return ts.createProgram([...files.keys()], options, {
    ...host,
    directoryExists: (path) =>
      [...files.keys()].some((file) => file.startsWith(`${path}/`)) || host.directoryExists?.(path) !== false,
    fileExists: (path) => files.has(path) || host.fileExists(path),
    readFile: (path) => files.get(path) ?? host.readFile(path),
    getSourceFile: (path, languageVersion, ...rest) => {
      const text = files.get(path);
      return text === undefined
        ? host.getSourceFile(path, languageVersion, ...rest)
        : ts.createSourceFile(path, text, languageVersion, true);
    },
  });
}

function textOf({ file, start = 0, messageText }: ts.Diagnostic, headerLines: number): string {
  const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1 - headerLines;
  return `${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`.replaceAll(folder, '.');
}

/** The import for each name that a piece may use. */
function knownNames(modules: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const surface = readFileSync(`${repositoryRoot}test/golden/exports/opsdk.txt`, 'utf8');
  const names = [...surface.matchAll(/^(type|value) +(\w+)$/gm)].map(([, kind, name = '']) => {
    const type = kind === 'type' ? 'type ' : '';
    return [name, `import { ${type}${name} } from 'opsdk';`] as const;
  });
  const builtIn = Object.entries(kinds).flatMap(([version, list]) =>
    list.map((name) => [name, `import { ${name} } from 'opsdk/k8s/${version}';`] as const),
  );
  const own = Object.entries(modules).flatMap(([file, text]) =>
    // A value of the same name comes later, and counts.
    ['interface', 'const|function'].flatMap((kind) =>
      [...text.matchAll(new RegExp(`^export (?:${kind}) (\\w+)`, 'gm'))].map(([, name = '']) => {
        const type = kind === 'interface' ? 'type ' : '';
        return [name, `import { ${type}${name} } from './${file}';`] as const;
      }),
    ),
  );
  return new Map([...names, ...builtIn, ...own]);
}

function namesIn(code: string): ReadonlySet<string> {
  return new Set(code.match(/[A-Za-z_$][\w$]*/g));
}

function declares(code: string, name: string): boolean {
  return new RegExp(
    `^(?:export )?(?:async )?(?:const|function|interface|class|type) ${name}\\b|^import [^;]*\\b${name}\\b`,
    'm',
  ).test(code);
}

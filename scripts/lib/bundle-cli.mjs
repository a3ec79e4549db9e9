// Makes few files of the modules of the command line: loading some hundred modules takes longer than most of what they do.
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import ts from 'typescript';

/** Below dist/. All files of the bundle lie in it, side by side. */
export const cliFolder = 'op-sdk';

const moduleUrl = 'bundledModuleUrl';

/**
 * Bundles `cli/start.js` with all modules that it imports, now or later, into `op-sdk/`. Packages stay what they are, and so do large
 * tables, which the library also needs, and programs that are started or read as files.
 * @param dist absolute; the folder with the compiled modules
 */
export async function bundleCli(dist) {
  await rm(join(dist, cliFolder), { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: dist,
    entryPoints: ['cli/start.js'],
    outdir: cliFolder,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    metafile: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    // A twelfth of the package. Names stay, for the stacks in reports of defects.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 200,
    define: { 'import.meta.url': moduleUrl },
    plugins: [declaredCommands(dist), writtenExplanations, libraryStays(dist), placeOfModules(dist)],
  });
  refuseDearHelp(metafile, await readdir(join(dist, 'cli', 'commands')));
}

/** `--help`, completion and wrong usage load flags, and nothing that a command does. */
function refuseDearHelp({ outputs }, files) {
  const declared = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint?.endsWith('?declared'));
  const commands = files.filter((name) => name.endsWith('.js'));
  // A table in another form would pass over the plugin, and every help would load all that its command does.
  if (declared.length !== commands.length)
    throw new Error(
      `cli/commands has ${commands.length} modules, ${declared.length} of them in command-table.js`,
    );
  for (const [path, { entryPoint }] of declared) {
    const loaded = new Set([path]);
    for (const each of loaded)
      for (const { path: next, kind, external } of outputs[each].imports)
        if (kind === 'import-statement' && !external) loaded.add(next);
    const inputs = [...loaded].flatMap((each) => Object.keys(outputs[each].inputs));
    const dear = inputs.find(
      (input) => input !== entryPoint && !/^cli\/(?:flags\/|command\.js$)/.test(input),
    );
    if (dear !== undefined)
      throw new Error(
        `${entryPoint.slice('declared:'.length)} loads ${dear}: declare the command without it`,
      );
  }
}

/**
 * Loads the declaration of a command without what it does, for help and completion: `commands/x.js?declared` has `command` without its
 * `run`, and what that needs.
 */
const declaredCommands = (dist) => ({
  name: 'declared-commands',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]cli[\\/]command-table\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const lazy = /\(\) => import\(['"](\.\/commands\/[\w-]+\.js)['"]\)/g;
      return {
        contents: text.replace(lazy, '() => import("$1?declared"), () => import("$1")'),
        loader: 'js',
      };
    });
    bundler.onResolve({ filter: /\.js\?declared$/ }, ({ path, resolveDir }) => ({
      path: relative(dist, join(resolveDir, path)),
      namespace: 'declared',
    }));
    bundler.onLoad({ filter: /.*/, namespace: 'declared' }, async ({ path }) => {
      const [file] = path.split('?');
      const text = await readFile(join(dist, file), 'utf8');
      return {
        contents: placed(dist, join(dist, file), declarationOf(text)),
        resolveDir: join(dist, dirname(file)),
        loader: 'js',
      };
    });
  },
});

/** The statements of a command's module that declare the command, without its work. */
function declarationOf(text) {
  const { statements } = parsed(withoutRun(text));
  const needed = new Set(statements.filter((statement) => namesOf(statement).length === 0));
  const wanted = new Set(['command']);
  const noteNames = (node) => {
    if (ts.isIdentifier(node)) wanted.add(node.text);
    const isKey = (child) =>
      child === node.name && (ts.isPropertyAssignment(node) || ts.isPropertyAccessExpression(node));
    ts.forEachChild(node, (child) => (isKey(child) ? undefined : noteNames(child)));
  };
  for (const word of wanted)
    for (const statement of statements)
      if (!needed.has(statement) && namesOf(statement).includes(word)) {
        needed.add(statement);
        // The names that an import lists are no uses of them.
        if (!ts.isImportDeclaration(statement)) noteNames(statement);
      }
  return statements
    .filter((statement) => needed.has(statement))
    .map((statement) => statement.getFullText())
    .join('');
}

function withoutRun(text) {
  const statement = parsed(text).statements.find((each) => namesOf(each)[0] === 'command');
  const [definition] = statement.declarationList.declarations[0].initializer.arguments;
  const run = definition.properties.find((property) => property.name.text === 'run');
  return `${text.slice(0, run.pos)}${text.slice(run.end).replace(/^\s*,/, '')}`;
}

const parsed = (text) =>
  ts.createSourceFile('module.js', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);

/** The names that a statement declares. */
function namesOf(statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map((declared) => declared.name.getText());
  if (!ts.isImportDeclaration(statement)) return statement.name === undefined ? [] : [statement.name.text];
  const { name, namedBindings } = statement.importClause ?? {};
  const list = namedBindings === undefined ? [] : (namedBindings.elements ?? [namedBindings]);
  return [...(name === undefined ? [] : [name]), ...list.map((each) => each.name)].map(({ text }) => text);
}

/** Writes out what is known of all codes: rules lie beside their checks, of which `explain` and SARIF need none. */
const writtenExplanations = {
  name: 'written-explanations',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]cli[\\/]explanations[\\/]explanations\.js$/ }, async ({ path }) => {
      const tables = Object.entries(await import(pathToFileURL(path).href));
      const lines = tables.map(([name, table]) => `export const ${name} = ${JSON.stringify(table)};`);
      return { contents: lines.join('\n'), loader: 'js' };
    });
  },
};

/** Large tables, and the API server in memory, are in the package once: those of the library. */
const libraryStays = (dist) => ({
  name: 'library-stays',
  setup(bundler) {
    bundler.onResolve({ filter: /\/(?:generated\/[\w-]+|in-memory-cases)\.js$/ }, ({ path, resolveDir }) => {
      const file = relative(dist, join(resolveDir, path)).split(sep).join('/');
      return file.startsWith('kubernetes/tables/generated/') || file === 'testing/crds/in-memory-cases.js'
        ? { path: `../${file}`, external: true }
        : undefined;
    });
  },
});

const placeOfModules = (dist) => ({
  name: 'place-of-modules',
  setup(bundler) {
    bundler.onLoad({ filter: /\.js$/, namespace: 'file' }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return text.includes('import.meta.url')
        ? { contents: placed(dist, path, text), loader: 'js' }
        : undefined;
    });
  },
});

/** Modules go on to find what lies beside them: for each, `import.meta.url` stays where it was compiled to. */
function placed(dist, path, text) {
  if (!text.includes('import.meta.url')) return text;
  const place = JSON.stringify(`../${relative(dist, path).split(sep).join('/')}`);
  // In two steps, so that `define` does not see it.
  return `const bundleMeta = import.meta, ${moduleUrl} = new URL(${place}, bundleMeta.url).href;${text}`;
}

// Makes scripts of schema modules and their libraries, in a process of its own: esbuild's plugins are asynchronous, and the sources are read
// synchronously. Reads a request from stdin, writes `{ scripts, libraries }` or `{ errors }` to stdout. See bundle-modules.ts.
// esbuild itself looks at no file: the texts of the project come with the request, those of packages from PackageFiles.
import { isBuiltin } from 'node:module';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { PackageFiles, ResolveError } from './package-files.js';

/**
 * @type {{
 *   describer: string,
 *   schemas: readonly { file: string, exportName: string }[],
 *   files: Record<string, { text: string, realPath: string }>,
 *   imports: Record<string, Record<string, string>>,
 *   libraries: readonly { specifier: string, importer: string }[],
 * }}
 */
const { describer, schemas, files, imports, libraries } = JSON.parse(await text(process.stdin));

const valibotSchemas = '@valibot/to-json-schema';
const packageFiles = new PackageFiles();
const describerFile = packageFiles.addFolderOf(describer);

/** The modules that are written here. `libraries` has a script of its own, so that no library shares one with a module of the project. */
const written = Object.fromEntries([
  ...schemas.map(({ file, exportName }, index) => [
    `schema-${index}`,
    [
      "import { describeSchema } from 'describer';",
      `import * as module from ${JSON.stringify(file)};`,
      `export const description = describeSchema(module[${JSON.stringify(exportName)}]);`,
    ].join('\n'),
  ]),
  [
    'libraries',
    ["import 'describer';", ...libraries.map((_, index) => `import 'library-${index}';`)].join('\n'),
  ],
  [
    'valibot',
    // valibot's schemas say nothing of their JSON Schema, and the object that does says nothing of the schema.
    [
      `import { toStandardJsonSchema as own } from '${valibotSchemas}';`,
      `export * from '${valibotSchemas}';`,
      "const original = Symbol.for('opsdk.schema');",
      'export const toStandardJsonSchema = (schema, config) => ({ ...own(schema, config), [original]: schema });',
    ].join('\n'),
  ],
]);

/**
 * @param {string} specifier
 * @param {string} importer
 * @param {boolean} isRequire
 */
function inPackages(specifier, importer, isRequire = false) {
  const found = packageFiles.resolve(specifier, importer, isRequire);
  return { ...found, namespace: 'package' };
}

/** @param {import('esbuild').OnResolveArgs} args */
function resolve({ path, importer, kind, namespace, pluginData }) {
  if (kind === 'entry-point') return { path, namespace: 'written' };
  if (isBuiltin(path))
    throw new ResolveError(
      `the schema library imports '${path}', which is not available while a schema is read`,
    );
  const isRequire = kind === 'require-call' || kind === 'require-resolve';
  if (namespace === 'package') return inPackages(path, importer, isRequire);
  if (namespace === 'project') {
    const target = imports[importer]?.[path];
    if (target !== undefined) return { path: target, namespace: 'project' };
    const from = files[importer]?.realPath ?? '';
    if (path === valibotSchemas) return { path: 'valibot', namespace: 'written', pluginData: from };
    if (libraries.some(({ specifier }) => specifier === path)) return inPackages(path, from);
    throw new ResolveError(`'${path}' is neither a schema library nor a module of the project`, true);
  }
  if (path === 'describer') return { path: describerFile, namespace: 'package' };
  if (importer === 'valibot') return inPackages(path, pluginData);
  if (importer === 'libraries') {
    const { specifier = '', importer: from = '' } = libraries[Number(path.slice('library-'.length))] ?? {};
    try {
      return inPackages(specifier, files[from]?.realPath ?? '');
    } catch {
      // The module that imports it says so, with its place.
      return { path, external: true };
    }
  }
  return { path, namespace: 'project' };
}

/** @param {import('esbuild').OnLoadArgs} args */
function load({ path, namespace, pluginData }) {
  if (namespace === 'package') return packageFiles.read(path);
  if (namespace === 'written')
    return { contents: written[path], loader: /** @type {const} */ ('js'), pluginData };
  const contents = files[path]?.text;
  if (contents === undefined) throw new ResolveError(`${basename(path)} is not a module of the project`);
  return {
    contents,
    loader: path.endsWith('.json') ? /** @type {const} */ ('json') : /** @type {const} */ ('ts'),
  };
}

/** @template A, R @param {(args: A) => R} handle */
function reporting(handle) {
  return (/** @type {A} */ args) => {
    try {
      return handle(args);
    } catch (error) {
      if (!(error instanceof ResolveError)) throw error;
      return { errors: [{ text: error.message, detail: { isOutside: error.isOutside } }] };
    }
  };
}

/** @type {import('esbuild').Plugin} */
const sources = {
  name: 'opsdk-schema-modules',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /.*/ }, reporting(resolve));
    pluginBuild.onLoad({ filter: /.*/, namespace: 'package' }, reporting(load));
    pluginBuild.onLoad({ filter: /.*/, namespace: 'project' }, reporting(load));
    pluginBuild.onLoad({ filter: /.*/, namespace: 'written' }, reporting(load));
    pluginBuild.onLoad({ filter: /.*/ }, () => ({ errors: [{ text: 'a file that was not asked for' }] }));
  },
};

/** @param {import('esbuild').Message} message */
function errorOf({ text: message, location, detail }) {
  const isOfProject = location?.namespace === 'project';
  // The texts of packages are not the user's to read, and what the parser says of them would quote them.
  const isQuote = location !== null && !isOfProject && detail?.isOutside === undefined;
  return {
    text: isQuote ? `${message.split(':')[0]}: ${basename(location.file)} cannot be read` : message,
    isOutside: detail?.isOutside === true,
    location: isOfProject
      ? { file: location.file.slice('project:'.length), line: location.line, column: location.column }
      : null,
  };
}

try {
  const { outputFiles, metafile } = await build({
    entryPoints: Object.keys(written)
      .filter((name) => name !== 'valibot')
      .map((name) => ({ in: name, out: name })),
    outdir: '/scripts',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    // A schema is there at once; nothing waits for a module.
    supported: { 'top-level-await': false },
    // The options of the user's tsconfig are about other runs of these modules.
    tsconfigRaw: {},
    logLevel: 'silent',
    plugins: [sources],
  });
  const ofLibraries = Object.entries(metafile.outputs).filter(
    ([, { entryPoint, inputs }]) =>
      entryPoint === undefined && Object.keys(inputs).every((input) => input.startsWith('package:')),
  );
  process.stdout.write(
    JSON.stringify({
      scripts: Object.fromEntries(outputFiles.map(({ path, text: script }) => [basename(path), script])),
      libraries: ofLibraries.map(([path]) => basename(path)),
    }),
  );
} catch (error) {
  const messages = /** @type {{ errors?: import('esbuild').Message[] }} */ (error).errors;
  const errors = messages?.map(errorOf) ?? [{ text: String(error), isOutside: false, location: null }];
  process.stdout.write(JSON.stringify({ errors }));
}

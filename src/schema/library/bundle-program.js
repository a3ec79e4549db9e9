// Puts a schema module and its library together in one script, in a process of its own: esbuild's plugins are asynchronous, and the sources
// are read synchronously. Reads a request from stdin, writes `{ code }` or `{ errors }` to stdout. See bundle-module.ts.
import { isBuiltin } from 'node:module';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';

const { entry, projectDir, files, imports } = JSON.parse(await text(process.stdin));

const valibotSchemas = '@valibot/to-json-schema';

/** The modules of the project as the compiler reads them; all others are those of packages. */
const sources = {
  name: 'opsdk-schema-module',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
      if (isBuiltin(path)) {
        const text = `the schema library imports '${path}', which is not available while a schema is read`;
        return { errors: [{ text, detail: importer }] };
      }
      if (kind === 'entry-point') return undefined;
      if (path === valibotSchemas && files[importer] !== undefined)
        return { path, namespace: 'valibot', pluginData: importer };
      const target = files[path] === undefined ? imports[importer]?.[path] : path;
      return target === undefined ? undefined : { path: target };
    });
    // valibot's schemas say nothing of their JSON Schema, and the object that does says nothing of the schema.
    pluginBuild.onLoad({ filter: /.*/, namespace: 'valibot' }, ({ pluginData }) => ({
      contents: [
        `import { toStandardJsonSchema as own } from '${valibotSchemas}';`,
        `export * from '${valibotSchemas}';`,
        "const original = Symbol.for('opsdk.schema');",
        'export const toStandardJsonSchema = (schema, config) => ({ ...own(schema, config), [original]: schema });',
      ].join('\n'),
      resolveDir: dirname(pluginData),
    }));
    pluginBuild.onLoad({ filter: /.*/ }, ({ path }) => {
      const contents = files[path];
      if (contents === undefined) return undefined;
      return { contents, loader: path.endsWith('.json') ? 'json' : 'ts', resolveDir: dirname(path) };
    });
  },
};

try {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: projectDir, sourcefile: 'op-sdk-schema.js', loader: 'js' },
    absWorkingDir: projectDir,
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'node20',
    // The options of the user's tsconfig are about other runs of these modules.
    tsconfigRaw: {},
    logLevel: 'silent',
    plugins: [sources],
  });
  process.stdout.write(JSON.stringify({ code: outputFiles[0].text }));
} catch (error) {
  const errors = (error.errors ?? [{ text: String(error) }]).map(({ text, location }) => ({
    text,
    location,
  }));
  process.stdout.write(JSON.stringify({ errors }));
}

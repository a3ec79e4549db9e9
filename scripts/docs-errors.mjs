// Writes what follows from the codes and rules of the rooms, from the sources: the union of codes, and which are warnings or usage errors
// (src/base/errors/generated), docs/errors.md, docs/validation-rules.md, and the JSON schemas that editors use (schemas).
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';
import { root } from './lib/run.mjs';

/** A folder of the project, from which packages are found. */
const folder = mkdtempSync(join(root, 'node_modules', '.docs-errors-'));
try {
  const { renderCodes, renderErrorsDocument, renderValidationRules, editorSchemas } = await compiled(
    `export { renderCodes, renderErrorsDocument } from './src/cli/explanations/document.ts';
     export { renderValidationRules } from './src/cli/validation-rules.ts';
     export { editorSchemas } from './src/cli/editor-schemas.ts';`,
  );
  const style = await resolveConfig(join(root, 'package.json'));
  const codes = await format(renderCodes(), { ...style, parser: 'typescript' });
  writeFileSync(join(root, 'src', 'base', 'errors', 'generated', 'codes.ts'), codes);
  writeFileSync(join(root, 'docs', 'errors.md'), renderErrorsDocument());
  writeFileSync(join(root, 'docs', 'validation-rules.md'), renderValidationRules());
  mkdirSync(join(root, 'schemas'), { recursive: true });
  for (const [name, schema] of Object.entries(editorSchemas())) {
    const text = await format(JSON.stringify(schema), { ...style, parser: 'json' });
    writeFileSync(join(root, 'schemas', name), text);
  }
} finally {
  rmSync(folder, { recursive: true });
}

async function compiled(source) {
  const outfile = join(folder, 'documents.mjs');
  await build({
    stdin: { contents: source, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile,
  });
  return import(pathToFileURL(outfile).href);
}

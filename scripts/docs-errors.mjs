// Writes what follows from the codes and rules of the rooms, from the sources: the union of codes, and which are warnings or usage errors
// (src/base/errors/generated), docs/errors.md and docs/validation-rules.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';
import { root } from './lib/run.mjs';

/** A folder of the project, from which packages are found. */
const folder = mkdtempSync(join(root, 'node_modules', '.docs-errors-'));
try {
  const { renderCodes, renderErrorsDocument, renderValidationRules } = await compiled(
    `export { renderCodes, renderErrorsDocument } from './src/cli/explanations/document.ts';
     export { renderValidationRules } from './src/cli/validation-rules.ts';`,
  );
  const style = await resolveConfig(join(root, 'package.json'));
  const codes = await format(renderCodes(), { ...style, parser: 'typescript' });
  writeFileSync(join(root, 'src', 'base', 'errors', 'generated', 'codes.ts'), codes);
  writeFileSync(join(root, 'docs', 'errors.md'), renderErrorsDocument());
  writeFileSync(join(root, 'docs', 'validation-rules.md'), renderValidationRules());
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

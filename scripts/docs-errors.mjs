// Writes docs/errors.md from src/cli/explanations, and docs/validation-rules.md from the table of rules. Runs from the sources.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './lib/run.mjs';

/** A folder of the project, from which packages are found. */
const folder = mkdtempSync(join(root, 'node_modules', '.docs-errors-'));
try {
  const { renderErrorsDocument, renderValidationRules } = await compiled(
    `export { renderErrorsDocument } from './src/cli/explanations/document.ts';
     export { renderValidationRules } from './src/cli/validation-rules.ts';`,
  );
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

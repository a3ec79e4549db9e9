// Writes docs/errors.md from src/errors-docs.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuild } from './lib/provision.mjs';
import { root } from './lib/run.mjs';

await ensureBuild();
const { renderErrorsDocument } = await import('../dist/errors-docs/index.js');
writeFileSync(join(root, 'docs', 'errors.md'), renderErrorsDocument());

// Writes docs/errors.md from the catalogue.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuild } from './lib/provision.mjs';
import { root } from './lib/run.mjs';

await ensureBuild();
const { renderErrorsDocument } = await import('../dist/errors/document.js');
writeFileSync(join(root, 'docs', 'errors.md'), renderErrorsDocument());

// Writes docs/errors.md from src/cli/explanations, and docs/validation-rules.md from the table of rules.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuild } from './lib/provision.mjs';
import { root } from './lib/run.mjs';

await ensureBuild();
const { renderErrorsDocument } = await import('../dist/cli/explanations/index.js');
writeFileSync(join(root, 'docs', 'errors.md'), renderErrorsDocument());
const { renderValidationRules } = await import('../dist/cli/validation-rules.js');
writeFileSync(join(root, 'docs', 'validation-rules.md'), renderValidationRules());

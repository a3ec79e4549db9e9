// Each folder holds `schema.ts`, whose export `schema` describes a kind, and what comes of it: `crd.yaml` (with `warnings.txt` where there are
// any), or `error.txt`. Further files beside it belong to the project. `UPDATE_GOLDEN=1` writes the outcome.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { formatFinding, formatFindings, OpSdkError } from '../../../src/base/errors/index.ts';
import { generateManifests } from '../../../src/compiler/manifests/index.ts';
import { toYaml } from '../../../src/kubernetes/yaml/to-yaml.ts';
import { schemaProject } from '../../helpers/schema-project.ts';
import type { ProjectFolder } from '../../unit/compiler/manifests/project-folder.ts';

const root = import.meta.dirname;
const cases = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();

let folder: ProjectFolder | undefined;
afterEach(() => folder?.remove());

function generate(name: string): Readonly<Record<string, string>> {
  const text = (file: string): string => readFileSync(join(root, name, file), 'utf8');
  const more = readdirSync(join(root, name)).filter((file) => file.endsWith('.ts') && file !== 'schema.ts');
  folder = schemaProject(
    text('schema.ts'),
    Object.fromEntries(more.map((file) => [`src/api/${file}`, text(file)])),
  );
  try {
    const { files, warnings } = generateManifests({ projectDir: folder.dir, only: 'crd' });
    const warned = warnings.map((finding) => formatFinding(finding, { severity: 'warning' }));
    return {
      'crd.yaml': files.map(({ document }) => toYaml(document)).join('---\n'),
      ...(warned.length > 0 ? { 'warnings.txt': `${warned.join('\n\n')}\n` } : {}),
    };
  } catch (error) {
    if (error instanceof OpSdkError) return { 'error.txt': `${formatFindings(error.findings)}\n` };
    throw error;
  }
}

test.each(cases)('%s', { timeout: 300_000 }, (name) => {
  const actual = generate(name);
  for (const output of ['crd.yaml', 'warnings.txt', 'error.txt']) {
    const path = join(root, name, output);
    const text = actual[output];
    if (process.env['UPDATE_GOLDEN'] === '1') {
      if (text === undefined) rmSync(path, { force: true });
      else writeFileSync(path, text);
    }
    expect(text, `${name}/${output}`).toBe(existsSync(path) ? readFileSync(path, 'utf8') : undefined);
  }
});

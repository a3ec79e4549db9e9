import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatFindings, formatFinding, type Finding } from '../../../src/errors/index.ts';
import { generateSchema, loadProgram } from '../../../src/schema/index.ts';
import { toYaml } from '../../../src/util/yaml.ts';

// Each folder holds `types.ts`, whose interface `Sample` is the kind, and what comes of it: `schema.yaml` (with `columns.yaml` and
// `warnings.txt` where there are any), or `error.txt`. `UPDATE_GOLDEN=1` writes these files.
const root = import.meta.dirname;
const cases = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();

// One program for all kinds, as in a project: what one kind leaves behind must not reach another.
const source = loadProgram({ projectDir: root, rootFiles: cases.map((name) => `${name}/types.ts`) });

const isOf = (name: string) => (finding: Finding) =>
  finding.where !== undefined && 'file' in finding.where && finding.where.file.startsWith(`${name}/`);

function generate(name: string): Record<string, string> {
  const syntax = source.diagnostics.filter(isOf(name));
  if (syntax.length > 0) return { 'error.txt': `${formatFindings(syntax)}\n` };
  const file = source.program.getSourceFile(join(root, name, 'types.ts'));
  const sample = file?.statements.find(
    (item) => source.ts.isInterfaceDeclaration(item) && item.name.text === 'Sample',
  );
  if (sample === undefined || !source.ts.isInterfaceDeclaration(sample))
    throw new Error(`no interface Sample in ${name}`);
  const { schema, findings, warnings, printerColumns } = generateSchema(source, sample);
  const warned = warnings.map((finding) => formatFinding(finding, { severity: 'warning' })).join('\n\n');
  return {
    ...(findings.length > 0
      ? { 'error.txt': `${formatFindings(findings)}\n` }
      : { 'schema.yaml': toYaml(schema) }),
    ...(findings.length === 0 && printerColumns.length > 0 ? { 'columns.yaml': toYaml(printerColumns) } : {}),
    ...(warnings.length > 0 ? { 'warnings.txt': `${warned}\n` } : {}),
  };
}

test.each(cases)('%s', (name) => {
  const actual = generate(name);
  for (const output of ['schema.yaml', 'columns.yaml', 'warnings.txt', 'error.txt']) {
    const path = join(root, name, output);
    const text = actual[output];
    if (process.env['UPDATE_GOLDEN'] === '1') {
      if (text === undefined) rmSync(path, { force: true });
      else writeFileSync(path, text);
    }
    const expected = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    expect(text, `${name}/${output}`).toBe(expected);
  }
});

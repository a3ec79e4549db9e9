import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FindingList, formatFindings, formatFinding, type Finding } from '../../../src/base/errors/index.ts';
import { collectKinds } from '../../../src/compiler/manifests/collect-kinds.ts';
import { crdDocument } from '../../../src/compiler/manifests/crd/crd-document.ts';
import { uniqueFindings } from '../../../src/compiler/manifests/declarations.ts';
import { loadProgram, readDeclarations } from '../../../src/compiler/schema/index.ts';
import { toYaml } from '../../../src/kubernetes/yaml/to-yaml.ts';

// Each folder holds `types.ts`, and what comes of it: `crd.yaml` (with `warnings.txt` where there are any), or `error.txt`.
// Where `types.ts` calls no defineResource, its interface `Sample` is the kind. `UPDATE_GOLDEN=1` writes these files.
const root = import.meta.dirname;
const cases = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();
const files = cases.map((name) => `${name}/types.ts`);

/** At the end of the file, so that the lines of the case stay where they are. */
const declaration = `
import { defineResource as defineSample } from 'opsdk';
export const Sample = defineSample<Sample>({ group: 'example.com', version: 'v1', kind: 'Sample' });
`;
const texts = new Map(
  files
    .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)
    .filter(([, text]) => !text.includes('defineResource'))
    .map(([file, text]) => [file, `${text}${declaration}`]),
);

// One program for all kinds, as in a project: what one kind leaves behind must not reach another.
const source = loadProgram({ projectDir: root, rootFiles: files, texts });
const declared = readDeclarations(source);

const isOf = (name: string) => (finding: Finding) =>
  finding.where !== undefined && 'file' in finding.where && finding.where.file.startsWith(`${name}/`);

function generate(name: string): Record<string, string> {
  const syntax = source.diagnostics.filter(isOf(name));
  if (syntax.length > 0) return { 'error.txt': `${formatFindings(syntax)}\n` };
  const resources = declared.resources.filter(({ file }) => file === join(root, name, 'types.ts'));
  const findings = new FindingList();
  findings.add(...declared.findings.filter(isOf(name)));
  const { kinds, warnings } = collectKinds(findings, source, resources);
  const warned = uniqueFindings(warnings).map((finding) => formatFinding(finding, { severity: 'warning' }));
  const outcome: Record<string, string> =
    findings.all.length > 0
      ? { 'error.txt': `${formatFindings(uniqueFindings(findings.all))}\n` }
      : { 'crd.yaml': kinds.map((kind) => toYaml(crdDocument(kind))).join('---\n') };
  return { ...outcome, ...(warned.length > 0 ? { 'warnings.txt': `${warned.join('\n\n')}\n` } : {}) };
}

test.each(cases)('%s', (name) => {
  const actual = generate(name);
  for (const output of ['crd.yaml', 'warnings.txt', 'error.txt']) {
    const path = join(root, name, output);
    const text = actual[output];
    if (process.env['UPDATE_GOLDEN'] === '1') {
      if (text === undefined) rmSync(path, { force: true });
      else writeFileSync(path, text);
    }
    const expected = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    expect(text, `${name}/${output}`).toBe(expected);
  }
  expect(actual['crd.yaml'] ?? actual['error.txt'], 'the case declares no kind').not.toBe('');
});

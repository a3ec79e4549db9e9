import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FindingList, formatFinding, formatFindings, type Finding } from '../../../src/base/errors/index.ts';
import { collectKinds } from '../../../src/compiler/manifests/collect-kinds.ts';
import { crdDocument } from '../../../src/compiler/manifests/crd/crd-document.ts';
import { uniqueFindings } from '../../../src/compiler/manifests/declarations.ts';
import { loadProgram, readDeclarations } from '../../../src/compiler/schema/index.ts';
import { toYaml } from '../../../src/kubernetes/yaml/to-yaml.ts';
import { rejectedProbes } from './rejected-probes.ts';

// Each folder says one thing that the API server refuses. `error.txt`: how `generate manifests` refuses it. Where only an API server can
// know, `crd.yaml` is what it is asked about: test/control-plane/compiler/schema/probes.test.ts shows that it refuses.
const root = import.meta.dirname;
const written = rejectedProbes.flatMap(({ folder, refusedBy }) =>
  folder === undefined ? [] : [{ folder, refusedBy: refusedBy ?? 'generate' }],
);
const source = loadProgram({
  projectDir: root,
  rootFiles: written.map(({ folder }) => `${folder}/types.ts`),
});
const declared = readDeclarations(source);

const isOf = (folder: string) => (finding: Finding) =>
  finding.where !== undefined && 'file' in finding.where && finding.where.file.startsWith(`${folder}/`);

function generate(folder: string) {
  const findings = new FindingList();
  findings.add(...declared.findings.filter(isOf(folder)));
  const resources = declared.resources.filter(({ file }) => file === join(root, folder, 'types.ts'));
  const { kinds, warnings } = collectKinds(findings, source, resources);
  return { findings: uniqueFindings(findings.all), warnings: uniqueFindings(warnings), kinds };
}

/** The lines of each field that is marked `// refused`, with its doc comment: a case may say the same in several ways. */
function refusedFields(folder: string): readonly { readonly from: number; readonly to: number }[] {
  const lines = readFileSync(join(root, folder, 'types.ts'), 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    if (!line.endsWith('// refused')) return [];
    const hasComment = lines[index - 1]?.trim().startsWith('/**') === true;
    return [{ from: hasComment ? index : index + 1, to: index + 1 }];
  });
}

const isBetween = (line: number | undefined, from: number, to: number) =>
  line !== undefined && line >= from && line <= to;

/** Compares with the file, or writes it. */
function expectFile(folder: string, name: string, text: string | undefined): void {
  const path = join(root, folder, name);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    if (text === undefined) rmSync(path, { force: true });
    else writeFileSync(path, text);
  }
  expect(text, `${folder}/${name}`).toBe(existsSync(path) ? readFileSync(path, 'utf8') : undefined);
}

describe('what the API server refuses', () => {
  it('has no syntax errors and a case for every folder', () => {
    expect(source.diagnostics).toEqual([]);
    const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual(written.map(({ folder }) => folder).sort());
  });

  it.each(written)('$folder: refused by $refusedBy', ({ folder, refusedBy }) => {
    const { findings, warnings, kinds } = generate(folder);
    const refusedHere = refusedBy === 'generate';
    // Never a CRD that the API server would refuse.
    expect(findings.length > 0, `${findings.length} findings`).toBe(refusedHere);
    for (const finding of findings) {
      expect(finding.where, finding.message).toMatchObject({
        file: `${folder}/types.ts`,
        line: expect.any(Number),
      });
    }
    for (const { from, to } of refusedFields(folder)) {
      const inside = findings.some(
        ({ where }) => where !== undefined && 'line' in where && isBetween(where.line, from, to),
      );
      expect(inside, `lines ${from} to ${to} have a finding`).toBe(true);
    }
    expectFile(folder, 'error.txt', refusedHere ? `${formatFindings(findings)}\n` : undefined);
    expectFile(
      folder,
      'crd.yaml',
      refusedHere ? undefined : kinds.map((kind) => toYaml(crdDocument(kind))).join(''),
    );
    const warned = refusedHere
      ? []
      : warnings.map((warning) => formatFinding(warning, { severity: 'warning' }));
    expectFile(folder, 'warnings.txt', warned.length === 0 ? undefined : `${warned.join('\n\n')}\n`);
  });
});

describe('the list', () => {
  it('says of each probe that it is written or why it cannot be', () => {
    expect(new Set(rejectedProbes.map(({ probe }) => probe)).size).toBe(78);
    expect(rejectedProbes).toHaveLength(78);
    for (const { probe, folder, cannotBeSaid } of rejectedProbes)
      expect((folder === undefined) !== (cannotBeSaid === undefined), probe).toBe(true);
  });

  it('is that of the measurement', ({ skip }) => {
    const path = join(root, '../../../../shared/data/crd-probes/probes.json');
    if (!existsSync(path)) skip('the measurement is not here');
    const probes = JSON.parse(readFileSync(path, 'utf8')) as readonly {
      readonly name: string;
      readonly strict: { readonly code: number };
    }[];
    const refused = probes.filter(({ strict }) => strict.code >= 400).map(({ name }) => name);
    expect(rejectedProbes.map(({ probe }) => probe).sort()).toEqual(refused.sort());
  });
});

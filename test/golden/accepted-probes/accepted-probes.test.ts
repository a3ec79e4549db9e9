import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FindingList, formatFinding, formatFindings, type Finding } from '../../../src/base/errors/index.ts';
import { collectKinds } from '../../../src/compiler/manifests/collect-kinds.ts';
import { crdDocument } from '../../../src/compiler/manifests/crd/crd-document.ts';
import { uniqueFindings } from '../../../src/compiler/manifests/declarations.ts';
import { loadProgram, readDeclarations } from '../../../src/compiler/schema/index.ts';
import { toYaml } from '../../../src/kubernetes/yaml/to-yaml.ts';
import { acceptedProbes, notWritten } from './accepted-probes.ts';

// Each folder says one thing that the API server accepts, and that must therefore be possible: `crd.yaml` is what comes of it, with the
// warnings in front as comments. Where the measurement is at hand, the CRD is the very one that was measured.
const root = import.meta.dirname;
const folders = acceptedProbes.map(([, folder]) => folder);
const source = loadProgram({ projectDir: root, rootFiles: folders.map((folder) => `${folder}/types.ts`) });
const declared = readDeclarations(source);

function generate(folder: string) {
  const isOf = ({ where }: Finding) =>
    where !== undefined && 'file' in where && where.file.startsWith(`${folder}/`);
  const findings = new FindingList();
  findings.add(...declared.findings.filter(isOf));
  const resources = declared.resources.filter(({ file }) => file === join(root, folder, 'types.ts'));
  const { kinds, warnings } = collectKinds(findings, source, resources);
  const refused = formatFindings(uniqueFindings(findings.all));
  return { refused, warnings: uniqueFindings(warnings), crd: kinds.map(crdDocument)[0] };
}

/** Without what the generator always writes out and the probes leave to the API server. */
function withoutDefaults(crd: unknown): unknown {
  const copy = structuredClone(crd) as { spec: { names: Record<string, unknown> } };
  delete copy.spec.names['listKind'];
  delete copy.spec.names['singular'];
  return copy;
}

const measured = join(root, '../../../../shared/data/crd-probes/probes.json');
const probes = existsSync(measured)
  ? (JSON.parse(readFileSync(measured, 'utf8')) as readonly {
      readonly name: string;
      readonly crd: unknown;
      readonly strict: { readonly code: number };
    }[])
  : undefined;
if (probes === undefined) console.log('skipped: the comparison with the measured CRDs: they are not here');

describe('what the API server accepts', () => {
  it('has no syntax errors and a case for every folder', () => {
    expect(source.diagnostics).toEqual([]);
    const present = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(present.map(({ name }) => name).sort()).toEqual(folders.toSorted());
  });

  it.each(acceptedProbes)('%s', (probe, folder) => {
    const { refused, warnings, crd } = generate(folder);
    expect(refused).toBe('');
    const comments = warnings
      .flatMap((warning) => formatFinding(warning, { severity: 'warning' }).split('\n'))
      .map((line) => `# ${line}\n`);
    const text = comments.join('') + toYaml(crd);
    const path = join(root, folder, 'crd.yaml');
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, text);
    expect(text).toBe(existsSync(path) ? readFileSync(path, 'utf8') : undefined);
    if (probes === undefined) return;
    const original = probes.find(({ name }) => name === probe);
    expect(withoutDefaults(crd)).toEqual(withoutDefaults(original?.crd));
  });

  it('takes fifty objects inside each other', () => {
    const type = '{ c?: '.repeat(50) + 'string' + ' }'.repeat(50);
    const text = `import { defineResource, type CustomResource } from 'opsdk';
export interface Deep extends CustomResource { spec?: { a?: ${type} } }
export const Deep = defineResource<Deep>({ group: 'probe.example.com', version: 'v1', kind: 'Deep' });`;
    const deep = loadProgram({
      projectDir: root,
      rootFiles: ['deep.ts'],
      texts: new Map([['deep.ts', text]]),
    });
    const findings = new FindingList();
    const { kinds } = collectKinds(findings, deep, readDeclarations(deep).resources);
    expect(formatFindings(findings.all)).toBe('');
    expect(JSON.stringify(kinds.map(crdDocument)).match(/"c":/g)).toHaveLength(50);
  });
});

it.skipIf(probes === undefined)('lists every accepted probe of the measurement', () => {
  const accepted = probes?.filter(({ strict }) => strict.code < 300).map(({ name }) => name) ?? [];
  expect([...acceptedProbes.map(([probe]) => probe), ...Object.keys(notWritten)].sort()).toEqual(
    accepted.sort(),
  );
});

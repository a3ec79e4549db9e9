// Types as people write them give the schema of what they say, written out: with all tags, descriptions and types of numbers.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FindingList, formatFindings } from '../../../src/errors/index.ts';
import { collectKinds } from '../../../src/manifests/collect-kinds.ts';
import { loadProgram, readDeclarations } from '../../../src/schema/index.ts';
import { readFileSync } from 'node:fs';

const root = import.meta.dirname;

/** The schemas of the fields of the spec of a kind. */
function fieldsOf(file: string, kind: string): Readonly<Record<string, unknown>> {
  const path = join(root, file);
  const text = `${readFileSync(path, 'utf8')}
import { defineResource as defineForms } from 'opsdk';
export const ${kind} = defineForms<${kind}>({ group: 'example.com', version: 'v1', kind: '${kind}' });
`;
  const source = loadProgram({ projectDir: root, rootFiles: [file], texts: new Map([[file, text]]) });
  const declared = readDeclarations(source);
  const findings = new FindingList();
  findings.add(...source.diagnostics, ...declared.findings);
  const { kinds } = collectKinds(findings, source, declared.resources);
  expect(formatFindings(findings.all)).toBe('');
  const [version] = kinds[0]?.versions ?? [];
  return version?.schema.properties?.['spec']?.properties ?? {};
}

const written = fieldsOf('written.ts', 'Written');
const forms = fieldsOf('types.ts', 'Forms');

test('both have the same fields', () => {
  expect(Object.keys(forms)).toEqual(Object.keys(written));
});

test.each(Object.keys(written))('%s', (field) => {
  expect(forms[field]).toEqual(written[field]);
});

import { join } from 'node:path';
import { FindingList, type Finding } from '../../../src/base/errors/index.ts';
import type { JSONSchemaProps } from '../../../src/kubernetes/objects/index.ts';
import { collectKinds } from '../../../src/compiler/manifests/collect-kinds.ts';
import { loadProgram, readDeclarations } from '../../../src/compiler/schema/index.ts';

const root = import.meta.dirname;

/** The schemas of the fields of the spec of a kind that a text declares as an interface; with findings there may be none. */
export function readFields(
  file: string,
  text: string,
  kind: string,
): { readonly fields: Readonly<Record<string, JSONSchemaProps>>; readonly findings: readonly Finding[] } {
  const declared = `${text}
import { defineResource as defineForms } from 'opsdk';
export const ${kind} = defineForms<${kind}>({ group: 'example.com', version: 'v1', kind: '${kind}' });
`;
  const texts = new Map([[join(root, file), declared]]);
  const source = loadProgram({ projectDir: root, rootFiles: [file], texts });
  const { resources, findings: undeclared } = readDeclarations(source);
  const findings = new FindingList();
  findings.add(...source.diagnostics, ...undeclared);
  const { kinds } = collectKinds(findings, source, resources);
  const [version] = kinds[0]?.versions ?? [];
  return { fields: version?.schema.properties?.['spec']?.properties ?? {}, findings: findings.all };
}

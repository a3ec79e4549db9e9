import type ts from 'typescript';
import { formatWhere } from '../../../../src/base/errors/op-sdk-error.ts';
import { FindingList, type Finding } from '../../../../src/base/errors/index.ts';
import { groupVersions } from '../../../../src/compiler/manifests/crd/check-group.ts';
import { checkKind } from '../../../../src/compiler/manifests/crd/crd-document.ts';
import type { KindWithSchema, DeclaredVersion } from '../../../../src/compiler/manifests/crd/kind-version.ts';
import {
  findDeclarations,
  type DeclarationCall,
} from '../../../../src/compiler/source/evaluate/evaluate-declarations.ts';
import { evaluateFixture } from '../source/evaluate-fixture.ts';

/** The declaration calls of src/main.ts, which may use everything of `opsdk` without importing it. */
export function callsIn(main: string): readonly DeclarationCall[] {
  const imports = `import { defineController, defineResource, externalResource, loadManifest, rbac, every, from, ifServed, metadataOnly, owned, watch } from 'opsdk'; import { Deployment } from 'opsdk/k8s/apps/v1';`;
  // The imports share the first line, so that the lines of the test are those of the file.
  const fixture = evaluateFixture({ 'src/main.ts': `${imports}\n${main}` });
  try {
    const sources: readonly ts.SourceFile[] = fixture.sources;
    return findDeclarations(fixture.context, sources).calls;
  } finally {
    fixture.remove();
  }
}

/** `code place message` of each finding. */
export function lines(findings: readonly Finding[] | FindingList): string[] {
  const all = findings instanceof FindingList ? findings.all : findings;
  // A finding that does not say how to mend it is a defect of its own.
  const unmended = all.filter(({ fix = [] }) => fix.length === 0).map(({ message }) => message);
  if (unmended.length > 0) throw new Error(`no fix: ${unmended.join('; ')}`);
  return all.map(
    ({ code, message, where }) => `${code} ${where === undefined ? '-' : formatWhere(where)} ${message}`,
  );
}

/** A version whose schema is complete, and whose author allows no warning. */
export function declared(kind: KindWithSchema): DeclaredVersion {
  const allows = { allows: () => false, findings: [], unused: () => [] };
  return { ...kind, placeOf: undefined, hasSchema: true, allows };
}

/** What the rules for CustomResourceDefinitions say of kinds; their errors are added to the findings. */
export function judge(findings: FindingList, kinds: readonly KindWithSchema[]): readonly Finding[] {
  return groupVersions(findings, kinds.map(declared)).flatMap((kind) => {
    const { errors, warnings } = checkKind(kind);
    findings.add(...errors);
    return warnings;
  });
}

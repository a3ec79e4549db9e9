import type { Finding, FindingList } from '../errors/index.ts';
import { generateSchema, type ResourceDeclaration, type SourceProgram } from '../schema/index.ts';
import { checkColumns } from './crd/check-columns.ts';
import { groupVersions, type CustomKind } from './crd/check-group.ts';
import type { KindWithSchema } from './crd/kind-version.ts';
import { readDefinition } from './crd/read-definition.ts';

/** The kinds that a project declares, each with the schemas of its versions. */
export interface CollectedKinds {
  readonly kinds: readonly CustomKind<KindWithSchema>[];
  readonly warnings: readonly Finding[];
}

/** Reads, checks and puts together all `defineResource` calls. What it returns is complete only if there were no findings. */
export function collectKinds(
  findings: FindingList,
  source: SourceProgram,
  declarations: readonly ResourceDeclaration[],
): CollectedKinds {
  const warnings: Finding[] = [];
  const declared = declarations.flatMap((declaration) => {
    const kind = readDefinition(findings, declaration.definition, declaration.place);
    const generated = generateSchema(source, declaration.root);
    findings.add(...generated.findings);
    warnings.push(...generated.warnings);
    if (kind === undefined || generated.schema === undefined) return [];
    return [{ ...kind, schema: generated.schema }];
  });
  for (const kind of declared) warnings.push(...checkColumns(findings, kind));
  return { kinds: groupVersions(findings, declared), warnings };
}

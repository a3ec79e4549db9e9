import type { Finding, FindingList } from '../errors/index.ts';
import { generateSchema, type ResourceDeclaration, type SourceProgram } from '../schema/index.ts';
import { addSchema } from './crd/add-schema.ts';
import { checkColumns } from './crd/check-columns.ts';
import { groupVersions, type CustomKind } from './crd/check-group.ts';
import { checkScale } from './crd/check-scale.ts';
import { checkSelectableFields } from './crd/check-selectable-fields.ts';
import type { KindWithSchema } from './crd/kind-version.ts';
import { lintKind } from './crd/lint-kind.ts';
import { lintNames } from './crd/lint-names.ts';
import { lintTakenNames } from './crd/lint-taken-names.ts';
import { readDefinition } from './crd/read-definition.ts';

/** The kinds that a project declares, each with the schemas of its versions. */
export interface CollectedKinds {
  readonly kinds: readonly CustomKind<KindWithSchema>[];
  readonly warnings: readonly Finding[];
}

export interface CollectOptions {
  /** Keep the descriptions of built-in Kubernetes types. Default: false. */
  readonly embeddedDescriptions?: boolean;
}

/** Reads, checks and puts together all `defineResource` calls. What it returns is complete only if there were no findings. */
export function collectKinds(
  findings: FindingList,
  source: SourceProgram,
  declarations: readonly ResourceDeclaration[],
  { embeddedDescriptions = false }: CollectOptions = {},
): CollectedKinds {
  const warnings: Finding[] = [];
  const declared = declarations.flatMap((declaration) => {
    const kind = readDefinition(findings, declaration.definition, declaration.place);
    const generated = generateSchema(source, declaration.root, {
      embeddedDescriptions,
      ...(kind === undefined ? {} : { standardFields: kind.standardFields }),
      ...(kind?.status === undefined ? {} : { status: kind.status.value }),
    });
    findings.add(...generated.findings);
    warnings.push(...generated.warnings);
    if (kind === undefined) return [];
    warnings.push(...lintNames(kind));
    const complete = addSchema(findings, kind, generated);
    // Against an incomplete schema, paths would lead nowhere for no fault of theirs.
    if (generated.findings.length === 0) {
      warnings.push(...checkColumns(findings, complete), ...checkScale(findings, complete));
      checkSelectableFields(findings, complete);
    }
    return [complete];
  });
  const kinds = groupVersions(findings, declared);
  // The lints look at whole kinds; of one that is incomplete they would say what is not so.
  if (findings.isEmpty) warnings.push(...lintTakenNames(kinds), ...kinds.flatMap(lintKind));
  return { kinds, warnings };
}

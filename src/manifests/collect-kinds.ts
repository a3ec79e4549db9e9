import type { Finding, FindingList } from '../errors/index.ts';
import {
  generateSchema,
  type FieldColumn,
  type ResourceDeclaration,
  type SourcePlace,
  type SourceProgram,
} from '../schema/index.ts';
import { checkColumns } from './crd/check-columns.ts';
import { groupVersions, type CustomKind } from './crd/check-group.ts';
import type { ColumnDeclaration, KindWithSchema } from './crd/kind-version.ts';
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
    if (kind === undefined) return [];
    const tagged = generated.printerColumns.map((column) => taggedColumn(column, declaration.place));
    return [
      {
        ...kind,
        columns: [...tagged, ...kind.columns],
        schema: generated.schema,
        complete: generated.findings.length === 0,
      },
    ];
  });
  // Against an incomplete schema, columns would lead nowhere for no fault of theirs.
  for (const kind of declared.filter(({ complete }) => complete))
    warnings.push(...checkColumns(findings, kind));
  return { kinds: groupVersions(findings, declared), warnings };
}

/** A column of a `@printerColumn` tag. Those come first: they show the fields, and the declared ones often end with the age. */
function taggedColumn(column: FieldColumn, place: SourcePlace): ColumnDeclaration {
  return { ...column, jsonPath: { value: column.jsonPath, place }, place };
}

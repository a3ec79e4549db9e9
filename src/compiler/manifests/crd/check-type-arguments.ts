import type { Finding } from '../../../base/errors/index.ts';
import {
  isSchemaExport,
  placeInProject,
  type ResourceDeclaration,
  type SchemaExport,
  type SourceProgram,
} from '../../source/index.ts';
import type { KindVersion } from './kind-version.ts';

/**
 * Checks that the type arguments in `CustomResource<'group/version', 'Kind'>` match the kind that `defineResource` declares. TypeScript
 * checks this too, but manifests are generated without waiting for its type check. An interface whose base type has no arguments fits any
 * kind.
 */
export function checkTypeArguments(
  source: SourceProgram,
  { root }: ResourceDeclaration,
  { group, version, kind }: KindVersion,
): readonly Finding[] {
  // A schema needs no check, because `defineResource` itself creates the object type from it.
  if (isSchemaExport(root)) return [];
  const declared = { apiVersion: `${group.value}/${version.value}`, kind: kind.value };
  return (['apiVersion', 'kind'] as const).flatMap((field): Finding[] => {
    const literal = literalOf(source, root, field);
    if (literal === undefined || literal === declared[field]) return [];
    const head = root.heritageClauses?.[0] ?? root.name;
    return [
      {
        code: 'manifests/kind-mismatch',
        message: `the interface ${root.name.text} has the ${field} "${literal}", but defineResource declares "${declared[field]}"`,
        where: placeInProject(source.projectDir, root.getSourceFile(), head.getStart()),
        fix: [
          `write \`extends CustomResource<'${declared.apiVersion}', '${declared.kind}'>\`, or correct defineResource`,
        ],
      },
    ];
  });
}

/** Returns the value of a field whose type is a single string literal. */
function literalOf(
  { checker }: SourceProgram,
  root: Exclude<ResourceDeclaration['root'], SchemaExport>,
  field: string,
): string | undefined {
  const symbol = checker.getTypeAtLocation(root.name).getProperty(field);
  if (symbol === undefined) return undefined;
  const type = checker.getTypeOfSymbolAtLocation(symbol, root);
  return type.isStringLiteral() ? type.value : undefined;
}

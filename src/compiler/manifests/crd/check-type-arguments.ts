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
 * Checks that the kind in `CustomResource<'group/version', 'Kind'>` of an interface is the one that `defineResource` declares. TypeScript
 * checks this too, but generation does not wait for it. An interface whose base has no arguments fits any kind.
 */
export function checkTypeArguments(
  source: SourceProgram,
  { root }: ResourceDeclaration,
  { group, version, kind }: KindVersion,
): readonly Finding[] {
  // For a schema, defineResource creates the object type itself.
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

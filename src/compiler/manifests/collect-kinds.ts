import type { Finding, FindingList } from '../../base/errors/index.ts';
import {
  generateSchema,
  readLibrarySchemas,
  resourceAllows,
  type ConversionDeclaration,
  type GeneratedSchema,
  type ResourceAllows,
  type ResourceDeclaration,
  type SourceProgram,
} from '../schema/index.ts';
import { isSchemaExport } from '../source/index.ts';
import { addConversions } from './crd/add-conversions.ts';
import { addSchema } from './crd/add-schema.ts';
import { groupVersions, type CustomKind } from './crd/check-group.ts';
import { checkKind } from './crd/check-kind.ts';
import { checkTypeArguments } from './crd/check-type-arguments.ts';
import type { DeclaredVersion } from './crd/declared-version.ts';
import type { KindVersion } from './crd/kind-version.ts';
import { lintKind } from './crd/lint-kind.ts';
import { lintNames } from './crd/lint-names.ts';
import { lintTakenNames } from './crd/lint-taken-names.ts';
import { readDefinition } from './crd/read-definition.ts';

/** The kinds that a project declares, each with the schemas of its versions. */
export interface CollectedKinds {
  readonly kinds: readonly CustomKind<DeclaredVersion>[];
  readonly warnings: readonly Finding[];
}

export interface CollectOptions {
  /** Keep the descriptions of built-in Kubernetes types. Default: false. */
  readonly embeddedDescriptions?: boolean;
  /** Keep what tells where the parts of schemas come from. Default: false. */
  readonly places?: boolean;
  /** Declarations by `defineConversion`. Default: none. */
  readonly conversions?: readonly ConversionDeclaration[];
  /** Not all kinds of the project are among the declarations. Default: false. */
  readonly isPart?: boolean;
}

/** Reads, checks and puts together all `defineResource` calls. What it returns is complete only if there were no findings. */
export function collectKinds(
  findings: FindingList,
  source: SourceProgram,
  declarations: readonly ResourceDeclaration[],
  options: CollectOptions = {},
): CollectedKinds {
  const warnings: Finding[] = [];
  const allAllows: ResourceAllows[] = [];
  const tagUses: GeneratedSchema['allows'][] = [];
  readLibrarySchemas(source, declarations.map(({ root }) => root).filter(isSchemaExport));
  const declared = declarations.flatMap((declaration): readonly DeclaredVersion[] => {
    const kind = readDefinition(findings, declaration.definition, declaration.place);
    const allows = resourceAllows(source, declaration.call);
    allAllows.push(allows);
    const generated = schemaOf(source, declaration, kind, options);
    findings.add(...allows.findings, ...generated.findings);
    // A schema of a library has no comments that are read: what it warns of is allowed where the kind is declared.
    const isAllowed = ({ code }: Finding): boolean => isSchemaExport(declaration.root) && allows.allows(code);
    warnings.push(...generated.warnings.filter((warning) => !isAllowed(warning)));
    tagUses.push(generated.allows, generated.descriptors.tags);
    if (kind === undefined) return [];
    findings.add(...checkTypeArguments(source, declaration, kind));
    const complete = addSchema(findings, kind, generated);
    warnings.push(...lintNames(kind).filter(({ code }) => !allows.allows(code)));
    const { placeOf, descriptors } = generated;
    const hasSchema = generated.findings.length === 0;
    return [{ ...complete, placeOf, descriptors, allows, hasSchema }];
  });
  warnings.push(...unusedEverywhere(tagUses));
  const kinds = addConversions(findings, groupVersions(findings, declared), {
    conversions: options.conversions ?? [],
    isComplete: options.isPart !== true && declared.length === declarations.length,
  });
  for (const kind of kinds) {
    const judged = checkKind(kind);
    findings.add(...judged.errors);
    warnings.push(...judged.warnings);
  }
  // The lints look at whole kinds; of one that is incomplete they would say what is not so.
  if (findings.isEmpty) {
    const clashes = lintTakenNames(kinds);
    for (const kind of kinds) {
      const lints = [...lintKind(kind), ...(clashes.get(kind) ?? [])];
      // What concerns the whole kind, any of its versions may allow.
      const isAllowed = ({ code }: Finding): boolean =>
        kind.versions.filter(({ allows }) => allows.allows(code)).length > 0;
      warnings.push(...lints.filter((lint) => !isAllowed(lint)));
    }
    warnings.push(...allAllows.flatMap((allows) => allows.unused()));
  }
  return { kinds, warnings };
}

/** The warnings of the tags that no kind has a use for: kinds share types. */
function unusedEverywhere(uses: readonly GeneratedSchema['allows'][]): readonly Finding[] {
  const places = new Set(uses.flatMap(({ used }) => used).map(({ where }) => JSON.stringify(where)));
  return uses.flatMap(({ unused }) => unused).filter(({ where }) => !places.has(JSON.stringify(where)));
}

function schemaOf(
  source: SourceProgram,
  { root }: ResourceDeclaration,
  kind: KindVersion | undefined,
  { embeddedDescriptions = false, places = false }: CollectOptions,
): GeneratedSchema {
  return generateSchema(source, root, {
    embeddedDescriptions,
    places,
    ...(kind === undefined ? {} : { standardFields: kind.standardFields }),
    ...(kind?.status === undefined ? {} : { status: kind.status.value }),
  });
}

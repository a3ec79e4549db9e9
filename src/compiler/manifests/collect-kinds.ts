import { type Finding, type FindingList, formatWhere } from '../../base/errors/index.ts';
import {
  generateSchema,
  readLibrarySchemas,
  resourceAllows,
  type ConversionDeclaration,
  type GeneratedSchema,
  type ResourceAllows,
  type ResourceDeclaration,
  type SourceProgram,
  type FieldColumn,
  type JSONSchemaProps,
  type SourcePlace,
  type TaggedPath,
} from '../schema/index.ts';
import { isSchemaExport } from '../source/index.ts';
import { checkKindName, checkPlural, checkVersion } from '../../project/project/index.ts';
import { addConversions } from './crd/add-conversions.ts';
import { groupVersions, type CustomKind } from './crd/check-group.ts';
import { checkKind } from './crd/crd-document.ts';
import { checkTypeArguments } from './crd/check-type-arguments.ts';
import type {
  KindVersion,
  ColumnDeclaration,
  KindWithSchema,
  ScalePaths,
  DeclaredVersion,
} from './crd/kind-version.ts';
import { lintKind } from './crd/lint-kind.ts';
import { readDefinition } from './crd/read-definition.ts';
import type { Placed } from './declaration.ts';

/** The kinds (custom resources) that a project declares, each with the schema of each of its versions. */
export interface CollectedKinds {
  readonly kinds: readonly CustomKind<DeclaredVersion>[];
  readonly warnings: readonly Finding[];
}

export interface CollectOptions {
  /** Keep the descriptions of built-in Kubernetes types in the schemas. Default: false. */
  readonly embeddedDescriptions?: boolean;
  /** Record the place in the sources that each part of a schema comes from. Default: false. */
  readonly places?: boolean;
  /** Calls of `defineConversion` in the project. Default: none. */
  readonly conversions?: readonly ConversionDeclaration[];
  /** True if the declarations passed in do not include all kinds of the project. Default: false. */
  readonly isPart?: boolean;
}

/** Reads, checks and combines all `defineResource` calls. The result is complete only if `findings` stays empty. */
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
    // Comments in the sources of a library are not read. Therefore an `@allow` at the `defineResource` call covers the warnings about its
    // schema.
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
  // The lints run only if all kinds are complete, because an incomplete kind would cause false warnings.
  if (findings.isEmpty) {
    const clashes = lintTakenNames(kinds);
    for (const kind of kinds) {
      const lints = [...lintKind(kind), ...(clashes.get(kind) ?? [])];
      // A warning about the entire kind is dropped if any version of the kind allows it.
      const isAllowed = ({ code }: Finding): boolean =>
        kind.versions.filter(({ allows }) => allows.allows(code)).length > 0;
      warnings.push(...lints.filter((lint) => !isAllowed(lint)));
    }
    warnings.push(...allAllows.flatMap((allows) => allows.unused()));
  }
  return { kinds, warnings };
}

/**
 * Returns a warning for each tag that is unused in every kind. A tag in a type that several kinds share counts as used if one of them uses
 * it.
 */
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

/** Warns of kind and version names that the API server accepts but that break the naming conventions. */
function lintNames({ kind, version }: KindVersion): readonly Finding[] {
  const unusualKind = isLabel(kind.value.toLowerCase()) ? checkKindName(kind.value) : undefined;
  const unusualVersion = isLabel(version.value) ? checkVersion(version.value) : undefined;
  return [
    ...(unusualKind === undefined
      ? []
      : [
          {
            code: 'manifests/unusual-name',
            message: `the kind ${JSON.stringify(kind.value)} is unusual: ${unusualKind}`,
            where: kind.place,
            fix: ['write one CamelCase word, such as Memcached'],
          } as const,
        ]),
    ...(unusualVersion === undefined
      ? []
      : [
          {
            code: 'manifests/unusual-name',
            message: `the version ${JSON.stringify(version.value)} is unusual: ${unusualVersion}. Clients sort such versions behind all others`,
            where: version.place,
            fix: ['write v1alpha1, v1beta1 or v1'],
          } as const,
        ]),
  ];
}

/** True if a name is a valid DNS label. Another check rejects invalid names. */
function isLabel(name: string): boolean {
  return checkPlural(name) === undefined;
}

/**
 * Warns of names that two kinds of a group share. The API server accepts the second CRD but never establishes it. Source: apiextensions
 * `pkg/controller/status/naming_controller.go`: plural, singular and short names share one namespace; kind and list kind share another.
 */
export function lintTakenNames<K extends CustomKind>(
  kinds: readonly K[],
): ReadonlyMap<K, readonly Finding[]> {
  const findings = new Map<K, Finding[]>();
  const taken = new Map<
    string,
    { readonly what: string; readonly name: Placed<string>; readonly kind: KindVersion }
  >();
  for (const whole of kinds) {
    const [kind] = whole.versions;
    const clashes: Finding[] = [];
    findings.set(whole, clashes);
    const names: readonly (readonly [string, string, Placed<string>])[] = [
      ['resource', 'plural', kind.plural],
      ['resource', 'singular', kind.singular],
      ...kind.shortNames.map((name) => ['resource', 'short name', name] as const),
      ['kind', 'kind', kind.kind],
      ['kind', 'list kind', kind.listKind],
    ];
    for (const [space, what, name] of names) {
      const id = `${kind.group.value} ${space} ${name.value}`;
      const other = taken.get(id);
      if (other === undefined) taken.set(id, { what, name, kind });
      // The same plural twice is refused.
      else if (other.kind !== kind && !(what === 'plural' && other.what === 'plural'))
        clashes.push(nameTaken(kind, what, name, other));
    }
  }
  return findings;
}

function nameTaken(
  kind: KindVersion,
  what: string,
  name: Placed<string>,
  other: { readonly what: string; readonly name: Placed<string>; readonly kind: KindVersion },
): Finding {
  const fixable = what === 'list kind' ? 'listKind' : what === 'short name' ? 'shortNames' : what;
  return {
    code: 'manifests/name-clash',
    message: `the ${what} '${name.value}' of ${kind.kind.value} is taken: it is the ${other.what} of ${other.kind.kind.value} in the same group ${kind.group.value} (${formatWhere(other.name.place)})`,
    where: name.place,
    fix: [`give ${kind.kind.value} another \`${fixable}\``],
  };
}

/** Adds to a declaration the schema of its interface and the resource settings from the tags of the interface. */
export function addSchema(
  findings: FindingList,
  kind: KindVersion,
  generated: GeneratedSchema,
): KindWithSchema {
  const tagged = generated.printerColumns.map((column) => taggedColumn(column, kind.place));
  return {
    ...kind,
    columns: [...tagged, ...kind.columns],
    scale: scaleOf(findings, kind, generated.scale),
    selectableFields: selectableOf(findings, kind, generated.selectableFields),
    schema: withRules(generated.schema, kind),
  };
}

/**
 * Converts a `@printerColumn` tag to a column declaration. Tagged columns come before those declared in `defineResource`, because tagged
 * columns show fields and the declared columns often end with the age.
 */
function taggedColumn(column: FieldColumn, place: SourcePlace): ColumnDeclaration {
  return { ...column, jsonPath: { value: column.jsonPath, place }, place };
}

function scaleOf(
  findings: FindingList,
  { scale, place }: KindVersion,
  tagged: GeneratedSchema['scale'],
): ScalePaths | undefined {
  const paths = Object.entries(tagged).map(([name, path]) => [name, placed(path)] as const);
  const [first] = paths;
  if (first === undefined) return scale;
  if (scale !== undefined) {
    findings.add(
      saidTwice('the scale subresource', '@scale', 'scale', first[1].place, placeOfScale(scale) ?? place),
    );
    return scale;
  }
  return Object.fromEntries(paths);
}

function placeOfScale({ spec, status, selector }: ScalePaths): SourcePlace | undefined {
  return (spec ?? status ?? selector)?.place;
}

function selectableOf(
  findings: FindingList,
  { selectableFields }: KindVersion,
  tagged: readonly TaggedPath[],
): KindWithSchema['selectableFields'] {
  const [first] = tagged;
  if (first === undefined) return selectableFields;
  if (selectableFields === undefined) return { value: tagged.map(placed), place: first.place };
  const what = 'the selectable fields';
  findings.add(saidTwice(what, '@selectable', 'selectableFields', first.place, selectableFields.place));
  return selectableFields;
}

function placed({ jsonPath, place }: TaggedPath): Placed<string> {
  return { value: jsonPath, place };
}

function saidTwice(what: string, tag: string, property: string, where: SourcePlace, other: SourcePlace) {
  return {
    code: 'manifests/said-twice',
    message: `${what} of one version are declared twice: by ${tag} tags here, and by \`${property}\` of defineResource (${formatWhere(other)})`,
    where,
    fix: [`leave the tags or \`${property}\` out`],
  } as const;
}

function withRules(schema: JSONSchemaProps, { cel }: KindVersion): JSONSchemaProps {
  if (cel.length === 0) return schema;
  const rules = [...(schema['x-kubernetes-validations'] ?? []), ...cel.map(({ value }) => value)];
  return { ...schema, 'x-kubernetes-validations': rules };
}

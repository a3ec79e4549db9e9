import path from 'node:path';
import { FindingList, type Finding } from '../../base/errors/index.ts';
import { unlistedPackage } from '../../project/project/index.ts';
import { loadProgram, readDeclarations } from '../schema/index.ts';
import { unlistedImports } from '../source/index.ts';
import { diskView } from '../../base/util/observe-files.ts';
import { compareCodeUnits } from '../../base/util/json-map.ts';
import { checkRegistration, projectOf } from './check-registration.ts';
import { addConversions } from './crd/add-conversions.ts';
import { groupVersions } from './crd/check-group.ts';
import { checkKind } from './crd/crd-document.ts';
import type { KindVersion, DeclaredVersion } from './crd/kind-version.ts';
import { readDefinition } from './crd/read-definition.ts';
import { declaredApis, uniqueFindings, usedKinds, type UsedKind } from './declarations.ts';
import { sourceFiles } from './source-files.ts';

/** A kind that the project declares, identified by the name of its CustomResourceDefinition. */
export interface DeclaredKind {
  /** Name of the CRD, for example `memcacheds.cache.example.com`. */
  readonly crd: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Every declared version that is served, sorted by name. */
  readonly versions: readonly string[];
}

/** The kinds that a project needs in a cluster. */
export interface ProjectKinds {
  readonly declared: readonly DeclaredKind[];
  readonly used: readonly UsedKind[];
  /**
   * Warnings about entries that are missing in the file PROJECT, in the kustomization of the CRDs or in the main file; see
   * `checkRegistration`.
   */
  readonly unregistered: readonly Finding[];
  /** Warnings about imports of packages that package.json does not list. */
  readonly unlisted: readonly Finding[];
}

/**
 * Returns the kinds that a project declares and the kinds that its controllers use. Builds no schemas, so it is quick.
 *
 * @param projectDir absolute path; places are relative to it
 * @throws OpSdkError if a source or a declaration cannot be read
 */
export function projectKinds(projectDir: string): ProjectKinds {
  const rootFiles = [...sourceFiles(path.join(projectDir, 'src'))].sort();
  const program = loadProgram({ projectDir, rootFiles });
  const findings = new FindingList();
  findings.add(...program.diagnostics);
  findings.throwIfAny();
  const declarations = readDeclarations(program);
  const { resources, controllers, conversions, findings: unread } = declarations;
  findings.add(...unread);
  const versions = resources.flatMap(
    ({ definition, place }) => readDefinition(findings, definition, place) ?? [],
  );
  const grouped = groupVersions(findings, versions.map(withoutSchema));
  const kinds = addConversions(findings, grouped, {
    conversions,
    isComplete: versions.length === resources.length,
  });
  for (const kind of kinds) findings.add(...checkKind(kind).errors);
  const declared = kinds.map(({ versions: all, storage }): DeclaredKind => ({
    crd: `${storage.plural.value}.${storage.group.value}`,
    group: storage.group.value,
    kind: storage.kind.value,
    plural: storage.plural.value,
    namespaced: storage.scope.value === 'Namespaced',
    versions: all.filter(({ served }) => served).map(({ version }) => version.value),
  }));
  const unique = new FindingList();
  unique.add(...uniqueFindings(findings.all));
  unique.throwIfAny();
  const read = (file: string): string | undefined => diskView.readFile(path.join(projectDir, file));
  return {
    declared: declared.sort((a, b) => compareCodeUnits(a.crd, b.crd)),
    used: controllers.flatMap(({ argument }) => usedKinds(argument)),
    unlisted: unlistedImports(program).map((each) => unlistedPackage(projectDir, each)),
    unregistered: checkRegistration({
      source: program,
      declarations,
      apis: declaredApis(kinds),
      project: projectOf(read),
      read,
    }),
  };
}

/** Returns the version with an empty schema: interfaces are not read here, but everything else is checked. */
function withoutSchema(version: KindVersion): DeclaredVersion {
  const allows = { allows: () => false, findings: [], unused: () => [] };
  return { ...version, schema: { type: 'object' }, placeOf: undefined, hasSchema: false, allows };
}

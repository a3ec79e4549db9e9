import type { Finding } from '../../base/errors/index.ts';
import type { FieldDescriptor, ProjectDeclarations, SourceProgram, TokenInfo } from '../schema/index.ts';
import { importedFiles } from '../source/index.ts';
import { compareCodeUnits } from '../../base/util/json-map.ts';
import { collectRules, type CollectedRules } from './collect-rules.ts';
import { isNamespaced, readKinds, throwUnique, type ManifestOptions } from './generate-manifests.ts';
import { uniqueFindings, usedKinds } from './declarations.ts';
import { builtInResources } from './rbac/generated/built-in-resources.ts';
import type { NeededRule } from './rbac/needed-rule.ts';

/** Description of one version of a kind for people who choose and use operators. Complements the CRD. */
export interface KindDescription {
  /** Name of the CRD. */
  readonly name: string;
  readonly kind: string;
  readonly version: string;
  /** Text of the `@displayName` tag. */
  readonly displayName?: string;
  readonly resources: readonly KindResource[];
  readonly specDescriptors: readonly FieldDescriptor[];
  readonly statusDescriptors: readonly FieldDescriptor[];
}

interface DescribedKinds {
  readonly kinds: readonly KindDescription[];
  readonly warnings: readonly Finding[];
}

/**
 * Describes the kinds of a project as OLM (Operator Lifecycle Manager) expects it. Reads files and writes none.
 * @throws OpSdkError with all errors in all files, as `generateManifests` does
 */
export function describeKinds(options: ManifestOptions): DescribedKinds {
  const { kinds, warnings, program, declared, findings } = readKinds(options);
  const rules = collectRules(findings, program, declared, kinds, isNamespaced(options));
  throwUnique(findings);
  const resources = resourcesOf(program, declared, rules.used);
  return {
    kinds: kinds.flatMap(({ versions }) =>
      versions.map(({ group, version, kind, plural, scope, descriptors }): KindDescription => {
        const token = {
          group: group.value,
          version: version.value,
          kind: kind.value,
          plural: plural.value,
          namespaced: scope.value === 'Namespaced',
        };
        const { displayName, spec = [], status = [] } = descriptors ?? {};
        return {
          name: `${token.plural}.${token.group}`,
          kind: token.kind,
          version: token.version,
          ...(displayName === undefined ? {} : { displayName }),
          resources: resources(token),
          specDescriptors: spec,
          statusDescriptors: status,
        };
      }),
    ),
    warnings: uniqueFindings(warnings),
  };
}

/** A kind whose objects belong to an object of a project's kind: an item of `resources` of an owned CRD in OLM's format. */
interface KindResource {
  readonly kind: string;
  /** Name of the CRD; empty for built-in kinds, which have no CRD. */
  readonly name: string;
  readonly version: string;
}

/**
 * Creates a function that lists the kinds that the controllers of a kind own or write. A write call belongs to each controller whose file
 * contains the call or imports the file of the call. If no controller does, the call belongs to all controllers. Events are omitted. The
 * kind itself is listed only if no other kind is found.
 * @returns a function that takes a kind of the project and returns the list
 */
function resourcesOf(
  source: SourceProgram,
  { controllers }: Pick<ProjectDeclarations, 'controllers'>,
  used: CollectedRules['used'],
): (kind: TokenInfo) => readonly KindResource[] {
  const read = controllers.map(({ argument, place }) => ({
    kinds: usedKinds(argument),
    files: importedFiles(source, place.file),
  }));
  const written = used
    .filter(({ isWritten }) => isWritten)
    .map((kind) => ({ kind, owners: read.filter(({ files }) => files.has(kind.place.file)) }));
  return (kind) => {
    const own = read.filter(({ kinds }) => kinds.some((each) => each.role === 'for' && isSame(each, kind)));
    const owned = own.flatMap(({ kinds }) => kinds.filter(({ role }) => role === 'owns'));
    const writes = written.filter(
      ({ owners }) => owners.length === 0 || owners.some((owner) => own.includes(owner)),
    );
    const others = [...owned, ...writes.map((write) => write.kind)].filter(
      (each) => !isSame(each, kind) && !isEvent(each),
    );
    const resources = (others.length === 0 ? [kind] : others).map(resourceOf);
    return [...new Map(resources.map((each) => [JSON.stringify(each), each])).values()].sort(
      (a, b) =>
        compareCodeUnits(a.kind, b.kind) ||
        compareCodeUnits(a.name, b.name) ||
        compareCodeUnits(a.version, b.version),
    );
  };
}

function isSame(a: TokenInfo, b: TokenInfo): boolean {
  return a.group === b.group && a.kind === b.kind;
}

/** Returns true for the kinds of Events, which are records and no operands. */
export function isEvent({ group, kind }: Pick<TokenInfo, 'group' | 'kind'>): boolean {
  return kind === 'Event' && (group === '' || group === 'events.k8s.io');
}

function resourceOf({ group, version, kind, plural }: TokenInfo): KindResource {
  const isBuiltIn = Object.hasOwn(builtInResources, group);
  return { kind, name: isBuiltIn ? '' : `${plural}.${group}`, version };
}

/** The permissions of an operator's role, each with the source lines that need it. */
export interface ExplainedPermissions {
  /** Each permission that a line of the sources needs, in the order in which the sources are read. Several entries may be equal. */
  readonly rules: readonly NeededRule[];
  readonly warnings: readonly Finding[];
}

/**
 * Returns the permissions of a project, each with the source lines that need it. Reads files and writes none.
 * @throws OpSdkError with all errors in all files, as `generateManifests` does
 */
export function explainPermissions(options: ManifestOptions): ExplainedPermissions {
  const { kinds, program, declared, findings } = readKinds(options);
  const { rules, warnings } = collectRules(findings, program, declared, kinds, isNamespaced(options));
  throwUnique(findings);
  return { rules, warnings: uniqueFindings(warnings) };
}

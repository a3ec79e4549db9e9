import { formatWhere, type Finding, type FindingList } from '../../../base/errors/index.ts';
import type { ConversionDeclaration, Evaluated, SourcePlace, TokenInfo } from '../../schema/index.ts';
import { webhookService } from '../webhook/webhook-documents.ts';
import type { CustomKind } from './check-group.ts';
import type { KindVersion, SharedParts } from './kind-version.ts';

/** `spec.conversion` of the CRD of a kind with `defineConversion`. Source: apiextensions.k8s.io/v1 `CustomResourceConversion`. */
const webhookConversion = {
  strategy: 'Webhook',
  webhook: {
    clientConfig: { service: { ...webhookService, path: '/convert' } },
    conversionReviewVersions: ['v1'],
  },
};

const kindFix = 'name a `const` of defineResource';

/** A resource and the place in the sources that names it. */
interface Named {
  readonly token: TokenInfo;
  readonly place: SourcePlace;
}

/** The `defineConversion` calls of a project. */
interface DeclaredConversions {
  readonly conversions: readonly ConversionDeclaration[];
  /** True if the declarations include all kinds of the project. If false, a missing kind is not reported. */
  readonly isComplete: boolean;
}

/**
 * Adds the declared conversions to their kinds. A conversion that does not fit its kind becomes a finding. The hub must be the storage
 * version, so that only one version is ever stored. Every served version must be the hub or a spoke.
 */
export function addConversions<V extends KindVersion>(
  findings: FindingList,
  kinds: readonly CustomKind<V>[],
  { conversions, isComplete }: DeclaredConversions,
): readonly CustomKind<V>[] {
  const taken = new Map<CustomKind<V>, SharedParts['conversion']>();
  for (const declaration of conversions) {
    const hub = readResource(findings, declaration.hub, declaration.place);
    const spokes = declaration.spokes.map((each) => readResource(findings, each.resource, each.place));
    if (hub === undefined) continue;
    const kind = kinds.find((each) => isOf(each, hub.token));
    if (kind === undefined) {
      if (isComplete)
        findings.add(
          versionsFinding(
            hub,
            `${titleOf(hub.token)} is not a kind that this project declares`,
            'convert only between versions of a kind that defineResource declares',
          ),
        );
      continue;
    }
    const earlier = taken.get(kind);
    if (earlier !== undefined) findings.add(duplicate(kind, declaration.place, earlier.place));
    else
      taken.set(kind, {
        value: webhookConversion,
        place: declaration.place,
        parts: new Map(),
        isDeclared: true,
      });
    if (!isComplete) continue;
    const known = spokes.filter((each) => each !== undefined);
    findings.add(...checkHub(kind, hub), ...checkSpokes(kind, hub, known));
    // If a spoke could not be read, its version is unknown, so missing served versions cannot be determined.
    if (known.length === spokes.length) findings.add(...checkServed(kind, hub, known, declaration.place));
  }
  return kinds.map((kind) => {
    const conversion = taken.get(kind);
    if (conversion === undefined) return kind;
    if (kind.conversion !== undefined) findings.add(saidTwice(kind, kind.conversion.place, conversion.place));
    return { ...kind, conversion };
  });
}

function readResource(
  findings: FindingList,
  resource: Evaluated | undefined,
  call: SourcePlace,
): Named | undefined {
  if (resource?.type === 'token') return { token: resource.token, place: resource.place };
  if (resource?.type === 'opaque') findings.add(resource.finding);
  else
    findings.add({
      code: 'manifests/unresolved-resource',
      message: 'defineConversion: expected a resource of defineResource as the first argument',
      where: resource?.place ?? call,
      fix: [kindFix],
    });
  return undefined;
}

function isOf({ storage }: CustomKind, { group, kind }: TokenInfo): boolean {
  return storage.group.value === group && storage.kind.value === kind;
}

const titleOf = ({ group, version, kind }: TokenInfo): string => `${group}/${version}, Kind=${kind}`;

function versionsFinding({ place }: Pick<Named, 'place'>, message: string, fix: string): Finding {
  return { code: 'manifests/conversion-versions', message, where: place, fix: [fix] };
}

function checkHub({ storage, versions }: CustomKind, { token, place }: Named): readonly Finding[] {
  if (token.version === storage.version.value) return [];
  const kind = storage.kind.value;
  if (!versions.some(({ version }) => version.value === token.version))
    return [versionsFinding({ place }, `${kind} has no version ${token.version}`, versionsFix(versions))];
  const said = storage.storage?.place ?? storage.place;
  const group = storage.group.value.split('.')[0] ?? '';
  return [
    {
      code: 'manifests/conversion-hub',
      message: `the hub of ${kind}: expected the storage version ${storage.version.value} (${formatWhere(said)}), got ${token.version}`,
      where: place,
      fix: [
        `move the storage version: op-sdk create api --group ${group} --version ${token.version} --kind ${kind} --storage --force`,
        `or make ${storage.version.value} the hub`,
      ],
    },
  ];
}

function checkSpokes(
  { storage, versions }: CustomKind,
  hub: Named,
  spokes: readonly Named[],
): readonly Finding[] {
  const kind = storage.kind.value;
  return spokes.flatMap((spoke, index): readonly Finding[] => {
    const { token } = spoke;
    const first = spokes.slice(0, index).find((each) => titleOf(each.token) === titleOf(token));
    if (token.group !== hub.token.group || token.kind !== hub.token.kind)
      return [
        versionsFinding(spoke, `expected a version of ${kind}, got ${titleOf(token)}`, versionsFix(versions)),
      ];
    if (!versions.some(({ version }) => version.value === token.version))
      return [versionsFinding(spoke, `${kind} has no version ${token.version}`, versionsFix(versions))];
    if (token.version === hub.token.version)
      return [versionsFinding(spoke, `${token.version} is the hub of ${kind} itself`, 'remove this spoke')];
    if (first !== undefined)
      return [
        versionsFinding(
          spoke,
          `${token.version} of ${kind} is declared as a spoke twice, the first time at ${formatWhere(first.place)}`,
          'remove one of the two',
        ),
      ];
    return [];
  });
}

function checkServed(
  { storage, versions }: CustomKind,
  hub: Named,
  spokes: readonly Named[],
  place: SourcePlace,
): readonly Finding[] {
  const converted = new Set([hub, ...spokes].map(({ token }) => token.version));
  return versions
    .filter(({ served, version }) => served && !converted.has(version.value))
    .map((missing) =>
      versionsFinding(
        { place },
        `the version ${missing.version.value} of ${storage.kind.value} is served (${formatWhere(missing.place)}), but is neither the hub nor a spoke of the conversion: its objects could not be converted`,
        `add .spoke(…, { to, from }) for ${missing.version.value}, or declare it with \`served: false\``,
      ),
    );
}

function versionsFix(versions: readonly KindVersion[]): string {
  return `name one of its versions: ${versions.map(({ version }) => version.value).join(', ')}`;
}

function duplicate({ storage }: CustomKind, where: SourcePlace, first: SourcePlace): Finding {
  return {
    code: 'manifests/duplicate-conversion',
    message: `${storage.kind.value} has two conversions, the first at ${formatWhere(first)}`,
    where,
    fix: ['join the two into one defineConversion'],
  };
}

function saidTwice({ storage }: CustomKind, where: SourcePlace, declared: SourcePlace): Finding {
  return {
    code: 'manifests/said-twice',
    message: `the conversion of ${storage.kind.value} is set in defineResource and by defineConversion (${formatWhere(declared)})`,
    where,
    fix: ['remove `conversion` from defineResource', 'or remove the defineConversion'],
  };
}

import type { Finding } from '../../base/errors/index.ts';
import { CustomResourceDefinition } from '../../sdk/k8s/generated/apiextensions/v1.ts';
import {
  discover,
  type ApiDirectory,
  isForbidden,
  isNotFound,
  type KubeClient,
} from '../../sdk/kube/index.ts';
import type { DeclaredKind, ProjectKinds, UsedKind } from '../../compiler/manifests/index.ts';

type Signal = AbortSignal | undefined;

/**
 * Finds reasons why the controllers of a project cannot work on a cluster: CRDs of the project that are not installed or not established,
 * and versions that a controller reads but the cluster does not serve.
 *
 * If the user may not read CRDs, the same problems are searched for by discovery.
 *
 * @returns findings `cluster/crd-not-installed`, `cluster/crd-not-established`, `cluster/version-not-served`, `cluster/kind-not-served`;
 * empty if the controllers can start
 * @throws ApiError, TransportError
 */
export async function checkKinds(
  client: KubeClient,
  kinds: ProjectKinds,
  signal?: AbortSignal,
): Promise<readonly Finding[]> {
  const directory = await discover(client.connection, { signal });
  const declared = await Promise.all(
    kinds.declared.map((kind) => checkDeclared(client, directory, kind, kinds, signal)),
  );
  const foreign = firstUses(kinds.used.filter((use) => declaredKindOf(use, kinds) === undefined));
  return [...declared.flat(), ...foreign.flatMap((use) => checkForeign(directory, use))];
}

async function checkDeclared(
  client: KubeClient,
  directory: ApiDirectory,
  kind: DeclaredKind,
  kinds: ProjectKinds,
  signal: Signal,
): Promise<readonly Finding[]> {
  const crd = await findCrd(client, kind.crd, signal);
  if (crd === undefined) return [notInstalled(kind)];
  const unready = crd === 'forbidden' ? undefined : notEstablished(kind, crd);
  if (unready !== undefined) return [unready];
  const served =
    crd === 'forbidden'
      ? versionsIn(directory, kind)
      : crd.spec.versions.filter((version) => version.served).map(({ name }) => name);
  if (crd === 'forbidden' && served.length === 0) return [notInstalled(kind)];
  return firstUses(kinds.used.filter((use) => declaredKindOf(use, kinds) === kind))
    .filter(({ version }) => !served.includes(version))
    .map((use) => notServed(use, served, kind.versions.includes(use.version)));
}

function versionsIn(
  { types }: ApiDirectory,
  { group, plural }: { readonly group: string; readonly plural: string },
): readonly string[] {
  return types
    .filter(({ resource }) => resource.group === group && resource.plural === plural)
    .map(({ resource }) => resource.version);
}

async function findCrd(
  client: KubeClient,
  name: string,
  signal: Signal,
): Promise<CustomResourceDefinition | 'forbidden' | undefined> {
  try {
    return await client.get(CustomResourceDefinition, { name }, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    if (isForbidden(error)) return 'forbidden';
    throw error;
  }
}

function checkForeign(directory: ApiDirectory, use: UsedKind): readonly Finding[] {
  if (versionsIn(directory, use).includes(use.version)) return [];
  return [
    {
      code: 'cluster/kind-not-served',
      message: `a controller ${verbs[use.role]} ${describe(use)}, which the cluster does not serve`,
      where: use.place,
      fix: [`install the CRD ${use.plural}.${use.group}, or remove the kind from the controller`],
    },
  ];
}

const verbs = { for: 'reconciles', owns: 'owns', watches: 'watches' } as const;

function declaredKindOf(use: UsedKind, { declared }: ProjectKinds): DeclaredKind | undefined {
  return declared.find(({ group, plural }) => group === use.group && plural === use.plural);
}

/** Returns the first use of each version of a kind. Several controllers may read the same version, but it is reported only once. */
function firstUses(uses: readonly UsedKind[]): readonly UsedKind[] {
  const seen = new Map<string, UsedKind>();
  for (const use of uses) {
    const key = `${use.group}/${use.version}/${use.plural}`;
    if (!seen.has(key)) seen.set(key, use);
  }
  return [...seen.values()];
}

function notInstalled({ crd }: DeclaredKind): Finding {
  return {
    code: 'cluster/crd-not-installed',
    message: `the CustomResourceDefinition ${crd} is not installed`,
    where: { object: `CustomResourceDefinition ${crd}` },
    fix: ['run `op-sdk install`'],
  };
}

function notEstablished({ crd }: DeclaredKind, found: CustomResourceDefinition): Finding | undefined {
  const conditions = found.status?.conditions ?? [];
  const isEstablished = conditions.some(({ type, status }) => type === 'Established' && status === 'True');
  const isLeaving = found.metadata.deletionTimestamp !== undefined;
  if (isEstablished && !isLeaving) return undefined;
  const refusal = conditions.find(({ type, status }) => type === 'NamesAccepted' && status === 'False');
  const why = isLeaving
    ? 'it is being deleted, together with all objects of its kind'
    : (refusal?.message ?? 'the API server has not accepted it yet');
  return {
    code: 'cluster/crd-not-established',
    message: `the CustomResourceDefinition ${crd} is not established: ${why}`,
    where: { object: `CustomResourceDefinition ${crd}` },
    fix: isLeaving
      ? ['wait until it is gone, then run `op-sdk install`']
      : [`look at the conditions of ${crd}, fix the cause and run \`op-sdk install\``],
  };
}

function notServed(use: UsedKind, served: readonly string[], isDeclared: boolean): Finding {
  const others = served.length === 0 ? 'no version of it' : `only ${served.join(', ')}`;
  return {
    code: 'cluster/version-not-served',
    message: `a controller ${verbs[use.role]} ${describe(use)}, but the cluster serves ${others}`,
    where: use.place,
    fix: [
      ...(isDeclared ? ['run `op-sdk install`, so that the cluster has the CRD of this project'] : []),
      `or let the controller use a version that is served: import the types of ${served.join(' or ') || 'that version'}`,
    ],
  };
}

function describe({ group, version, kind }: UsedKind): string {
  return `${group === '' ? '' : `${group}/`}${version} ${kind}`;
}

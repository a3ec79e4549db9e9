import { eventually } from '../../../src/testing/index.ts';
import type { ApiSession } from '../../helpers/api-session.ts';
import type { SampleResource } from '../../helpers/custom-resources/index.ts';
import { uniqueName } from '../../helpers/control-plane.ts';
import type { Crd } from './crd.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A definition that is installed under a group of its own. */
export interface InstalledKind {
  readonly group: string;
  readonly crd: Crd;
}

/** Installs the definition under a group that nobody else has, without webhooks: nobody answers them here. */
export async function installKind(session: ApiSession, crd: Crd, prefix: string): Promise<InstalledKind> {
  const group = `${uniqueName(prefix)}.example.com`;
  const { conversion: _, ...spec } = crd.spec;
  const { plural } = spec.names;
  const body = {
    apiVersion: crd.apiVersion,
    kind: crd.kind,
    metadata: { name: `${plural}.${group}` },
    spec: { ...spec, group },
  };
  const made = await session.send('POST', crds, body);
  if (made.status !== 201)
    throw new Error(`${crd.metadata.name} (${prefix}) was not installed: ${made.text}`);
  return { group, crd };
}

/** Waits until custom resources of all served versions can be made. */
export async function untilServed(session: ApiSession, { group, crd }: InstalledKind): Promise<void> {
  const { plural } = crd.spec.names;
  for (const { name, served } of crd.spec.versions) {
    if (!served) continue;
    const path = `/apis/${group}/${name}/${plural}?limit=1`;
    await eventually(async () => (await session.send('GET', path)).status === 200, {
      timeout: 120_000,
      interval: 250,
    });
  }
}

export const removeKind = (session: ApiSession, { group, crd }: InstalledKind) =>
  session.send('DELETE', `${crds}/${crd.spec.names.plural}.${group}`);

/** What the API server says of a custom resource, and what it makes of it. */
export interface Verdict {
  readonly status: number;
  /** Sorted; the group is taken out of the messages. */
  readonly problems: readonly string[];
  /** With defaults, without what was pruned; undefined if refused. */
  readonly object: unknown;
}

interface Answer {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { field?: string; reason?: string; message?: string }[] };
  readonly metadata?: Record<string, unknown>;
}

/** Shows a custom resource to the API server, which keeps nothing of it. */
export async function judge(
  session: ApiSession,
  { group, crd }: InstalledKind,
  version: string,
  { fields }: SampleResource,
): Promise<Verdict> {
  const { names, scope } = crd.spec;
  const folder = scope === 'Namespaced' ? '/namespaces/default' : '';
  const path = `/apis/${group}/${version}${folder}/${names.plural}?dryRun=All`;
  const body = {
    apiVersion: `${group}/${version}`,
    kind: names.kind,
    metadata: { name: 'sample' },
    ...fields,
  };
  const { status, text } = await session.send('POST', path, body);
  const answer = JSON.parse(text.replaceAll(group, 'the.group')) as Answer;
  if (status !== 201) {
    const causes = answer.details?.causes ?? [{ message: answer.message ?? '' }];
    const problems = causes.map((cause) => [cause.field, cause.reason, cause.message].join(' | '));
    return { status, problems: problems.sort(), object: undefined };
  }
  const { metadata: _, ...object } = answer;
  return { status, problems: [], object };
}

import { trueCondition, type Conditioned } from '../condition.ts';
import type { ExpectedV0 } from '../expected.ts';
import { failedBy, waitingFor, type Judgement } from '../judgement.ts';
import type { Observed } from '../observed.ts';
import type { CatalogSourceState } from './judge-catalog-source.ts';

export interface SubscriptionState extends Conditioned {
  readonly status?: Conditioned['status'] & {
    readonly currentCSV?: string;
    readonly installedCSV?: string;
    readonly lastUpdated?: string;
    readonly installPlanRef?: { readonly name?: string };
  };
}

/**
 * Age from which another catalogue is blamed for not answering: a new one needs its Pod first. OLM repeats what it said of
 * a catalogue until it looks again.
 */
const startup = 60_000;

/** Judges what OLM found for a Subscription whose catalogue answers. */
export function judgeResolution(
  observed: Observed,
  {
    subscription,
    expected,
    now,
  }: { readonly subscription: SubscriptionState; readonly expected: ExpectedV0; readonly now: Date },
): Judgement {
  const { name } = subscription.metadata;
  const failure = trueCondition(subscription, 'ResolutionFailed');
  const said = failure?.message ?? '';
  if (failure?.reason === 'ConstraintsNotSatisfiable')
    return failedBy({
      code: 'olm/not-resolvable',
      message: `OLM finds nothing to install for Subscription ${name}: ${said}`,
      object: subscription,
      fix: notResolvableFixes(said, expected),
    });
  const blocking = otherCatalog(said, expected);
  const other =
    blocking && observed.get<CatalogSourceState>('CatalogSource', blocking.name, blocking.namespace);
  if (other !== undefined && isSilent(other, now))
    return failedBy({
      code: 'olm/other-catalog',
      message: `CatalogSource ${other.metadata.name} in namespace ${other.metadata.namespace ?? ''} does not answer, and OLM asks all: ${said}`,
      object: other,
      fix: ['repair or delete that CatalogSource: OLM installs nothing while it does not answer'],
    });
  const current = subscription.status?.currentCSV;
  const seen = current === undefined ? '' : `, it has ${current}`;
  const asked =
    blocking === undefined
      ? ''
      : `; CatalogSource ${blocking.name} in namespace ${blocking.namespace} did not answer`;
  return waitingFor('resolve', `Subscription ${name}: OLM has not found ${expected.csv} yet${seen}${asked}`);
}

/** The catalogue that OLM could not ask, unless it is that of the Subscription. */
function otherCatalog(said: string, { catalogSource }: ExpectedV0): ExpectedV0['catalogSource'] | undefined {
  const match = /error using catalogsource ([^/\s]+)\/([^\s:]+)/.exec(said);
  if (match === null) return undefined;
  const [, namespace = '', name = ''] = match;
  return namespace === catalogSource.namespace && name === catalogSource.name
    ? undefined
    : { namespace, name };
}

function isSilent({ metadata, status }: CatalogSourceState, now: Date): boolean {
  const age = now.getTime() - Date.parse(metadata.creationTimestamp ?? '');
  return status?.connectionState?.lastObservedState !== 'READY' && age >= startup;
}

function notResolvableFixes(said: string, { package: name, channel }: ExpectedV0): readonly string[] {
  if (said.includes(`no operators found in channel ${channel} of package ${name} `))
    return [`choose a channel that the catalogue has for package ${name}`];
  if (said.includes(`no operators found in package ${name} `))
    return [`name a package that the catalogue has: kubectl get packagemanifests`];
  return [
    'provide what the message misses by a catalogue of the cluster, or repair the other Subscription that it names',
  ];
}

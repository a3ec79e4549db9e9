import type { KubeObject } from '../../../sdk/api/index.ts';
import { type Observed, type ExpectedV0, crdOwners } from '../observed.ts';
import { judgeDeployments } from '../judge-deployments.ts';
import { failedBy, pendingStep, type Failure, type Judgement } from '../judgement.ts';
import { noGroup, severalGroups } from './judge-resolution.ts';

interface Requirement {
  readonly kind?: string;
  readonly name?: string;
  readonly status?: string;
  readonly message?: string;
}

interface CsvState extends KubeObject {
  readonly spec?: {
    readonly customresourcedefinitions?: { readonly owned?: readonly { readonly name: string }[] };
    readonly install?: { readonly spec?: { readonly deployments?: readonly { readonly name: string }[] } };
  };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly lastTransitionTime?: string;
    readonly requirementStatus?: readonly Requirement[];
  };
}

/**
 * Milliseconds for which requirements of a ClusterServiceVersion may be missing before this counts as a failure. Normally, the InstallPlan
 * creates the required objects within seconds.
 */
const patience = 20_000;

type Words = Pick<Failure, 'code' | 'fix'>;

const conflict: Words = {
  code: 'olm/api-conflict',
  fix: ['remove the other operator that provides the same kinds: kubectl get csv --all-namespaces'],
};

/** Explanations of the reasons why a ClusterServiceVersion can fail. Source: operator-framework/api `ConditionReason`. */
const failures: Readonly<Record<string, Words>> = {
  UnsupportedOperatorGroup: {
    code: 'olm/install-mode',
    fix: [
      'choose an install mode that the ClusterServiceVersion supports: targetNamespaces of the OperatorGroup',
      'or support it: spec.installModes of the base ClusterServiceVersion',
    ],
  },
  InterOperatorGroupOwnerConflict: conflict,
  OwnerConflict: conflict,
  CannotModifyStaticOperatorGroupProvidedAPIs: conflict,
};

interface Installing {
  readonly csv: CsvState;
  readonly expected: ExpectedV0;
  readonly now: Date;
}

/** Judges the progress of a ClusterServiceVersion and its Deployments. */
export function judgeCsv(observed: Observed, installing: Installing): Judgement {
  const { csv, now } = installing;
  const { name, namespace = '' } = csv.metadata;
  const { phase = 'new', reason = '', message = '' } = csv.status ?? {};
  const names = (csv.spec?.install?.spec?.deployments ?? []).map((deployment) => deployment.name);
  const deployments = (): Judgement => judgeDeployments(observed, { names, namespace });
  if (phase === 'Succeeded') return deployments();
  if (phase === 'Failed') return failed(observed, installing, deployments);
  if (phase === 'Installing') {
    const judgement = deployments();
    // Keep waiting, because OLM notices a moment later that the Deployments run.
    return judgement.state === 'done'
      ? pendingStep('install', `ClusterServiceVersion ${name}: ${phase}`)
      : judgement;
  }
  const unmet = (csv.status?.requirementStatus ?? []).filter(({ status }) => status !== 'Present');
  if (phase === 'Pending' && reason === 'RequirementsNotMet' && unmet.length > 0)
    return pending(csv, unmet, now);
  const said = message === '' ? '' : `, ${message}`;
  return pendingStep('install', `ClusterServiceVersion ${name}: ${phase}${said}`);
}

function failed(observed: Observed, { csv, expected }: Installing, deployments: () => Judgement): Judgement {
  const { reason = '', message = '' } = csv.status ?? {};
  if (reason === 'NoOperatorGroup') return noGroup(csv);
  if (reason === 'TooManyOperatorGroups')
    return severalGroups(observed.list('OperatorGroup', csv.metadata.namespace)) ?? noGroup(csv);
  const known = failures[reason];
  const said = `ClusterServiceVersion ${csv.metadata.name} has failed: ${reason}: ${message}`;
  if (known === conflict) {
    const others = otherOwners(observed, csv, expected);
    return failedBy({ ...known, message: [said, ...others].join('; '), object: csv });
  }
  if (known !== undefined) return failedBy({ ...known, message: said, object: csv });
  // OLM gives up on an installation after five minutes, and starts it again. The Pods of the Deployments show the cause.
  const judgement = deployments();
  if (judgement.state === 'failed') return judgement;
  return failedBy({
    code: 'olm/install-failed',
    message: said,
    object: csv,
    fix: ['correct the cause that the message names, in the bundle or on the cluster'],
  });
}

/** Returns the operators that provide the same kinds as this ClusterServiceVersion. OLM does not name them. */
function otherOwners(observed: Observed, { spec }: CsvState, expected: ExpectedV0): readonly string[] {
  const self = `operator ${expected.package} in namespace ${expected.namespace}`;
  return (spec?.customresourcedefinitions?.owned ?? []).flatMap(({ name }) =>
    crdOwners(observed, name)
      .filter((owner) => owner !== self)
      .map((owner) => `${owner} provides ${name}`),
  );
}

function pending(csv: CsvState, unmet: readonly Requirement[], now: Date): Judgement {
  const { name } = csv.metadata;
  const tooOld = unmet.find((one) => one.message?.includes('minKubeVersion') === true);
  if (tooOld !== undefined)
    return failedBy({
      code: 'olm/min-kube-version',
      message: `ClusterServiceVersion ${name} needs a newer cluster: ${tooOld.message ?? ''}`,
      object: csv,
      terminal: true,
      fix: ['lower minKubeVersion of the base ClusterServiceVersion, or update the cluster'],
    });
  const list = unmet.map((one) => `${one.kind ?? ''} ${one.name ?? ''}: ${one.message ?? ''}`).join('; ');
  const since = Date.parse(csv.status?.lastTransitionTime ?? '') || now.getTime();
  if (now.getTime() - since < patience)
    return pendingStep('install', `the requirements of ClusterServiceVersion ${name}: ${list}`);
  return failedBy({
    code: 'olm/requirements-not-met',
    message: `requirements of ClusterServiceVersion ${name} are not met: ${list}`,
    object: csv,
    fix: ['install what it requires, or correct what the ClusterServiceVersion requires'],
  });
}

import { FindingList, type Finding } from '../../../base/errors/index.ts';
import { podNamespace } from '../../kube/index.ts';
import { durationMs, type DurationLike } from '../duration.ts';

/**
 * Options of leader election, with which only one of several replicas works. Defaults and limits: client-go `tools/leaderelection`.
 *
 * Another replica takes over the lease if it was not renewed for `leaseDuration`, measured by the clock of that replica. The leader stops
 * by itself after `renewDeadline` without a renewal. The difference between these times allows for clocks of different speed, and for
 * requests in flight.
 */
export interface LeaderElectionOptions {
  /** The name of the Lease, a DNS subdomain of at most 253 characters. Keep it stable, and use a different one for each operator. */
  readonly id: string;
  /** The namespace of the Lease. Default: the namespace of the pod, from POD_NAMESPACE or the ServiceAccount's files. */
  readonly namespace?: string | undefined;
  /**
   * Time for which a lease is valid without a renewal: milliseconds, or text such as `15s`. Written to the Lease in seconds, rounded up.
   * Default: 15s.
   */
  readonly leaseDuration?: DurationLike | undefined;
  /** Time for which the leader tries to renew the lease before it stops. Must be less than `leaseDuration`. Default: 10s. */
  readonly renewDeadline?: DurationLike | undefined;
  /**
   * Interval between two renewals of the leader. For the other replicas, interval between two tries to acquire the lease, increased by up
   * to 120 % at random. Must be less than `renewDeadline` / 1.2. Default: 2s.
   */
  readonly retryPeriod?: DurationLike | undefined;
  /** Release the lease when the leader shuts down in order, after its last reconcile. Default: true. */
  readonly releaseOnStop?: boolean | undefined;
}

/** The complete and validated options; times in milliseconds. */
export interface ElectionSettings {
  readonly id: string;
  readonly namespace: string;
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
  readonly releaseOnStop: boolean;
}

/**
 * Maximum random delay that is added to the retry period, as a multiple of that period. The delay prevents candidates from retrying at the
 * same time. Source: client-go `JitterFactor`.
 */
export const RETRY_JITTER = 1.2;

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * Validates the options and determines the namespace.
 *
 * @param findNamespace returns the namespace of the pod, or undefined if it is unknown
 * @throws OpSdkError with all findings: `runtime/invalid-leader-election`, `runtime/invalid-duration`, `runtime/election-namespace`
 */
export async function resolveElection(
  options: LeaderElectionOptions,
  findNamespace: () => Promise<string | undefined> = () => podNamespace(process.env),
): Promise<ElectionSettings> {
  const findings = new FindingList();
  const refuse = (path: string, message: string, fix: string): void =>
    findings.add(invalid(path, message, fix));
  const milliseconds = (name: 'leaseDuration' | 'renewDeadline' | 'retryPeriod', fallback: DurationLike) => {
    const duration = findings.gatherSync(() => durationMs(options[name] ?? fallback));
    if (duration !== undefined && duration > 0) return duration;
    if (duration !== undefined)
      refuse(
        name,
        `${name}: expected more than 0, got ${JSON.stringify(options[name])}`,
        'give a duration such as 15s',
      );
    return undefined;
  };
  const { id } = options;
  if (typeof id !== 'string' || id.length > 253 || !SUBDOMAIN.test(id)) {
    refuse(
      'id',
      `id: expected a DNS subdomain, got ${JSON.stringify(id)}`,
      'use lower-case letters, digits, - and ., such as 1a9f0645.example.com',
    );
  }
  const leaseDuration = milliseconds('leaseDuration', '15s');
  const renewDeadline = milliseconds('renewDeadline', '10s');
  const retryPeriod = milliseconds('retryPeriod', '2s');
  if (leaseDuration !== undefined && renewDeadline !== undefined && renewDeadline >= leaseDuration) {
    refuse(
      'renewDeadline',
      `renewDeadline: expected less than leaseDuration (${leaseDuration / 1000} s), got ${renewDeadline / 1000} s`,
      'let leaseDuration be about one and a half times renewDeadline: 15s and 10s',
    );
  }
  if (
    renewDeadline !== undefined &&
    retryPeriod !== undefined &&
    retryPeriod * RETRY_JITTER >= renewDeadline
  ) {
    refuse(
      'retryPeriod',
      `retryPeriod: expected less than renewDeadline / ${RETRY_JITTER} (${toSeconds(renewDeadline / RETRY_JITTER)} s), got ${retryPeriod / 1000} s`,
      'let there be several tries within renewDeadline: 2s and 10s',
    );
  }
  const namespace = await findings.gather(() => namespaceOf(options, refuse, findNamespace, findings));
  findings.throwIfAny();
  return {
    id,
    namespace: namespace ?? '',
    leaseDuration: leaseDuration ?? 0,
    renewDeadline: renewDeadline ?? 0,
    retryPeriod: retryPeriod ?? 0,
    releaseOnStop: options.releaseOnStop ?? true,
  };
}

async function namespaceOf(
  { namespace }: LeaderElectionOptions,
  refuse: (path: string, message: string, fix: string) => void,
  findNamespace: () => Promise<string | undefined>,
  findings: FindingList,
): Promise<string | undefined> {
  const found = namespace ?? (await findNamespace());
  if (found === undefined) {
    findings.add({
      code: 'runtime/election-namespace',
      message:
        'leader election: the namespace of the Lease is unknown, because this process does not run in a pod',
      where: { object: 'leaderElection', path: 'namespace' },
      fix: [
        'set the environment variable POD_NAMESPACE, or pass leaderElection.namespace to createManager',
        'or leave out --leader-elect, which an operator needs only where others like it may run',
      ],
    });
  } else if (!LABEL.test(found)) {
    refuse(
      'namespace',
      `namespace: expected the name of a namespace, got ${JSON.stringify(found)}`,
      'use 1 to 63 lower-case letters, digits and -',
    );
  }
  return found;
}

function invalid(path: string, message: string, fix: string): Finding {
  return {
    code: 'runtime/invalid-leader-election',
    message: `leader election: ${message}`,
    where: { object: 'leaderElection', path },
    fix: [fix],
  };
}

function toSeconds(milliseconds: number): number {
  return Math.round(milliseconds / 10) / 100;
}

import type { ConditionList, KubeObject, ReconcileContext } from 'opsdk';
import type { LeftOut } from '../config/prometheus-config.ts';

/** What a reconcile has come to. */
export interface Outcome {
  /** Objects that the configuration does not have, because something in them is invalid. Undefined if nobody has looked. */
  readonly leftOut?: readonly LeftOut[];
  /** Error of the reconcile, if it has failed. */
  readonly error?: Error;
}

/** Conditions that Prometheus, Alertmanager and ThanosRuler have. */
export type WorkloadCondition = 'Available' | 'Reconciled' | 'ConfigurationComplete';

interface Observed extends Outcome {
  readonly paused: boolean;
  readonly wanted: number;
  readonly available: number;
}

/** Length of a message that a condition may have. Source: the schema of metav1.Condition. */
const longestMessage = 32_768;

/** Sets the conditions of a Prometheus, an Alertmanager or a ThanosRuler. */
export function reportConditions(conditions: ConditionList<WorkloadCondition>, observed: Observed): void {
  const { available, error, leftOut, paused, wanted } = observed;
  const message = `${available} of ${wanted} Pods are available`;
  if (available >= wanted) conditions.true('Available', 'AllPodsAvailable', message);
  else conditions.false('Available', available === 0 ? 'NoPodAvailable' : 'SomePodsNotAvailable', message);

  if (error !== undefined)
    conditions.false('Reconciled', 'ReconcileFailed', error.message.slice(0, longestMessage));
  else if (paused) conditions.unknown('Reconciled', 'Paused', 'spec.paused is true');
  else conditions.true('Reconciled', 'Reconciled');

  // While it is paused, and after failures, the last look counts.
  if (paused || leftOut === undefined) return;
  if (leftOut.length === 0) conditions.true('ConfigurationComplete', 'AllObjectsIncluded');
  else conditions.false('ConfigurationComplete', 'ObjectsLeftOut', describe(leftOut));
}

/** Returns which objects are left out, and why. */
export function describe(leftOut: readonly LeftOut[]): string {
  const text = leftOut
    .map(
      ({ object: { kind, metadata }, problems }) =>
        `${kind} ${metadata.namespace}/${metadata.name}: ${problems.join('; ')}`,
    )
    .join('\n');
  return text.length <= longestMessage ? text : `${text.slice(0, longestMessage - 1)}…`;
}

/** Tells the authors of objects that are left out, by Events about these objects. */
export function warnAuthors(
  { events }: Pick<ReconcileContext, 'events'>,
  leftOut: readonly LeftOut[],
  related: KubeObject,
): void {
  for (const { object, problems } of leftOut)
    events.about(object).warning('InvalidConfiguration', problems.join('; '), { action: 'Select', related });
}

import { FindingList } from '../../../base/errors/index.ts';
import { durationText } from '../../../base/util/duration-text.ts';
import type { Resource } from '../../api/index.ts';
import { durationMs, type DurationLike } from '../duration.ts';

/**
 * Delays between the retries of a failed reconcile. The first delay is `base`; each further one is twice the previous delay, up to `cap`.
 */
export interface RetryBackoff {
  /** Delay before the first retry, more than 0. Default: 5ms. */
  readonly base?: DurationLike | undefined;
  /** Maximum delay, at least `base`. Default: 1000s. */
  readonly cap?: DurationLike | undefined;
}

/** Options of `defineController` that are checked; described at `ControllerOptions`. */
interface GivenSettings {
  readonly name?: string;
  readonly for: Pick<Resource, 'group' | 'kind'>;
  readonly concurrency?: number;
  readonly reconcileTimeout?: DurationLike | undefined;
  readonly backoff?: RetryBackoff | undefined;
  readonly finalize?: unknown;
  readonly finalizer?: string;
  readonly retiredFinalizers?: readonly string[];
}

/** Valid settings of a controller, with their defaults; described at `Controller`. */
interface ControllerSettings {
  readonly name: string;
  readonly concurrency: number;
  readonly reconcileTimeout: number | undefined;
  readonly backoff: { readonly base: number; readonly cap: number };
  readonly finalizer: string | undefined;
}

/** Adds a finding about the field `path` of the options. */
type Refuse = (path: string, message: string, fix: string) => void;

/**
 * Checks options of a controller and sets their defaults.
 * @throws OpSdkError `runtime/invalid-controller`, `runtime/invalid-duration`
 */
export function checkSettings(given: GivenSettings): ControllerSettings {
  const { name = given.for.kind.toLowerCase(), concurrency = 1 } = given;
  const findings = new FindingList();
  const refuse: Refuse = (path, message, fix) =>
    findings.add({
      code: 'runtime/invalid-controller',
      message,
      where: { object: `controller ${name}`, path },
      fix: [fix],
    });
  if (!/^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/.test(name)) {
    refuse(
      'name',
      `invalid controller name ${JSON.stringify(name)}`,
      'use 1 to 63 letters, digits, -, _ and .',
    );
  }
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    refuse(
      'concurrency',
      `concurrency: expected an integer of at least 1, got ${concurrency}`,
      'give the number of objects to reconcile at a time',
    );
  }
  const durations = checkDurations(findings, refuse, given);
  const finalizer = checkFinalizers(refuse, given, name);
  findings.throwIfAny();
  return { name, concurrency, ...durations, finalizer };
}

function checkDurations(
  findings: FindingList,
  refuse: Refuse,
  { reconcileTimeout, backoff }: GivenSettings,
): Pick<ControllerSettings, 'reconcileTimeout' | 'backoff'> {
  const duration = (path: string, value: DurationLike): number => {
    const milliseconds = findings.gatherSync(() => durationMs(value));
    if (milliseconds !== undefined && milliseconds <= 0)
      refuse(path, `${path}: expected a duration of more than 0, got ${JSON.stringify(value)}`, 'raise it');
    return milliseconds ?? NaN;
  };
  const timeout = reconcileTimeout === undefined ? undefined : duration('reconcileTimeout', reconcileTimeout);
  const base = duration('backoff.base', backoff?.base ?? '5ms');
  const cap = duration('backoff.cap', backoff?.cap ?? '1000s');
  if (cap < base) {
    refuse(
      'backoff.cap',
      `backoff.cap: expected at least backoff.base (${durationText(base)}), got ${durationText(cap)}`,
      'raise cap, or lower base',
    );
  }
  return { reconcileTimeout: timeout, backoff: { base, cap } };
}

/** Checks the finalizers of a controller. Returns the finalizer in use; undefined if the controller has no `finalize`. */
function checkFinalizers(refuse: Refuse, given: GivenSettings, name: string): string | undefined {
  if (given.finalize === undefined) {
    if (given.finalizer !== undefined)
      refuse(
        'finalizer',
        'finalizer: expected finalize beside it',
        'add finalize, or move it to retiredFinalizers',
      );
    return undefined;
  }
  const finalizer = given.finalizer ?? `${given.for.group}/${name}`;
  if (!isFinalizer(finalizer)) {
    refuse(
      'finalizer',
      `finalizer: expected a domain and a name, got ${JSON.stringify(finalizer)}`,
      `set finalizer: 'example.com/${name}' with a domain of yours`,
    );
  }
  if (given.retiredFinalizers?.includes(finalizer) === true) {
    refuse(
      'retiredFinalizers',
      `retiredFinalizers: ${finalizer} is the finalizer in use`,
      'remove it from the list',
    );
  }
  return finalizer;
}

/** Returns true for a qualified name whose prefix is a domain. Source: apimachinery `ValidateFinalizerName`. */
function isFinalizer(text: string): boolean {
  return /^(?=.{1,253}\/)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+\/(?=.{1,63}$)[A-Za-z0-9]([-\w.]*[A-Za-z0-9])?$/.test(
    text,
  );
}

import type { KubeObject } from '../../sdk/api/index.ts';
import { titleOf } from '../../cluster/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import type { OlmRunCode } from './codes.ts';
import { groupOf } from '../../base/util/kubernetes-words.ts';

type InstallStep = 'catalog' | 'resolve' | 'unpack' | 'install' | 'rollout';

/** The object on the cluster whose state shows the cause of a failure. */
interface CauseObject {
  /** Name of the object in the form of kubectl, such as `pod/web`. */
  readonly title: string;
  readonly namespace?: string;
}

/** A container whose log gives more details about a cause. */
export interface CauseLog {
  readonly pod: string;
  readonly namespace?: string | undefined;
  readonly container: string;
  /** True if the log is that of the container before its last restart. */
  readonly previous: boolean;
}

/** Reason why an installation does not complete. */
export interface Cause extends Finding {
  readonly code: OlmRunCode;
  readonly object: CauseObject;
  readonly log?: CauseLog;
  /** At least one solution, followed by the kubectl command that shows more about the cause. */
  readonly fix: readonly string[];
}

/**
 * Progress of an installation. OLM retries failed steps, so a failure that is not `terminal` may disappear. Such a failure is reported only
 * if every observation of the last seconds had the same code.
 */
export type Judgement =
  | { readonly state: 'done' }
  | { readonly state: 'waiting'; readonly step: InstallStep; readonly line: string }
  | { readonly state: 'failed'; readonly terminal: boolean; readonly finding: Cause };

export const done: Judgement = { state: 'done' };

/** Returns a judgement with the state `waiting`. `what` names an object and its state, such as `InstallPlan install-x: Installing`. */
export function pendingStep(step: InstallStep, what: string): Judgement {
  return { state: 'waiting', step, line: `waiting for ${what}` };
}

export interface Failure {
  readonly code: OlmRunCode;
  readonly message: string;
  /** The object whose state shows the cause. */
  readonly object: KubeObject;
  readonly fix: readonly string[];
  readonly log?: CauseLog | undefined;
  /** True if the failure does not disappear without a change by the user. Default: false. */
  readonly terminal?: boolean;
}

/** Returns a judgement with the state `failed` that names the cause. */
export function failedBy({ code, message, object, fix, log, terminal = false }: Failure): Judgement {
  const { name, namespace } = object.metadata;
  const title = titleOf({ kind: object.kind, group: groupOf(object.apiVersion) }, name);
  const place = namespace === undefined ? '' : ` -n ${namespace}`;
  const more =
    log === undefined
      ? `kubectl describe ${title}${place}`
      : `kubectl logs pod/${log.pod}${place} -c ${log.container}${log.previous ? ' --previous' : ''}`;
  return {
    state: 'failed',
    terminal,
    finding: {
      code,
      message,
      where: { object: `${title}${place}` },
      object: { title, ...(namespace === undefined ? {} : { namespace }) },
      ...(log === undefined ? {} : { log }),
      fix: [...fix, `see ${more}`],
    },
  };
}

import { isJsonMap, jsonListOf, jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import { countText } from '../../../base/util/words.ts';
import type { KubeObject } from '../../../sdk/api/index.ts';
import { podProblems, type PodLike } from '../../rollout/pod-problems.ts';

/** A condition in the status of an object. Only its fields that are text are included. */
interface ConditionRow {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** A few words about the state of a Pod, a workload or a node. */
export interface StatusWord {
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'wait' | 'dim';
}

/** An action that the page offers for an object. */
export interface RowAction {
  /** Name by which the page requests the action. */
  readonly name: string;
  readonly label: string;
  /** Explanation of the action. */
  readonly title: string;
  /** True if a lasting action is in effect. Undefined for an action that happens once. */
  readonly pressed?: boolean;
}

/** An object as a row in the list of a page. The page requests the details of one object at a time. */
export interface ObjectRow {
  /** Id that is unique among the objects of the page. */
  readonly id: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** Time of creation in RFC 3339 format. */
  readonly created: string;
  readonly deleting: boolean;
  readonly conditions: readonly ConditionRow[];
  /** Words about the state of a Pod, a workload or a node. Default: none. */
  readonly words?: readonly StatusWord[];
  /** Id of the shown object that owns this one. Default: none. */
  readonly owner?: string;
  /** Default: no actions. */
  readonly actions?: readonly RowAction[];
}

/** Maximum length of a message, in characters. */
const longest = 300;

/** @param id see {@link ObjectRow.id} */
export function describeRow(
  id: string,
  object: KubeObject,
  { owner, actions = [] }: { readonly owner: string | undefined; readonly actions?: readonly RowAction[] },
): ObjectRow {
  const { apiVersion, kind, metadata } = object;
  const words = wordsOf[`${apiVersion} ${kind}`]?.(object);
  // The words about a Pod or a node already include the important conditions.
  const conditions = apiVersion === 'v1' && words !== undefined ? [] : conditionsOf(object);
  return {
    ...{ id, apiVersion, kind, name: metadata.name },
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    created: metadata.creationTimestamp ?? '',
    deleting: metadata.deletionTimestamp !== undefined,
    conditions,
    ...(words === undefined ? {} : { words }),
    ...(owner === undefined ? {} : { owner }),
    ...(actions.length === 0 ? {} : { actions }),
  };
}

/**
 * Returns the conditions in the status of an object. A custom kind may give its status any form, so entries that do not look like a
 * condition are omitted.
 */
function conditionsOf(object: KubeObject): readonly ConditionRow[] {
  return jsonListOf(part(object, 'status')['conditions'])
    .filter(isJsonMap)
    .flatMap(({ type, status: value, reason, message }) =>
      typeof type === 'string' && typeof value === 'string'
        ? [
            {
              ...{ type, status: value, reason: jsonTextOf(reason) },
              message: jsonTextOf(message).slice(0, longest),
            },
          ]
        : [],
    );
}

type Words = (object: KubeObject) => readonly StatusWord[];

const wordsOf: Readonly<Record<string, Words>> = {
  'v1 Pod': podWords,
  'v1 Node': nodeWords,
  'apps/v1 Deployment': replicaWords,
  'apps/v1 ReplicaSet': replicaWords,
  'apps/v1 StatefulSet': replicaWords,
  'apps/v1 DaemonSet': (object) => {
    const { numberReady, desiredNumberScheduled } = part(object, 'status');
    return [readyWord(countOf(numberReady), countOf(desiredNumberScheduled))];
  },
  'batch/v1 Job': jobWords,
};

const phaseTones: Readonly<Record<string, StatusWord['tone']>> = {
  Running: 'good',
  Succeeded: 'good',
  Failed: 'bad',
};

/** Describes a Pod: its phase, how many of its containers are ready, their restarts, and why they are not ready. */
function podWords(object: KubeObject): readonly StatusWord[] {
  const { status = {} } = object as PodLike;
  const { phase = 'Pending', containerStatuses = [], initContainerStatuses = [] } = status;
  const ready = containerStatuses.filter((container) => container.ready === true).length;
  const all = (object as PodLike).spec?.containers?.length ?? containerStatuses.length;
  const restarts = [...initContainerStatuses, ...containerStatuses].reduce(
    (sum, { restartCount = 0 }) => sum + restartCount,
    0,
  );
  const hasEnded = phase === 'Succeeded' || phase === 'Failed';
  return [
    { text: phase, tone: phaseTones[phase] ?? 'wait' },
    ...(hasEnded ? [] : [readyWord(ready, all)]),
    ...(restarts === 0 ? [] : [word(countText(restarts, 'restart'), 'wait')]),
    ...podProblems(object).map(({ kind, message }) =>
      word(message, kind === 'starting' || kind === 'not-ready' ? 'wait' : 'bad'),
    ),
  ];
}

function nodeWords(object: KubeObject): readonly StatusWord[] {
  const ready = conditionsOf(object).find(({ type }) => type === 'Ready');
  const isReady = ready?.status === 'True';
  const reason = isReady || ready === undefined ? '' : ` (${ready.reason}: ${ready.message})`;
  return [
    word(`${isReady ? 'Ready' : 'NotReady'}${reason}`, isReady ? 'good' : 'bad'),
    ...(part(object, 'spec')['unschedulable'] === true ? [word('cordoned', 'wait')] : []),
  ];
}

function replicaWords(object: KubeObject): readonly StatusWord[] {
  const { replicas = 1 } = part(object, 'spec');
  return [readyWord(countOf(part(object, 'status')['readyReplicas']), countOf(replicas))];
}

function jobWords(object: KubeObject): readonly StatusWord[] {
  const { active, succeeded, failed } = part(object, 'status');
  const words = [
    word(`${countOf(active)} active`, 'wait'),
    word(`${countOf(succeeded)} succeeded`, 'good'),
    word(`${countOf(failed)} failed`, 'bad'),
  ];
  return words.filter(({ text }) => !text.startsWith('0 '));
}

function readyWord(ready: number, wanted: number): StatusWord {
  return word(`${ready}/${wanted} ready`, ready >= wanted ? 'good' : 'wait');
}

function word(text: string, tone: StatusWord['tone']): StatusWord {
  return { text: text.slice(0, longest), tone };
}

function part(object: KubeObject, name: 'spec' | 'status') {
  return jsonMapOf((object as { readonly spec?: unknown; readonly status?: unknown })[name]);
}

function countOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

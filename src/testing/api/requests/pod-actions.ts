import {
  isObject,
  listOf,
  objectOf,
  required,
  unsupportedValue,
  type FieldError,
  type JsonObject,
} from '../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../base/util/json-map.ts';
import type { KindRegistry } from '../kinds/served-kind.ts';
import { objectsOf, selectorMatches, specOf } from '../kinds/rules/checks.ts';
import { badRequest, conflict, notFound, StatusError } from '../status-error.ts';
import type { ObjectStore } from '../store.ts';
import type { Deleter } from './deleter.ts';
import { collectionId, isDryRun, objectKey, type ApiRequest } from './route.ts';
import { seconds } from './write-parts.ts';
import type { Answer, Writer } from './writer.ts';

const success: JsonObject = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
const budgets = 'policy/poddisruptionbudgets';

interface PodActionsOptions {
  readonly store: ObjectStore;
  readonly deleter: Deleter;
  readonly writer: Writer;
  readonly kinds: KindRegistry;
  readonly today: () => Date;
}

/**
 * Answers requests for the subresources `eviction` and `binding` of Pods. Source: kubernetes `pkg/registry/core/pod/storage`.
 */
export class PodActions {
  readonly #store: ObjectStore;
  readonly #deleter: Deleter;
  readonly #writer: Writer;
  readonly #kinds: KindRegistry;
  readonly #today: () => Date;

  constructor({ store, deleter, writer, kinds, today }: PodActionsOptions) {
    this.#store = store;
    this.#deleter = deleter;
    this.#writer = writer;
    this.#kinds = kinds;
    this.#today = today;
  }

  /** Evicts a Pod, if its PodDisruptionBudget allows it. @throws StatusError 404, 429, 500 */
  evict(request: ApiRequest): Answer {
    const eviction = bodyOf(request, 'Eviction');
    const pod = this.#pod(request);
    const options = objectOf(eviction['deleteOptions']);
    const isDry = isDryRun(request) || listOf(options['dryRun']).includes('All');
    if (!isEnding(pod)) this.#useBudget(request, pod, isDry);
    if (!isDry) this.#setCondition(request, pod, evicted);
    this.#deleter.delete({
      ...request,
      subresource: undefined,
      verb: 'delete',
      body: isDry ? { ...options, dryRun: ['All'] } : options,
    });
    return { status: 201, body: success };
  }

  /** Binds a Pod to a node. @throws StatusError 404, 409, 500 */
  bind(request: ApiRequest): Answer {
    const binding = bodyOf(request, 'Binding');
    const { kind = '', name = '' } = objectOf(binding['target']);
    const errors: FieldError[] = [];
    if (kind !== '' && kind !== 'Node')
      errors.push(unsupportedValue('target.kind', kind, ['Node', '<empty>']));
    if (name === '') errors.push(required('target.name'));
    const texts = errors.map(({ field, body }) => `${field}: ${body}`);
    if (texts.length > 0)
      throw new StatusError(500, '', texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`);
    const pod = this.#pod(request);
    const own = request.name;
    const refuse = (why: string): StatusError => conflict({ group: '', plural: 'pods/binding' }, own, why);
    if (objectOf(pod['metadata'])['deletionTimestamp'] !== undefined)
      throw refuse(`pod ${own} is being deleted, cannot be assigned to a host`);
    const { nodeName, schedulingGates } = specOf(pod);
    if (jsonTextOf(nodeName) !== '')
      throw refuse(`pod ${own} is already assigned to node ${JSON.stringify(nodeName)}`);
    if (listOf(schedulingGates).length > 0) throw refuse(`pod ${own} has non-empty .spec.schedulingGates`);
    const { annotations, labels } = objectOf(binding['metadata']);
    const metadata: JsonObject = { ...objectOf(pod['metadata']) };
    for (const [field, values] of Object.entries({ annotations, labels }))
      if (isObject(values)) metadata[field] = { ...objectOf(metadata[field]), ...values };
    const bound = { ...pod, metadata, spec: { ...specOf(pod), nodeName: name } };
    if (!isDryRun(request)) this.#setCondition(request, bound, { type: 'PodScheduled', status: 'True' });
    return { status: 201, body: success };
  }

  #pod({ kind, namespace, name }: ApiRequest): JsonObject {
    const pod = this.#store.get(collectionId(kind), objectKey(namespace, name));
    if (pod === undefined) throw notFound(kind, name);
    return pod;
  }

  #setCondition({ kind, namespace, name }: ApiRequest, pod: JsonObject, condition: JsonObject): void {
    const status = objectOf(pod['status']);
    const conditions = objectsOf(status['conditions']).filter(({ type }) => type !== condition['type']);
    const dated = { lastProbeTime: null, lastTransitionTime: seconds(this.#today()), ...condition };
    this.#store.put(collectionId(kind), objectKey(namespace, name), {
      ...pod,
      status: { ...status, conditions: [...conditions, dated] },
    });
  }

  /** Takes one disruption from the budget of a Pod. @throws StatusError 429 if none is allowed, 500 if the Pod has several budgets */
  #useBudget(request: ApiRequest, pod: JsonObject, isDry: boolean): void {
    const { namespace, labels, name } = objectOf(pod['metadata']);
    const found = this.#store.list(budgets).filter(([, budget]) => {
      const { selector } = specOf(budget);
      const isInNamespace = objectOf(budget['metadata'])['namespace'] === namespace;
      return isInNamespace && selector !== undefined && selectorMatches(selector, objectOf(labels));
    });
    const [first, ...others] = found;
    if (first === undefined) return;
    if (others.length > 0)
      throw new StatusError(
        500,
        '',
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      );
    const [, budget] = first;
    const status = objectOf(budget['status']);
    const count = (field: string): number => Number(status[field] ?? 0);
    if (!isReady(pod)) {
      if (specOf(budget)['unhealthyPodEvictionPolicy'] === 'AlwaysAllow') return;
      if (count('currentHealthy') >= count('desiredHealthy') && count('desiredHealthy') > 0) return;
    }
    const { generation = 0, name: budgetName = '' } = objectOf(budget['metadata']);
    const about = jsonTextOf(budgetName);
    if (count('observedGeneration') < Number(generation))
      throw tooMany(`The disruption budget ${about} is still being processed by the server.`, 10);
    if (count('disruptionsAllowed') < 0)
      throw new StatusError(
        403,
        'Forbidden',
        `poddisruptionbudgets.policy ${JSON.stringify(about)} is forbidden: pdb disruptions allowed is negative`,
        { name: about, group: 'policy', kind: 'poddisruptionbudgets' },
      );
    if (count('disruptionsAllowed') === 0)
      throw tooMany(
        `The disruption budget ${about} needs ${count('desiredHealthy')} healthy pods and has ${count('currentHealthy')} currently`,
        undefined,
      );
    if (isDry) return;
    const left = count('disruptionsAllowed') - 1;
    const now = seconds(this.#today());
    const condition = {
      type: 'DisruptionAllowed',
      status: left > 0 ? 'True' : 'False',
      reason: left > 0 ? 'SufficientPods' : 'InsufficientPods',
      message: '',
      observedGeneration: generation,
      lastTransitionTime: now,
    };
    const kind = this.#kinds.ofType('policy/v1', 'PodDisruptionBudget');
    if (kind === undefined) return;
    this.#writer.update({
      ...request,
      kind,
      verb: 'update',
      subresource: 'status',
      name: about,
      query: new URLSearchParams(),
      headers: { 'user-agent': 'kube-apiserver' },
      body: {
        ...budget,
        status: {
          ...status,
          conditions: [
            ...objectsOf(status['conditions']).filter(({ type }) => type !== condition.type),
            condition,
          ],
          disruptionsAllowed: left,
          disruptedPods: { ...objectOf(status['disruptedPods']), [jsonTextOf(name)]: now },
        },
      },
    });
  }
}

const evicted: JsonObject = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
};

function tooMany(message: string, retryAfterSeconds: number | undefined): StatusError {
  return new StatusError(
    429,
    'TooManyRequests',
    "Cannot evict pod as it would violate the pod's disruption budget.",
    {
      causes: [{ reason: 'DisruptionBudget', message }],
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  );
}

/** Returns true for a Pod whose eviction disrupts nothing: one that has not started, has ended, or is being deleted. */
function isEnding(pod: JsonObject): boolean {
  const { phase } = objectOf(pod['status']);
  return (
    ['Succeeded', 'Failed', 'Pending'].includes(jsonTextOf(phase)) ||
    objectOf(pod['metadata'])['deletionTimestamp'] !== undefined
  );
}

const isReady = (pod: JsonObject): boolean =>
  objectsOf(objectOf(pod['status'])['conditions']).some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  );

function bodyOf({ body, name }: ApiRequest, kind: string): JsonObject {
  if (!isObject(body)) throw badRequest(`the object provided is unrecognized (must be of type ${kind})`);
  if (objectOf(body['metadata'])['name'] !== name)
    throw badRequest(`name in URL does not match name in ${kind} object`);
  return body;
}

import { externalResource, type Condition, type KubeObject, type Resource } from '../api/index.ts';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { podNamespace, type CallOptions, type ObjectKey } from '../kube/index.ts';
import { checkCondition, checkConditionTypes, currentTime } from './conditions.ts';
import type { ControllerClient } from './client/index.ts';

/**
 * Object whose conditions inform OLM: the operator sets `spec.conditions`, administrators set `spec.overrides`. Source:
 * operator-framework/api `pkg/operators/v2`, OperatorCondition.
 */
interface OperatorConditionObject extends KubeObject<'operators.coreos.com/v2', 'OperatorCondition'> {
  spec?: { conditions?: Condition[]; overrides?: Omit<ReportedCondition, 'overridden'>[] };
}

/** A condition as OLM evaluates it, with the override of an administrator, if one was set. */
export interface ReportedCondition extends Readonly<Omit<Condition, 'lastTransitionTime'>> {
  /** Time in RFC 3339. Optional in conditions that administrators set. */
  readonly lastTransitionTime?: string | undefined;
  /** True if an administrator has set the condition in `spec.overrides`, which overrides the operator's own condition. */
  readonly overridden: boolean;
}

/** Reports the state of this operator to OLM. Created by {@link operatorCondition}. */
export interface OperatorCondition {
  /** True if OLM runs this operator, as shown by OPERATOR_CONDITION_NAME. */
  readonly available: boolean;
  /**
   * Sets one condition and keeps the others. `lastTransitionTime` changes only when `status` changes; a condition that has not changed is
   * not written.
   *
   * @param type OLM reads only `Upgradeable`: while this condition is `False`, OLM does not upgrade the operator
   * @param reason CamelCase, for machines: 1 to 1,024 characters
   * @param message for people, at most 32,768 characters. Default: `''`
   * @throws OpSdkError `runtime/no-operator-condition`, `runtime/invalid-condition`; ApiError, such as `kube/not-found`
   */
  set(
    type: string,
    status: Condition['status'],
    reason: string,
    message?: string,
    options?: CallOptions,
  ): Promise<void>;
  /**
   * Returns the condition that takes effect for OLM: the condition that an administrator has set in `spec.overrides`, or else the
   * operator's own condition. Returns undefined if neither exists.
   *
   * @throws OpSdkError `runtime/no-operator-condition`; ApiError
   */
  get(type: string, options?: CallOptions): Promise<ReportedCondition | undefined>;
}

/** Options that identify the OperatorCondition. The defaults come from the pod that OLM has created. */
export interface OperatorConditionOptions {
  /** Name of the OperatorCondition. Default: the environment variable OPERATOR_CONDITION_NAME. */
  readonly name?: string | undefined;
  /** Namespace of the OperatorCondition. Default: the pod's namespace, from POD_NAMESPACE or the ServiceAccount's files. */
  readonly namespace?: string | undefined;
}

const resource: Resource<OperatorConditionObject> = /* @__PURE__ */ externalResource<OperatorConditionObject>(
  {
    group: 'operators.coreos.com',
    version: 'v2',
    kind: 'OperatorCondition',
    plural: 'operatorconditions',
    scope: 'Namespaced',
  },
);

/**
 * Returns a client for the OperatorCondition, with which an operator informs OLM (v0) whether it may currently be upgraded. OLM creates the
 * OperatorCondition, passes its name in the environment and grants the permissions, so the operator needs no RBAC rule. Reads come from the
 * API server, not from the cache. Without OLM, `available` is false, and the methods reject.
 *
 * @example
 * const condition = operatorCondition(client);
 * if (condition.available) await condition.set('Upgradeable', 'False', 'Migrating', 'a migration is under way');
 */
export function operatorCondition(
  client: ControllerClient,
  options: OperatorConditionOptions = {},
): OperatorCondition {
  const name = options.name ?? process.env['OPERATOR_CONDITION_NAME'] ?? '';
  const find = async (): Promise<ObjectKey> => {
    const namespace = options.namespace ?? (await podNamespace(process.env)) ?? '';
    if (name !== '' && namespace !== '') return { name, namespace };
    throw new OpSdkError(missing(name, namespace));
  };
  return {
    available: name !== '',
    async set(type, status, reason, message = '', callOptions) {
      checkConditionTypes([type]);
      checkCondition({ type, reason, message });
      await client.modify(
        resource,
        await find(),
        (draft) => {
          const conditions = draft.spec?.conditions ?? [];
          const before = conditions.find((each) => each.type === type);
          const lastTransitionTime = before?.status === status ? before.lastTransitionTime : currentTime();
          const after = { type, status, reason, message, lastTransitionTime };
          draft.spec = {
            ...draft.spec,
            conditions:
              before === undefined
                ? [...conditions, after]
                : conditions.map((each) => (each === before ? after : each)),
          };
        },
        callOptions,
      );
    },
    async get(type, callOptions) {
      const key = await find();
      const { spec } = await client.live.get(resource, key, callOptions);
      const override = spec?.overrides?.find((each) => each.type === type);
      const found = override ?? spec?.conditions?.find((each) => each.type === type);
      return found === undefined ? undefined : { ...found, overridden: override !== undefined };
    },
  };
}

function missing(name: string, namespace: string): readonly [Finding, ...Finding[]] {
  const finding = (what: string, fix: string): Finding => ({
    code: 'runtime/no-operator-condition',
    message: `OperatorCondition: expected ${what}`,
    fix: [fix, 'without OLM ask `available` first: if (condition.available) await condition.set(…)'],
  });
  const noName = finding(
    'the environment variable OPERATOR_CONDITION_NAME, got nothing: OLM does not run this operator',
    'install the operator from its bundle with OLM v0, which sets the variable, or pass `name`',
  );
  const noNamespace = finding(
    'the namespace of a pod, got nothing',
    'set the environment variable POD_NAMESPACE, or pass `namespace`',
  );
  if (name !== '') return [noNamespace];
  return namespace === '' ? [noName, noNamespace] : [noName];
}

import type { Condition, DeepReadonly, KubeObject } from '../api/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { checkCondition, checkConditionTypes } from './check-condition.ts';
import { currentTime } from './current-time.ts';

/** The conditions of one object in one reconcile: reads all of them, sets those that the controller owns. Made by {@link conditionsOf}. */
export interface ConditionList<Type extends string = string> {
  /**
   * Sets a condition to `True`.
   *
   * @param reason CamelCase, for machines: `DeploymentReady`. 1 to 1,024 characters
   * @param message for people, at most 32,768 characters. Default: `''`
   * @throws OpSdkError `runtime/invalid-condition`
   */
  true(type: Type, reason: string, message?: string): this;
  /** Sets a condition to `False`; parameters and errors as of `true`. */
  false(type: Type, reason: string, message?: string): this;
  /** Sets a condition to `Unknown`: the controller cannot say yet. Parameters and errors as of `true`. */
  unknown(type: Type, reason: string, message?: string): this;
  /**
   * Leaves an own condition out: `applyStatus` removes it. For the only condition of an object prefer `false`: the API server refuses to remove
   * the last item of a list that was once written empty (`must be of type array: "null"`).
   *
   * @throws OpSdkError `runtime/invalid-condition` for a type of another controller
   */
  remove(type: Type): this;
  /** A condition as it is now, set or as in the object; also one of another controller. Undefined if the object does not have it. */
  get(type: Type | (string & {})): Readonly<Condition> | undefined;
  /** Returns true if an own condition exists and is `True`. */
  isTrue(type: Type): boolean;
  /**
   * The own conditions, for the status: those that were set, and the others as they are in the object, because server-side apply removes what
   * its owner no longer sends. In the order of the object, new ones at the end.
   */
  toJSON(): Condition[];
}

/**
 * The conditions of an object, to read and to set. `lastTransitionTime` changes only when `status` does; `observedGeneration` of what is set
 * is the object's generation. Send the result by `applyStatus`, which keeps the conditions of other controllers as they are.
 *
 * @param object as reconcile got it; it is not changed
 * @param own every condition type that this controller sets. Other types belong to others and are never sent
 * @throws OpSdkError `runtime/invalid-condition` for a type that the API server would refuse
 *
 * @example
 * const conditions = conditionsOf(site, ['Ready', 'Degraded']).true('Ready', 'PodsReady').remove('Degraded');
 * await client.applyStatus(Site, key, { conditions: conditions.toJSON() });
 */
export function conditionsOf<const Type extends string>(
  object: DeepReadonly<KubeObject & { status?: { conditions?: Condition[] | undefined } | undefined }>,
  own: readonly Type[],
): ConditionList<Type> {
  checkConditionTypes(own);
  return new OwnConditions(object.status?.conditions ?? [], own, object.metadata.generation);
}

class OwnConditions<Type extends string> implements ConditionList<Type> {
  readonly #present: ReadonlyMap<string, Readonly<Condition>>;
  readonly #own: ReadonlySet<string>;
  readonly #generation: number | undefined;
  /** Conditions that this run has set; undefined for those that it removed. */
  readonly #changes = new Map<string, Condition | undefined>();

  constructor(
    present: readonly Readonly<Condition>[],
    own: readonly string[],
    generation: number | undefined,
  ) {
    this.#present = new Map(present.map((condition) => [condition.type, condition]));
    this.#own = new Set(own);
    this.#generation = generation;
  }

  true(type: Type, reason: string, message = ''): this {
    return this.#set(type, 'True', reason, message);
  }

  false(type: Type, reason: string, message = ''): this {
    return this.#set(type, 'False', reason, message);
  }

  unknown(type: Type, reason: string, message = ''): this {
    return this.#set(type, 'Unknown', reason, message);
  }

  remove(type: Type): this {
    this.#mustOwn(type);
    this.#changes.set(type, undefined);
    return this;
  }

  get(type: string): Readonly<Condition> | undefined {
    return this.#changes.has(type) ? this.#changes.get(type) : this.#present.get(type);
  }

  isTrue(type: Type): boolean {
    return this.get(type)?.status === 'True';
  }

  toJSON(): Condition[] {
    // A Set keeps the place of what it has already.
    const types = new Set([...this.#present.keys(), ...this.#own]);
    return [...types]
      .filter((type) => this.#own.has(type))
      .map((type) => this.get(type))
      .filter((condition) => condition !== undefined)
      .map((condition) => ({ ...condition }));
  }

  #set(type: Type, status: Condition['status'], reason: string, message: string): this {
    this.#mustOwn(type);
    checkCondition({ type, reason, message });
    const before = [this.#present.get(type), this.#changes.get(type)].find((each) => each?.status === status);
    this.#changes.set(type, {
      type,
      status,
      reason,
      message,
      ...(this.#generation === undefined ? {} : { observedGeneration: this.#generation }),
      lastTransitionTime: before?.lastTransitionTime ?? currentTime(),
    });
    return this;
  }

  /** The type checker knows; a type that comes from elsewhere, such as a configuration, it does not. */
  #mustOwn(type: string): void {
    if (this.#own.has(type)) return;
    throw new OpSdkError({
      code: 'runtime/invalid-condition',
      message: `type: expected one of ${[...this.#own].join(', ')}, got ${JSON.stringify(type)}`,
      where: { object: `condition ${JSON.stringify(type)}` },
      fix: ['add the type to the second argument of conditionsOf, if it belongs to this controller'],
    });
  }
}

import {
  conditionReasonFormat,
  conditionTypeFormat,
  hasFormat,
  type Condition,
  type DeepReadonly,
  type KubeObject,
} from '../api/index.ts';
import { currentClock } from '../net/index.ts';
import { OpSdkError, FindingList, type Finding } from '../../base/errors/index.ts';

/**
 * The conditions of one object in one reconcile. Use it to read all conditions, and to set the conditions that the controller owns. Created
 * by {@link conditionsOf}.
 */
export interface ConditionList<Type extends string = string> {
  /**
   * Sets a condition to `True`.
   *
   * @param reason CamelCase, for machines: `DeploymentReady`. 1 to 1,024 characters
   * @param message for people, at most 32,768 characters. Default: `''`
   * @throws OpSdkError `runtime/invalid-condition`
   */
  true(type: Type, reason: string, message?: string): this;
  /** Sets a condition to `False`; parameters and errors as for `true`. */
  false(type: Type, reason: string, message?: string): this;
  /** Sets a condition to `Unknown` if the controller cannot determine the status yet. Parameters and errors as for `true`. */
  unknown(type: Type, reason: string, message?: string): this;
  /**
   * Omits a condition that the controller owns, so that `applyStatus` removes it. If it is the only condition of the object, prefer
   * `false`, because the API server refuses to remove the last item of a list that was once written empty (`must be of type array:
   * "null"`).
   *
   * @throws OpSdkError `runtime/invalid-condition` for a type of another controller
   */
  remove(type: Type): this;
  /**
   * Returns the current condition, as set in this reconcile or as in the object. Also returns a condition of another controller. Undefined
   * if the object does not have the condition.
   */
  get(type: Type | (string & {})): Readonly<Condition> | undefined;
  /** Returns true if the controller owns the condition and its status is `True`. */
  isTrue(type: Type): boolean;
  /**
   * Returns the own conditions for the status: those set in this reconcile, and the other own conditions as they are in the object, because
   * server-side apply removes conditions that their owner no longer sends. Keeps the order of the object; new conditions are at the end.
   */
  toJSON(): Condition[];
}

/**
 * Returns the conditions of an object, to read and to set. `lastTransitionTime` changes only when `status` does; `observedGeneration` of
 * each set condition is the object's generation. Send the result by `applyStatus`, which does not change the conditions of other
 * controllers.
 *
 * @param object the object that was passed to reconcile; it is not changed
 * @param own every condition type that this controller sets. Other types belong to other controllers and are never sent
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
  /** Conditions that were set in this run; undefined for a condition that was removed. */
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
    // A Set keeps the position of existing elements, so new types are at the end.
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

  /**
   * Checks that the controller owns a condition type. Needed for types that the type checker cannot check, such as those from a
   * configuration.
   */
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

const LONGEST_MESSAGE = 32_768;

/**
 * Checks a condition against the rules of the CRD's schema. The check runs before the request, because the error of the API server mentions
 * only a list index.
 *
 * @param condition with a type that {@link checkConditionTypes} accepts
 * @throws OpSdkError `runtime/invalid-condition` with everything that the API server would refuse
 */
export function checkCondition({
  type,
  reason,
  message,
}: Pick<Condition, 'type' | 'reason' | 'message'>): void {
  const findings = new FindingList();
  if (!hasFormat(reason, conditionReasonFormat)) {
    const found = `reason: expected CamelCase of 1 to ${conditionReasonFormat.longest} characters, got ${JSON.stringify(reason)}`;
    findings.add(
      invalid(type, found, 'name the reason like DeploymentReady; put sentences into the message'),
    );
  }
  if (typeof message !== 'string') {
    const found = `message: expected a string, got ${typeof message}`;
    findings.add(invalid(type, found, "give a message; '' if there is nothing to say"));
  } else if (message.length > LONGEST_MESSAGE && [...message].length > LONGEST_MESSAGE) {
    const found = `message: expected at most ${LONGEST_MESSAGE} characters, got ${[...message].length}`;
    findings.add(invalid(type, found, 'shorten the message'));
  }
  findings.throwIfAny();
}

/** @throws OpSdkError `runtime/invalid-condition` with every type that the API server would refuse */
export function checkConditionTypes(types: readonly string[]): void {
  const findings = new FindingList();
  for (const type of types) {
    if (hasFormat(type, conditionTypeFormat)) continue;
    const found = `type: expected CamelCase or example.com/CamelCase of at most ${conditionTypeFormat.longest} characters, got ${JSON.stringify(type)}`;
    findings.add(invalid(type, found, 'name the type like Ready or Available'));
  }
  findings.throwIfAny();
}

function invalid(type: string, message: string, fix: string): Finding {
  const where = { object: `condition ${JSON.stringify(type)}` };
  return { code: 'runtime/invalid-condition', message, where, fix: [fix] };
}

/** Returns the time of the controller's clock in RFC 3339, without fractions of a second, as `metav1.Time` writes it. */
export function currentTime(): string {
  return currentClock()
    .today()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z');
}

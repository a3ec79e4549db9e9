import type { Condition, DeepReadonly, KubeObject } from '../api/index.ts';
import { OpSdkError, FindingList, type Finding } from '../../base/errors/index.ts';

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

// Source: the kubebuilder markers of apimachinery `metav1.Condition`.
const TYPE =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/;
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const LONGEST_TYPE = 316;
const LONGEST_REASON = 1024;
const LONGEST_MESSAGE = 32_768;

/**
 * Checks what a controller wants to set by the rules of the CRD's schema, before the API server does: its answer names a list index only.
 *
 * @param condition of a type that {@link checkConditionTypes} accepts
 * @throws OpSdkError `runtime/invalid-condition` with everything that the API server would refuse
 */
export function checkCondition({
  type,
  reason,
  message,
}: Pick<Condition, 'type' | 'reason' | 'message'>): void {
  const findings = new FindingList();
  if (!REASON.test(reason) || reason.length > LONGEST_REASON) {
    const found = `reason: expected CamelCase of 1 to ${LONGEST_REASON} characters, got ${JSON.stringify(reason)}`;
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
    if (TYPE.test(type) && type.length <= LONGEST_TYPE) continue;
    const found = `type: expected CamelCase or example.com/CamelCase of at most ${LONGEST_TYPE} characters, got ${JSON.stringify(type)}`;
    findings.add(invalid(type, found, 'name the type like Ready or Available'));
  }
  findings.throwIfAny();
}

function invalid(type: string, message: string, fix: string): Finding {
  const where = { object: `condition ${JSON.stringify(type)}` };
  return { code: 'runtime/invalid-condition', message, where, fix: [fix] };
}

/** RFC 3339 in whole seconds, as `metav1.Time` writes it. */
export function currentTime(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}

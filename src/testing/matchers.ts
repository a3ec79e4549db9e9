import type { DeepReadonly, KubeObject } from '../sdk/api/index.ts';

/** The result of applying a matcher to a value. */
export interface MatcherResult {
  /** True if the value matches. */
  readonly pass: boolean;
  /** Returns the message of a failed assertion. */
  message(): string;
}

/** Expected fields of a condition, besides its type and status. */
export interface ExpectedCondition {
  /** The expected reason of the condition. Default: any. */
  readonly reason?: string;
  /** Text that the condition's message must contain, or regular expression that it must match. Default: any message. */
  readonly message?: string | RegExp;
}

/** The status of a condition. */
export type ConditionStatus = 'True' | 'False' | 'Unknown';

interface FoundCondition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
}

/**
 * Matchers for Kubernetes objects, for `expect.extend` of vitest or jest. Their types are in `opsdk/testing/vitest`.
 *
 * @example
 * expect.extend(kubernetesMatchers);
 * expect(nginx).toHaveCondition('Ready', 'True', { reason: 'Reconciled' });
 * expect(deployment).toBeOwnedBy(nginx);
 */
export const kubernetesMatchers = {
  /**
   * Checks that `status.conditions` of the received object contains a condition with this type and status. If a reason or message is
   * expected, the condition must have it as well.
   */
  toHaveCondition(
    received: unknown,
    type: string,
    status: ConditionStatus,
    expected: ExpectedCondition = {},
  ): MatcherResult {
    const conditions = conditionsIn(received);
    const found = conditions.find((condition) => condition.type === type);
    const { reason, message } = expected;
    const pass =
      found?.status === status &&
      (reason === undefined || found.reason === reason) &&
      (message === undefined || matchesText(message, found.message ?? ''));
    const wanted = [`${type}=${status}`, reason, message === undefined ? undefined : String(message)];
    const have = conditions.map(
      (each) => `${each.type ?? ''}=${each.status ?? ''} (${each.reason ?? ''}: ${each.message ?? ''})`,
    );
    return {
      pass,
      message: () =>
        `${nameOf(received)}: expected ${pass ? 'not ' : ''}the condition ${wanted.filter((part) => part !== undefined).join(', ')}, got ${have.length === 0 ? 'no conditions' : have.join('; ')}`,
    };
  },

  /** Checks that `owner` is the controller of the received object, by an owner reference as `ownedBy` sets it. */
  toBeOwnedBy(received: unknown, owner: DeepReadonly<KubeObject>): MatcherResult {
    const owners = ownersIn(received);
    const pass = owners.some(
      ({ apiVersion, kind, name, uid, controller }) =>
        controller === true &&
        apiVersion === owner.apiVersion &&
        kind === owner.kind &&
        name === owner.metadata.name &&
        uid === owner.metadata.uid,
    );
    const have = owners.map(
      ({ kind, name, uid, controller }) =>
        `${kind ?? ''} ${name ?? ''} (uid ${uid ?? ''}${controller === true ? ', controller' : ''})`,
    );
    return {
      pass,
      message: () =>
        `${nameOf(received)}: expected ${pass ? 'not ' : ''}the controller ${owner.kind} ${owner.metadata.name} (uid ${owner.metadata.uid ?? ''}), got ${have.length === 0 ? 'no owners' : have.join('; ')}`,
    };
  },
};

interface FoundOwner {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly controller?: boolean;
}

interface Inspected {
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly ownerReferences?: unknown };
  readonly status?: { readonly conditions?: unknown };
}

function inspected(value: unknown): Inspected {
  return typeof value === 'object' && value !== null ? value : {};
}

function conditionsIn(value: unknown): readonly FoundCondition[] {
  const { conditions } = inspected(value).status ?? {};
  return Array.isArray(conditions) ? (conditions as FoundCondition[]) : [];
}

function ownersIn(value: unknown): readonly FoundOwner[] {
  const { ownerReferences } = inspected(value).metadata ?? {};
  return Array.isArray(ownerReferences) ? (ownerReferences as FoundOwner[]) : [];
}

function nameOf(value: unknown): string {
  const { kind, metadata } = inspected(value);
  return kind === undefined ? 'the value' : `${kind} ${metadata?.name ?? ''}`.trim();
}

function matchesText(expected: string | RegExp, text: string): boolean {
  return typeof expected === 'string' ? text.includes(expected) : expected.test(text);
}

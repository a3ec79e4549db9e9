import { fieldAt, mapOf } from '../../fields.ts';
import { bundleObjectName } from '../../object-metadata.ts';
import type { BundleObject, Check, Report } from '../../types.ts';

/**
 * PodDisruptionBudgets by the values of their percentages: what the API server refuses, and what keeps nodes from being drained.
 * Source: kubernetes `pkg/apis/policy/validation`; OLM's limitations on budgets.
 */
export const checkBudgets: Check<'opsdk'> = ({ objects }, report) => {
  for (const object of objects) if (object.kind === 'PodDisruptionBudget') checkBudget(object, report);
};

function checkBudget(object: BundleObject, { error }: Report<'opsdk'>): void {
  const spec = mapOf(fieldAt(object.value, 'spec'));
  const name = bundleObjectName(object);
  for (const field of ['minAvailable', 'maxUnavailable'] as const) {
    const problem = problemOf(spec[field], field);
    if (problem === undefined) continue;
    const message = `${name} has the ${field} ${JSON.stringify(spec[field])}: ${problem}`;
    error(
      'bundle/disruption-budget',
      [object, ['spec', field]],
      message,
      'write a number of Pods, or a percentage such as 50%',
    );
  }
  if (isGiven(spec['minAvailable']) && isGiven(spec['maxUnavailable']))
    error(
      'bundle/disruption-budget',
      [object, ['spec']],
      `${name} has both minAvailable and maxUnavailable; the API server takes one of them`,
      'remove one of the two',
    );
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function problemOf(value: unknown, field: 'minAvailable' | 'maxUnavailable'): string | undefined {
  if (!isGiven(value)) return undefined;
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  if (percent === undefined && (typeof value !== 'number' || !Number.isInteger(value) || value < 0))
    return 'expected a number from 0, or a percentage';
  const number = Number(percent ?? value);
  if (percent !== undefined && number > 100) return 'expected 100% at most';
  const blocks = field === 'maxUnavailable' ? number === 0 : percent !== undefined && number === 100;
  return blocks ? 'no Pod can be evicted then, so that nodes cannot be drained' : undefined;
}

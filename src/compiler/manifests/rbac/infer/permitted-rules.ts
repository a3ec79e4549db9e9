import type { FindingList } from '../../../../base/errors/index.ts';
import { evaluate } from '../../../source/index.ts';
import { readRules, type ReadRules } from '../read-rule.ts';
import type { InferContext } from './infer-context.ts';
import { usesOfOwnFunction } from './own-functions.ts';
import { indirectCall } from './unresolved.ts';

/** The rules that calls of `permitted` state. */
export function permittedRules(context: InferContext, findings: FindingList): readonly ReadRules[] {
  const { calls, values } = usesOfOwnFunction(context, 'permitted');
  findings.add(...values.map((node) => indirectCall(context, node, 'permitted')));
  return calls.flatMap(({ arguments: [, rules] }) =>
    rules === undefined ? [] : [readRules(findings, evaluate(context.source, rules), 'permitted')],
  );
}

import type { FindingList } from '../../../../base/errors/index.ts';
import { evaluate, type SourceProgram, type TokenInfo } from '../../../source/index.ts';
import type { NeededRule } from '../needed-rule.ts';
import type { ReadRules } from '../read-rule.ts';
import { findClientUses } from './find-calls.ts';
import { findEscapes } from './follow-clients.ts';
import { judgeCall, needEvents, type CalledKind, type Judging } from './judge-calls.ts';
import { findLooseFunctions } from './loose-functions.ts';
import { addOwnerRules } from './owner-rules.ts';
import { permittedRules } from './permitted-rules.ts';
import { isJudged, originsThrough } from './resolve-needs.ts';
import { kindTable } from './kind-table.ts';
import { indexSources, type SourceIndex } from './source-index.ts';
import { clientEscapes, indirectCall, looseFunction } from './unresolved.ts';

export interface InferredRules {
  readonly rules: readonly NeededRule[];
  /** The kinds that calls ask for. */
  readonly used: readonly CalledKind[];
  /** Rules that `permitted` states. */
  readonly permitted: readonly ReadRules[];
}

/**
 * The rules that the calls in a project need. What cannot be followed is added to the findings.
 * @param isCached whether some controller declares a kind
 */
export function inferRules(
  findings: FindingList,
  source: SourceProgram,
  isCached: (token: TokenInfo) => boolean,
): InferredRules {
  const index = indexSources(source);
  const selected = selectedKinds(source, index);
  const context: Judging = {
    source,
    index,
    kinds: kindTable(source, index),
    isCached,
    isHeldWhole: (token) => isCached(token) && !selected.has(`${token.group}/${token.plural}`),
    used: [],
    rules: [],
    findings: [],
  };
  const { calls, indirect } = findClientUses(context);
  for (const call of calls) judgeCall(context, call);
  for (const { node, text, trace } of indirect) {
    if (originsThrough(context, trace()).some(isJudged))
      context.findings.push(indirectCall(context, node, text));
  }
  addOwnerRules(context);
  for (const { node, bearing, reason } of findEscapes(context)) {
    if (bearing === 'recorder') needEvents(context, node, 'events');
    else context.findings.push(clientEscapes(context, node, reason));
  }
  for (const { node, reason } of findLooseFunctions(context))
    context.findings.push(looseFunction(context, node, reason));
  findings.add(...context.findings);
  return { rules: context.rules, used: context.used, permitted: permittedRules(context, findings) };
}

/** The kinds of `cached(K, …)`: their cache may hold some of the objects only. */
function selectedKinds(source: SourceProgram, { names }: SourceIndex): ReadonlySet<string> {
  const { ts } = source;
  return new Set(
    (names.get('cached') ?? []).flatMap(({ parent }) => {
      const [kind] = ts.isCallExpression(parent) ? parent.arguments : [];
      const value = kind && evaluate(source, kind);
      return value?.type === 'token' ? [`${value.token.group}/${value.token.plural}`] : [];
    }),
  );
}

import type { NeededRule, RuleOrigin } from '../rbac/needed-rule.ts';
import { compareCodeUnits } from '../../../base/util/json-map.ts';
import { describeGrant, describeVerbs, grantJson } from './diff-access.ts';
import { targetKey, type Permission, grantsOf } from './grant.ts';

/** A place in the sources and the construct there that needs a permission. */
interface NeedingLine {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly origin: RuleOrigin;
  /** Name of the construct: `delete`, `owns`, `finalize` or `rbac`, for example. */
  readonly by: string;
}

/** Verbs that one source line needs on one resource or path. */
export interface Need {
  readonly line: NeedingLine;
  /** The only namespace for which the verbs are granted. Default: all namespaces in which the operator works. */
  readonly namespace?: string;
  /** Resource or path that the verbs apply to, as a permission with the first of the verbs. */
  readonly target: Permission;
  /** Sorted, without duplicates. */
  readonly verbs: readonly string[];
}

/** Combines the rules into one need for each pair of target and source line. Sorts the needs by target, then by place. */
export function needsOf(rules: readonly NeededRule[]): readonly Need[] {
  const needs = new Map<string, Need>();
  for (const rule of rules) {
    const place = rule.namespace === undefined ? {} : { namespace: rule.namespace };
    for (const { file, line, column } of rule.places) {
      const needing: NeedingLine = { file, line, column, origin: rule.origin, by: rule.by };
      for (const target of grantsOf([rule])) {
        const key = [ruleKey({ target, ...place }), file, padded(line), padded(column), rule.by].join(
          '\u0001',
        );
        const verbs = [...new Set([...(needs.get(key)?.verbs ?? []), target.verb])].sort(compareCodeUnits);
        needs.set(key, { line: needing, target, verbs, ...place });
      }
    }
  }
  return [...needs].sort(([a], [b]) => compareCodeUnits(a, b)).map(([, need]) => need);
}

/** Groups needs with the same target; keeps their order. */
export function needsByRule(needs: readonly Need[]): readonly (readonly Need[])[] {
  return groupBy(needs, ruleKey);
}

/** Groups needs with the same source line, sorted by file and line. */
function needsByLine(needs: readonly Need[]): readonly (readonly Need[])[] {
  const key = ({ line: { file, line, column, by } }: Need): string =>
    [file, padded(line), padded(column), by].join('\u0001');
  return [...groupBy(needs, key)].sort((a, b) => compareCodeUnits(key(first(a)), key(first(b))));
}

/**
 * Formats needs as text: first each rule with the source lines that need it, then each source line with its rules. @returns lines, each
 * with a line break
 */
export function renderNeeds(needs: readonly Need[]): string {
  const rules = needsByRule(needs).map((group) => {
    const verbs = describeVerbs(verbsOf(group));
    const width = Math.max(...group.map((need) => describeVerbs(need.verbs).length));
    return [
      `${verbs}: ${targetText(first(group))}`,
      ...group.map((need) => `  ${describeVerbs(need.verbs).padEnd(width)}  ${lineText(need)}`),
    ].join('\n');
  });
  const lines = needsByLine(needs).map((group) =>
    [
      lineText(first(group)),
      ...group.map((need) => `  ${describeVerbs(need.verbs)}: ${targetText(need)}`),
    ].join('\n'),
  );
  return `${[...rules, 'By line', ...lines].join('\n\n')}\n`;
}

/** Returns the needs in the form of `-o json`. */
export function needsJson(needs: readonly Need[]): object {
  const target = (need: Need): object => {
    const { verb: _, ...rest } = grantJson(need.target);
    return { ...rest, ...(need.namespace === undefined ? {} : { namespace: need.namespace }) };
  };
  return {
    rules: needsByRule(needs).map((group) => ({
      ...target(first(group)),
      verbs: verbsOf(group),
      lines: group.map(({ line, verbs }) => ({ ...line, verbs })),
    })),
    lines: needsByLine(needs).map((group) => ({
      ...first(group).line,
      rules: group.map((need) => ({ ...target(need), verbs: need.verbs })),
    })),
  };
}

/** Formats the target of a need for command output, for example `deployments.apps/status` or `secrets in namespace web`. */
export function targetText({ target, namespace }: Pick<Need, 'target' | 'namespace'>): string {
  return `${describeGrant(target)}${namespace === undefined ? '' : ` in namespace ${namespace}`}`;
}

function lineText({ line: { file, line, column, by } }: Need): string {
  return `${file}:${line}:${column} (${by})`;
}

function verbsOf(group: readonly Need[]): readonly string[] {
  return [...new Set(group.flatMap(({ verbs }) => verbs))].sort(compareCodeUnits);
}

function ruleKey({ target, namespace }: Pick<Need, 'target' | 'namespace'>): string {
  return `${targetKey(target)}\u0001${namespace ?? ''}`;
}

/** Pads a number with zeros, so that sorting the texts sorts the numbers. */
function padded(number: number): string {
  return String(number).padStart(9, '0');
}

function groupBy(needs: readonly Need[], keyOf: (need: Need) => string): readonly (readonly Need[])[] {
  const groups = new Map<string, Need[]>();
  for (const need of needs) groups.set(keyOf(need), [...(groups.get(keyOf(need)) ?? []), need]);
  return [...groups.values()];
}

function first(group: readonly Need[]): Need {
  const [need] = group;
  if (need === undefined) throw new TypeError('a group of needs is empty');
  return need;
}

import type { PrometheusRule, Rule, RuleGroup } from '../api/monitoring/v1/prometheus-rule.ts';
import { parseDuration } from './duration.ts';
import type { LeftOut } from './prometheus-config.ts';
import type { ProgramVersion } from './version.ts';

/** Path of a part of a PrometheusRule, such as `spec.groups[0].rules[1].record`. */
export type RulePath = `spec.groups[${string}`;

/** Something that Prometheus would refuse, with its place. */
export interface RuleProblem {
  readonly path: RulePath;
  readonly message: string;
  readonly value?: unknown;
}

const metricForm = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelForm = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/**
 * Returns everything that is wrong with the groups of a PrometheusRule, but for its PromQL, which Prometheus alone can judge. Source:
 * RuleGroups.Validate of prometheus/model/rulefmt.
 */
export function ruleProblems({ spec }: Pick<PrometheusRule, 'spec'>): readonly RuleProblem[] {
  const problems: RuleProblem[] = [];
  const names = new Map<string, number>();
  for (const [index, group] of (spec.groups ?? []).entries()) {
    const path: RulePath = `spec.groups[${index}]`;
    const first = names.get(group.name);
    if (first === undefined) names.set(group.name, index);
    else
      problems.push({
        path: `${path}.name`,
        message: `is the name of spec.groups[${first}], too`,
        value: group.name,
      });
    problems.push(...groupProblems(group, path));
  }
  return problems;
}

function groupProblems(group: RuleGroup, path: RulePath): RuleProblem[] {
  const problems: RuleProblem[] = [];
  if (group.name.trim() === '')
    problems.push({ path: `${path}.name`, message: 'is required', value: group.name });
  if ((group.rules ?? []).length === 0)
    problems.push({ path: `${path}.rules`, message: 'expected at least one rule' });
  for (const field of ['interval', 'query_offset'] as const)
    problems.push(...durationProblems(group[field], `${path}.${field}`));
  problems.push(...labelProblems(group.labels, `${path}.labels`));
  for (const [index, rule] of (group.rules ?? []).entries())
    problems.push(...oneRuleProblems(rule, `${path}.rules[${index}]`));
  return problems;
}

function oneRuleProblems(rule: Rule, path: RulePath): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const { alert = '', record = '' } = rule;
  if (alert !== '' && record !== '')
    problems.push({ path, message: 'expected one of alert and record, got both' });
  if (alert === '' && record === '')
    problems.push({ path, message: 'expected one of alert and record, got none' });
  if (String(rule.expr).trim() === '')
    problems.push({ path: `${path}.expr`, message: 'is required', value: rule.expr });
  if (record !== '') {
    if (!metricForm.test(record))
      problems.push({ path: `${path}.record`, message: 'expected the name of a metric', value: record });
    for (const field of ['for', 'keep_firing_for', 'annotations'] as const)
      if (rule[field] !== undefined && alert === '')
        problems.push({
          path: `${path}.${field}`,
          message: 'is not allowed for a recording rule',
          value: rule[field],
        });
  }
  for (const field of ['for', 'keep_firing_for'] as const)
    problems.push(...durationProblems(rule[field], `${path}.${field}`));
  problems.push(...labelProblems(rule.labels, `${path}.labels`));
  for (const name of Object.keys(rule.annotations ?? {}))
    if (!labelForm.test(name))
      problems.push({
        path: `${path}.annotations`,
        message: 'expected the name of an annotation',
        value: name,
      });
  return problems;
}

function durationProblems(text: string | undefined, path: RulePath): RuleProblem[] {
  if (text === undefined || text === '' || parseDuration(text) !== undefined) return [];
  return [{ path, message: 'expected a duration such as 5m', value: text }];
}

function labelProblems(labels: Readonly<Record<string, string>> | undefined, path: RulePath): RuleProblem[] {
  const problems: RuleProblem[] = [];
  for (const name of Object.keys(labels ?? {}))
    if (!labelForm.test(name) || name === '__name__')
      problems.push({ path, message: 'expected the name of a label', value: name });
  return problems;
}

/**
 * Separates the PrometheusRules that can be loaded from those that would make all rules be refused.
 *
 * @param version of Prometheus, or undefined for a ThanosRuler, which knows all fields
 */
export function usableRules<T extends PrometheusRule>(
  rules: readonly T[],
  version: ProgramVersion | undefined,
): { readonly usable: readonly T[]; readonly leftOut: readonly LeftOut[] } {
  const usable: T[] = [];
  const leftOut: LeftOut[] = [];
  for (const rule of rules) {
    const problems = [
      ...ruleProblems(rule),
      ...(version === undefined ? [] : versionProblems(rule, version)),
    ];
    if (problems.length === 0) usable.push(rule);
    else leftOut.push({ object: rule, problems: problems.map(textOf) });
  }
  return { usable, leftOut };
}

function versionProblems({ spec }: PrometheusRule, version: ProgramVersion): RuleProblem[] {
  const problems: RuleProblem[] = [];
  for (const [index, group] of (spec.groups ?? []).entries()) {
    if (group.query_offset && !version.isAtLeast('2.53.0'))
      problems.push({ path: `spec.groups[${index}].query_offset`, message: 'needs Prometheus 2.53.0' });
    if (group.labels !== undefined && !version.isAtLeast('3.0.0'))
      problems.push({ path: `spec.groups[${index}].labels`, message: 'needs Prometheus 3.0.0' });
  }
  return problems;
}

function textOf({ path, message, value }: RuleProblem): string {
  return value === undefined ? `${path}: ${message}` : `${path}: ${message}, got ${JSON.stringify(value)}`;
}

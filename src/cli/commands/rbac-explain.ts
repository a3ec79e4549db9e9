import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import {
  explainPermissions,
  needsByRule,
  needsJson,
  needsOf,
  renderNeeds,
  targetText,
  type Need,
} from '../../compiler/manifests/index.ts';
import { loadProject } from '../../project/project/index.ts';
import { closestName } from '../../base/util/terminal-words.ts';
import { invalidFlag } from '../actions/input/flag-values.ts';

export const command = defineCommand({
  flags: {
    rule: flag.text('rule', "only this one: 'deployments.apps', 'create,patch deployments.apps', '/metrics'"),
  },
  help: `
Says why the operator has its permissions: for each rule of the generated role the lines of the sources that need it,
and for each of these lines its rules. A line is a call, a part of defineController, or a rule that is written by hand.

  op-sdk rbac explain --rule secrets
  op-sdk rbac explain --rule 'delete pods' -o json`,
  async run({ cwd }, parsed) {
    const { rule } = parsed;
    await loadProject(cwd);
    const { rules, warnings } = explainPermissions({ projectDir: cwd });
    const all = needsOf(rules);
    const needs = rule === undefined ? all : needsOfRule(all, rule);
    const text = needs.length === 0 ? 'the operator needs no permissions' : renderNeeds(needs);
    return { result: needsJson(needs), text, warnings };
  },
});

/**
 * Selects the needed permissions that a rule names. The rule has the form `TARGET`, `VERBS TARGET` or `VERBS: TARGET`.
 * @throws OpSdkError `cli/invalid-value` if nothing matches
 */
function needsOfRule(needs: readonly Need[], rule: string): readonly Need[] {
  const wanted = rule.trim();
  const found = needs.flatMap((need) => {
    const target = targetText(need);
    if (wanted === target) return [need];
    if (!wanted.endsWith(` ${target}`)) return [];
    const verbs = wanted
      .slice(0, -target.length - 1)
      .replace(/:$/, '')
      .split(/, */);
    const kept = need.verbs.filter((verb) => verbs.includes(verb) || verb === '*');
    return kept.length === 0 ? [] : [{ ...need, verbs: kept }];
  });
  if (found.length > 0) return found;
  const names = needsByRule(needs).flatMap(([need]) => (need === undefined ? [] : [targetText(need)]));
  const closest = closestName(wanted, names);
  throw new OpSdkError(
    invalidFlag(
      '--rule',
      `no line of the sources needs '${rule}'`,
      closest === undefined ? namesFix(names) : `did you mean '${closest}'?`,
    ),
  );
}

function namesFix(names: readonly string[]): string {
  return names.length === 0
    ? 'leave out --rule: the sources need no permissions'
    : `name one of: ${names.join(', ')}`;
}

import type { BundleObject } from '../types.ts';
import { fieldAt, listOf, mapOf, textsOf } from '../fields.ts';
import { bundleObjectName } from '../owned-kinds.ts';
import { ruleModule, type BundleRules, type Check, type Report } from './rule.ts';
import type { SharedRules } from './shared.ts';

const rules = {
  'bundle/global-priority-class': {
    validators: { object: 'error' },
    title: 'A PriorityClass is the default of the cluster',
    explain: 'globalDefault: true changes the priority of Pods that do not belong to the operator.',
  },
  'bundle/budget-permission': {
    validators: { object: 'warning' },
    title: 'A role grants the creation of PodDisruptionBudgets',
    explain: 'A warning. Whoever may create or update budgets can keep nodes from being drained.',
  },
  'bundle/default-scc-permission': {
    validators: { object: 'error' },
    title: 'A role grants changes of SecurityContextConstraints of OpenShift',
    explain:
      'Those that OpenShift comes with are used by all workloads; an operator that changes them changes the security of the cluster.',
  },
} as const satisfies BundleRules;

type Rules = typeof rules & SharedRules;

/** Names of the SecurityContextConstraints that OpenShift provides by default. */
const defaultSccs = [
  ...['anyuid', 'hostaccess', 'hostmount-anyuid', 'hostnetwork'],
  ...['node-exporter', 'nonroot', 'privileged', 'restricted'],
];

/**
 * Reports objects that affect more than the operator that brings them. Kinds are matched in any API group. Source: operator-framework/api
 * `object.go`.
 */
const checkHarmfulObjects: Check<Rules, 'object'> = ({ objects }, report) => {
  for (const object of objects) {
    if (object.kind === 'PodDisruptionBudget') checkBudget(object, report);
    else if (object.kind === 'PriorityClass') checkPriorityClass(object, report);
    else if (object.kind === 'Role' || object.kind === 'ClusterRole') checkRules(object, report);
  }
};

/**
 * Refuses every text as maxUnavailable, not only 0%, because operator-framework reads every text as the number 0. The validator `opsdk`
 * checks the values of percentages.
 */
function checkBudget(object: BundleObject, { error }: Report<Rules, 'object'>): void {
  const { maxUnavailable, minAvailable } = mapOf(object.value['spec']);
  if (typeof maxUnavailable === 'string' || maxUnavailable === 0)
    error(
      'bundle/disruption-budget',
      [object, ['spec', 'maxUnavailable']],
      `${bundleObjectName(object)} has the maxUnavailable ${JSON.stringify(maxUnavailable)}; expected a number above 0`,
      'write a number of Pods, such as 1',
    );
  if (minAvailable === '100%')
    error(
      'bundle/disruption-budget',
      [object, ['spec', 'minAvailable']],
      `${bundleObjectName(object)} has the minAvailable 100%, so that no node can be drained`,
      'write less than 100%',
    );
}

function checkPriorityClass(object: BundleObject, { error }: Report<Rules, 'object'>): void {
  if (object.value['globalDefault'] !== true) return;
  const message = `${bundleObjectName(object)} is the default of all Pods of the cluster`;
  error('bundle/global-priority-class', [object, ['globalDefault']], message, 'write globalDefault: false');
}

function checkRules(object: BundleObject, { error, warn }: Report<Rules, 'object'>): void {
  for (const [index, entry] of listOf(fieldAt(object.value, 'rules')).entries()) {
    const rule = mapOf(entry);
    const place = [object, ['rules', index]] as const;
    const allows = (group: string, resource: string, ...verbs: readonly string[]): boolean =>
      textsOf(rule['apiGroups']).includes(group) &&
      textsOf(rule['resources']).includes(resource) &&
      textsOf(rule['verbs']).some((verb) => verb === '*' || verbs.includes(verb));
    if (allows('policy', 'poddisruptionbudgets', 'create', 'update', 'patch'))
      warn(
        'bundle/budget-permission',
        place,
        `${bundleObjectName(object)} grants the creation and update of PodDisruptionBudgets, which can block the maintenance of nodes`,
        'leave out what the operator does not need',
      );
    if (
      allows('security.openshift.io', 'securitycontextconstraints', 'delete', 'update', 'patch') &&
      textsOf(rule['resourceNames']).some((name) => defaultSccs.includes(name))
    )
      error(
        'bundle/default-scc-permission',
        place,
        `${bundleObjectName(object)} grants changes of SecurityContextConstraints of OpenShift itself`,
        'create SecurityContextConstraints of your own',
      );
  }
}

export const harmRules = ruleModule<typeof rules, Rules>(rules, { object: [checkHarmfulObjects] });

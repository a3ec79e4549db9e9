import type { AuditReport, Forbidden } from '../../../cluster/audit/index.ts';
import type { Finding, Where } from '../../../base/errors/index.ts';
import {
  describeGrant,
  describeVerbs,
  targetKey,
  type Need,
  type Permission,
} from '../../../compiler/manifests/permissions/index.ts';
import { layout } from '../../../project/project/index.ts';

/** Outcome of the tests, and the user of the operator. */
export interface AuditedCommand {
  readonly user: string;
  readonly exitCode: number;
  /** Needs of the sources, for the places of what was not used. */
  readonly needs: readonly Need[];
}

/** Findings of an audit by topic. */
export interface AuditFindings {
  readonly forbidden: readonly Finding[];
  readonly unused: readonly Finding[];
  readonly others: { readonly errors: readonly Finding[]; readonly warnings: readonly Finding[] };
}

export function auditFindings(report: AuditReport, { user, exitCode, needs }: AuditedCommand): AuditFindings {
  const { requests, forbidden, unused, openEnded } = report;
  const errors: Finding[] = [];
  if (exitCode !== 0) {
    errors.push({
      code: 'cluster/audit-command-failed',
      message: `the command ended with exit code ${exitCode}`,
      fix: [
        forbidden.length > 0
          ? 'add the permissions that are missing, and run it again'
          : 'run the command without the audit, and fix what fails there; in the audit the operator has its own rights only',
      ],
    });
  }
  if (requests === 0) {
    errors.push({
      code: 'cluster/audit-saw-nothing',
      message: `${user} sent no request while the command ran: nothing was audited`,
      fix: [
        'let the test give `operatorKubeconfig` of startControlPlane, or the file that KUBECONFIG names, to the operator',
        'and `kubeconfig`, or the file that OPSDK_ADMIN_KUBECONFIG names, to what the test does itself',
      ],
    });
  }
  const warnings = openEnded.map(({ permission, used }): Finding => ({
    code: 'cluster/audit-open-ended',
    message: `${describePermission([permission])} is granted without an end; the operator used ${used.map((each) => describePermission([each])).join(', ')}`,
    where: { file: layout.role },
    fix: ['name what it needs in the `rbac` of the controller'],
  }));
  return {
    forbidden: byTarget(forbidden, ({ permission }) => permission).map((group) => forbiddenFinding(group)),
    // Without a request every permission would be unused.
    unused: requests === 0 ? [] : byTarget(unused, (each) => each).map((each) => unusedFinding(each, needs)),
    others: { errors, warnings },
  };
}

function forbiddenFinding(group: readonly Forbidden[]): Finding {
  const permissions = group.map(({ permission }) => permission);
  const count = group.reduce((sum, { requests }) => sum + requests, 0);
  const namespaces = [...new Set(group.flatMap((each) => each.namespaces))];
  const where = namespaces.length === 0 ? '' : ` in ${namespaces.join(', ')}`;
  return {
    code: 'cluster/audit-forbidden',
    message: `the operator may not ${describePermission(permissions)}${where} (${count} ${count === 1 ? 'request' : 'requests'})`,
    fix: [
      `add the rule ${ruleText(permissions)} to the \`rbac\` of the controller, and run \`op-sdk generate manifests\``,
    ],
  };
}

function unusedFinding(permissions: readonly Permission[], needs: readonly Need[]): Finding {
  const verbs = permissions.map(({ verb }) => verb);
  const [permission] = permissions;
  const needed = needs.find(
    ({ target, verbs: needing }) =>
      permission !== undefined &&
      targetKey(target) === targetKey(permission) &&
      needing.some((verb) => verbs.includes(verb)),
  );
  const isByHand = needed?.line.origin === 'explicit' || needed?.line.origin === 'permitted';
  return {
    code: 'cluster/audit-unused',
    message: `never used: ${describePermission(permissions)}`,
    where: needed === undefined ? { file: layout.role } : placeOf(needed),
    fix: [
      isByHand
        ? 'remove it from the rule there, or test what needs it'
        : 'test what needs it there, or remove that',
    ],
  };
}

function placeOf({ line: { file, line, column } }: Need): Where {
  return { file, line, column };
}

/** `list, watch secrets`. */
function describePermission(permissions: readonly Permission[]): string {
  const [first] = permissions;
  return first === undefined
    ? ''
    : `${describeVerbs(permissions.map(({ verb }) => verb))} ${describeGrant(first)}`;
}

/** As it is written in TypeScript. */
function ruleText(permissions: readonly Permission[]): string {
  const [first] = permissions;
  const verbs = `verbs: [${permissions.map(({ verb }) => `'${verb}'`).join(', ')}]`;
  if (first?.type !== 'resource') return `{ nonResourceURLs: ['${first?.url ?? ''}'], ${verbs} }`;
  return `{ groups: ['${first.group}'], resources: ['${first.resource}'], ${verbs} }`;
}

/** Groups permissions that differ in their verb alone. */
function byTarget<T>(items: readonly T[], permissionOf: (item: T) => Permission): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = targetKey(permissionOf(item));
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()];
}

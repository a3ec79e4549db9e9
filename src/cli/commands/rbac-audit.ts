import { defineCommand, type CliContext } from '../command.ts';
import { flag } from '../flags/flag.ts';
import {
  judgeAudit,
  runAudit,
  type AuditReport,
  accountUser,
  type OperatorAccess,
  type Forbidden,
} from '../../cluster/index.ts';
import { OpSdkError, type Finding, type Where } from '../../base/errors/index.ts';
import { countText } from '../../base/util/words.ts';
import {
  explainPermissions,
  grantJson,
  needsOf,
  readAccess,
  type Permission,
  coveredBy,
  type AccessObject,
  type Grant,
  describeGrant,
  describeVerbs,
  targetKey,
  type Need,
} from '../../compiler/manifests/index.ts';
import { layout, loadProject } from '../../project/project/index.ts';
import { createSourceMemory, type SourceMemory } from '../../compiler/schema/index.ts';
import { parseVersion, resolveAssets } from '../../testing/index.ts';
import { crdInput, accessInput } from '../actions/input/manifests.ts';
import { generatedRoles } from '../actions/diff/read-documents.ts';

export const command = defineCommand({
  arguments: [['<command...>', 'the tests of the operator, after --']],
  flags: {
    'fail-on': flag.choice(
      'what',
      ['forbidden', 'unused'],
      'exit 1 for forbidden requests, or for unused permissions too',
      { default: 'forbidden' },
    ),
    'kubernetes-version': flag.text(
      'version',
      'Kubernetes version of the control plane (default: the one op-sdk is tested with)',
    ),
    'controller-manager': flag.boolean('run kube-controller-manager from the beginning'),
  },
  help: `
Runs COMMAND against a control plane of its own, with the operator as its ServiceAccount, and reports which requests were
forbidden and which permissions of the generated role were never used:
  op-sdk rbac audit -- npm run test:integration
  op-sdk rbac audit -- npx vitest run --project integration --no-file-parallelism

COMMAND gets the operator's kubeconfig in KUBECONFIG, the administrator's in OPSDK_ADMIN_KUBECONFIG.
startControlPlane of opsdk/testing joins the control plane: give its operatorKubeconfig to the operator, and its
kubeconfig to the test. Requests of the administrator are not judged.

The exit code is 0 if nothing was forbidden and COMMAND succeeded (see --fail-on), else 1; 2 for wrong usage.`,
  async run(context, options, command) {
    const { cwd, env, report, signal } = context;
    await loadProject(cwd);
    const { kubernetesVersion, controllerManager = false } = options;
    const version =
      kubernetesVersion === undefined
        ? {}
        : { version: parseVersion(kubernetesVersion, '--kubernetes-version') };
    const access = await accessInput(context, { isOptional: false });
    const memory = createSourceMemory();
    const judged = await judgedPermissions(context, access, memory);
    const needs = needsOf(explainPermissions({ projectDir: cwd, memory }).rules);
    const crds = (await crdInput(context, {}, 'install')) ?? [];
    const progress = (line: string): void => report.step(line);
    const { folder: assets } = await resolveAssets({ ...version, controllerManager, env, progress, signal });
    report.step(`starting a control plane (${assets})`);
    const user = accountUser(access.account);
    const { exitCode, events } = await runAudit({
      assets,
      controllerManager,
      access,
      crds,
      command,
      cwd,
      env,
      // With -o json, standard output is reserved for the single JSON document, so other output goes to stderr.
      stdout: options.output === 'json' ? 2 : 1,
      signal,
      onReady: (running) =>
        report.info(
          `Kubernetes ${running} is ready; ${command.join(' ')} runs as ${report.paint('strong', user)}`,
        ),
      onWarning: (warning) => report.warn(warning),
    });
    signal.throwIfAborted();
    const found = judgeAudit(events, user, judged);
    const { forbidden, unused, others } = auditFindings(found, { user, exitCode, needs });
    const isUnusedError = options.failOn === 'unused';
    return {
      result: { user, command: { exitCode }, ...reportJson(found) },
      text: summary(found, user),
      warnings: [...others.warnings, ...(isUnusedError ? [] : unused)],
      errors: [...others.errors, ...forbidden, ...(isUnusedError ? unused : [])],
    };
  },
});

/** Result of the audited test command, and the user name under which the operator ran. */
export interface AuditedCommand {
  readonly user: string;
  readonly exitCode: number;
  /** Permissions that the sources need. They are used to locate unused permissions in the sources. */
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
          ? 'add the permissions that are missing, and run the audit again'
          : 'run the command without the audit, and fix its failures; in the audit the operator has only its own permissions',
      ],
    });
  }
  if (requests === 0) {
    errors.push({
      code: 'cluster/audit-saw-nothing',
      message: `${user} sent no request while the command ran: nothing was audited`,
      fix: [
        'let the test give the operator `operatorKubeconfig` of startControlPlane, or the file that KUBECONFIG names',
        'and let the test itself use `kubeconfig`, or the file that OPSDK_ADMIN_KUBECONFIG names',
      ],
    });
  }
  const warnings = openEnded.map(({ permission, used }): Finding => ({
    code: 'cluster/audit-open-ended',
    message: `${describePermission([permission])} is granted with *, which also covers what is added to the cluster later; the operator used ${used.map((each) => describePermission([each])).join(', ')}`,
    where: { file: layout.role },
    fix: ['list in the `rbac` of the controller what the operator needs'],
  }));
  return {
    forbidden: byTarget(forbidden, ({ permission }) => permission).map((group) => forbiddenFinding(group)),
    // If the operator sent no request, every permission would count as unused. In that case none is reported.
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
    message: `the operator may not ${describePermission(permissions)}${where} (${countText(count, 'request')})`,
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
        ? 'remove the permission from the rule there, or test the code that needs the permission'
        : 'test the code there that needs the permission, or remove that code',
    ],
  };
}

function placeOf({ line: { file, line, column } }: Need): Where {
  return { file, line, column };
}

/** Formats permissions for a message, such as `list, watch secrets`. */
function describePermission(permissions: readonly Permission[]): string {
  const [first] = permissions;
  return first === undefined
    ? ''
    : `${describeVerbs(permissions.map(({ verb }) => verb))} ${describeGrant(first)}`;
}

/** Formats a permission rule as TypeScript code. */
function ruleText(permissions: readonly Permission[]): string {
  const [first] = permissions;
  const verbs = `verbs: [${permissions.map(({ verb }) => `'${verb}'`).join(', ')}]`;
  if (first?.type !== 'resource') return `{ nonResourceURLs: ['${first?.url ?? ''}'], ${verbs} }`;
  return `{ groups: ['${first.group}'], resources: ['${first.resource}'], ${verbs} }`;
}

/** Groups items whose permissions differ only in the verb. */
function byTarget<T>(items: readonly T[], permissionOf: (item: T) => Permission): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = targetKey(permissionOf(item));
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()];
}

/**
 * Returns `manifests/out-of-date` if the operator's role in config grants other permissions than the sources generate. Roles for explicitly
 * named namespaces are bound outside of config/default, so they may be missing.
 *
 * @param has permissions that the file of the role grants to the operator
 * @param generated objects that the sources generate
 */
export function outOfDate(
  has: readonly Permission[],
  generated: readonly AccessObject[],
): Finding | undefined {
  const permissions = (objects: readonly AccessObject[]): readonly Permission[] =>
    objects.flatMap(({ grants }) => grants.filter(isPermission));
  const wanted = permissions(generated.filter(({ namespace }) => namespace === undefined));
  const allowed = permissions(generated);
  if (wanted.every((each) => coveredBy(has, each)) && has.every((each) => coveredBy(allowed, each)))
    return undefined;
  return {
    code: 'manifests/out-of-date',
    message: `${layout.role} does not grant what the sources generate`,
    where: { file: layout.role },
    fix: [
      'run `op-sdk generate manifests`',
      `and keep ${layout.role} in the kustomization of ${layout.rbac}`,
    ],
  };
}

function isPermission(grant: Grant): grant is Permission {
  return grant.type === 'resource' || grant.type === 'url';
}

/**
 * Returns the permissions of the generated role in config. Other roles, such as the role for leader election, are scaffolded and are not
 * audited.
 * @throws OpSdkError `manifests/out-of-date` if config grants other permissions than the sources generate
 */
async function judgedPermissions(
  context: CliContext,
  { granted }: OperatorAccess,
  memory: SourceMemory,
): Promise<readonly Permission[]> {
  const { documents } = await generatedRoles(context, { memory });
  const inConfig = granted.filter(({ role: { where } }) => 'file' in where && where.file === layout.role);
  const has = inConfig.flatMap((each) => each.permissions);
  const finding = outOfDate(has, readAccess(documents).objects);
  if (finding !== undefined) throw new OpSdkError(finding);
  return has;
}

function reportJson({ requests, forbidden, unused, openEnded }: AuditReport): object {
  return {
    requests,
    forbidden: forbidden.map(({ permission, ...more }) => ({ ...grantJson(permission), ...more })),
    unused: unused.map(grantJson),
    openEnded: openEnded.map(({ permission, used }) => ({
      ...grantJson(permission),
      used: used.map(grantJson),
    })),
  };
}

function summary({ requests, forbidden, unused }: AuditReport, user: string): string {
  const counted = (count: number, word: string): string =>
    count === 0 ? `no ${word}s` : countText(count, word);
  return `${user} sent ${counted(requests, 'request')}: ${counted(forbidden.length, 'permission')} missing, ${counted(unused.length, 'permission')} unused`;
}

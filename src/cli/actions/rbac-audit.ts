import { judgeAudit, runAudit, type AuditReport } from '../../cluster/audit/index.ts';
import { accountUser, type OperatorAccess } from '../../cluster/identity/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { explainPermissions } from '../../compiler/manifests/index.ts';
import {
  grantJson,
  needsOf,
  readAccess,
  type Permission,
} from '../../compiler/manifests/permissions/index.ts';
import { layout, loadProject } from '../../project/project/index.ts';
import { createSourceMemory, type SourceMemory } from '../../compiler/schema/index.ts';
import { parseVersion } from '../../testing/assets/version.ts';
import { resolveAssets } from '../../testing/index.ts';
import type { Action, CliContext } from '../command.ts';
import { accessInput } from './input/access-input.ts';
import { crdInput } from './input/crd-input.ts';
import { auditFindings } from './rbac/audit-findings.ts';
import { generatedRoles } from './rbac/generated-roles.ts';
import { outOfDate } from './rbac/out-of-date.ts';

interface Options {
  readonly failOn: 'forbidden' | 'unused';
  readonly kubernetesVersion?: string;
  readonly controllerManager?: boolean;
  readonly output?: string;
}

/** `op-sdk rbac audit`. */
export const run: Action = async (context, parsed, command) => {
  const options = parsed as unknown as Options;
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
    // With -o json standard output is for the one document.
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
};

/**
 * Permissions of the generated role, as config has it: the other roles, such as that of leader election, are of the scaffold.
 * @throws OpSdkError `manifests/out-of-date` if config grants something else than the sources generate
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
    `${count === 0 ? 'no' : count} ${word}${count === 1 ? '' : 's'}`;
  return `${user} sent ${counted(requests, 'request')}: ${counted(forbidden.length, 'permission')} missing, ${counted(unused.length, 'permission')} unused`;
}

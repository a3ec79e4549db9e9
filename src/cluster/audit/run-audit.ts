import type { Finding } from '../../base/errors/index.ts';
import { createClient, loadCluster } from '../../sdk/kube/index.ts';
import {
  shareControlPlane,
  sharedVariable,
  bootControlPlane,
  NodeTurns,
  type AuditEvent,
  type AuditPolicy,
} from '../../testing/index.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import { applyObjects } from '../apply/apply-objects.ts';
import { withoutConversions } from '../apply/installable-crds.ts';
import { OperatorIdentity, bringAccess } from '../identity/operator-identity.ts';
import type { OperatorAccess } from '../identity/operator-access.ts';
import { supervise, exitCodeOfProcess } from '../run/run-operator.ts';

/**
 * Audit policy that logs the requests of all users. Requests of other users than the operator are logged only for tests that read the log
 * themselves.
 */
const policy: AuditPolicy = { omitStages: ['RequestReceived'], rules: [{ level: 'Metadata' }] };

/** Environment variable that contains the path of the administrator's kubeconfig. */
const adminVariable = 'OPSDK_ADMIN_KUBECONFIG';

interface AuditRequest {
  /** Folder with the binaries of the control plane. */
  readonly assets: string;
  readonly controllerManager: boolean;
  readonly access: OperatorAccess;
  /** CustomResourceDefinitions to install before the command starts. */
  readonly crds: readonly PlacedObject[];
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** File descriptor to which the command writes its standard output. */
  readonly stdout: number;
  readonly signal: AbortSignal;
  readonly onReady: (version: string) => void;
  readonly onWarning: (warning: Finding) => void;
}

interface AuditRun {
  /** Exit code of the command, by the conventions of shells. */
  readonly exitCode: number;
  readonly events: readonly AuditEvent[];
}

/**
 * Runs a command against a dedicated control plane that writes an audit log. `KUBECONFIG` contains the path of a kubeconfig for the
 * operator's ServiceAccount. If the command calls `startControlPlane` of `opsdk/testing`, it uses the same control plane.
 *
 * @throws OpSdkError testenv/*, cluster/* if the control plane cannot be set up; `cluster/operator-not-started`
 */
export async function runAudit(request: AuditRequest): Promise<AuditRun> {
  const { assets, controllerManager, access, crds, signal, onWarning } = request;
  const plane = await bootControlPlane({
    assets,
    controllerManager,
    audit: policy,
    signal,
    nodesMayJoin: true,
  });
  const turns = await NodeTurns.open();
  try {
    const cluster = await loadCluster({ kubeconfig: plane.kubeconfig });
    const client = createClient({ cluster, fieldManager: 'op-sdk', onWarning: () => undefined });
    const identity = await OperatorIdentity.open({
      client,
      onProblem: ({ message }) => onWarning({ code: 'cluster/no-token', message }),
    });
    try {
      if (crds.length > 0)
        await applyObjects({ client, objects: withoutConversions(crds), signal, onWarning });
      await bringAccess({ client, access, identity, signal, onWarning });
      // Skips the events so far, because those requests only checked whether the roles are effective, and were not sent by the operator.
      const before = (await plane.readAuditEvents()).length;
      const { kubeconfig: operatorKubeconfig } = identity;
      const shared = await shareControlPlane(
        plane.shared({ operatorKubeconfig, controllerManager, nodeTurns: turns.port }),
      );
      request.onReady(plane.version);
      const exitCode = await runCommandWith(request, {
        KUBECONFIG: operatorKubeconfig,
        [adminVariable]: plane.kubeconfig,
        [sharedVariable]: shared,
      });
      return { exitCode, events: (await plane.readAuditEvents()).slice(before) };
    } finally {
      await identity.close();
      await client.close();
    }
  } finally {
    await turns.close();
    await plane.stop();
  }
}

async function runCommandWith(
  { command: [command = '', ...args], cwd, env, stdout, signal }: AuditRequest,
  more: Readonly<Record<string, string>>,
): Promise<number> {
  const end = await supervise({
    command,
    args,
    cwd,
    env: { ...env, ...more },
    stop: signal,
    stdout,
    what: 'the command',
  });
  return exitCodeOfProcess(end);
}

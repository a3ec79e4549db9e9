import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FindingList, OpSdkError, type Finding } from '../../base/errors/index.ts';
import { Guardian } from '../../base/process/guardian.ts';
import { Node } from '../../sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import { durationMs } from '../../sdk/runtime/index.ts';
import {
  restoreCertificateAuthority,
  type CertificateAuthority,
} from '../../sdk/x509/certificate-authority.ts';
import { resolveAssets } from '../assets/install-assets.ts';
import { applyCrds } from '../crds/apply-crds.ts';
import type { ApiEndpoint } from '../http/api-request.ts';
import { installWebhooks, JoinedWebhooks } from '../webhooks/control-plane-webhooks.ts';
import { defaultStartTimeout, Ending } from './component.ts';
import { controllerManagerUser, startControllerManager, readInitialManifests } from './controller-manager.ts';
import { authorityName } from './pki.ts';
import { takeTurn } from './node-turns.ts';
import { runNodes } from './run-nodes.ts';
import { RunningControlPlane, type RunningNodes, type SharedControlPlane } from './running-control-plane.ts';
import { hasNodes, runsProcesses, type ControlPlane, type ControlPlaneOptions } from './types.ts';

/** The environment variable that holds the path of the file describing a control plane to join. */
export const sharedVariable = 'OPSDK_CONTROL_PLANE';

/**
 * Writes the file that {@link joinControlPlane} reads, into the folder of the control plane.
 * @returns the path of the file
 */
export async function shareControlPlane(shared: SharedControlPlane): Promise<string> {
  const path = join(shared.folder, 'shared.json');
  await writeFile(path, JSON.stringify(shared), { mode: 0o600 });
  return path;
}

/**
 * Joins a control plane that another process runs. `stop` leaves the control plane running and removes only what this process brought: its
 * webhooks, its nodes and its controller manager.
 * @throws OpSdkError `testenv/cannot-join` with all options that the control plane does not meet; testenv/* for CRDs
 */
export async function joinControlPlane(file: string, options: ControlPlaneOptions): Promise<ControlPlane> {
  const shared = await readShared(file);
  const findings = new FindingList();
  findings.add(...unfit(shared, options));
  findings.throwIfAny();
  const manifests = await readInitialManifests(options);
  const { version, url, caCertificate, credentials, adminKubeconfig, folder, operatorKubeconfig } = shared;
  const endpoint = { url, caCertificate, credentials };
  const kubeconfigFolder = await mkdtemp(join(folder, 'joined-'));
  const webhooks =
    options.webhooks &&
    (await JoinedWebhooks.prepare(
      adminKubeconfig.path,
      join(kubeconfigFolder, 'webhooks'),
      options.webhooks,
      manifests.webhooks,
    ));
  await webhooks?.takeConversions(manifests.crds);
  await applyCrds(endpoint, manifests.crds, webhooks?.prepared.server);
  const authority = restoreCertificateAuthority(authorityName, shared.authority);
  // Start the controller manager after the CRDs are installed, because it discovers kinds when it starts.
  const ownFolder = { shared, endpoint, authority, folder: kubeconfigFolder };
  const wantsManager = options.controllerManager === true || hasNodes(options);
  const manager =
    wantsManager && !shared.controllerManager ? await runControllerManager(ownFolder, options) : undefined;
  let nodes: JoinedNodes | undefined;
  try {
    nodes = hasNodes(options) ? await joinNodes(ownFolder, options) : undefined;
  } catch (error) {
    await webhooks?.uninstall();
    await manager?.guardian.stop();
    throw error;
  }
  if (webhooks !== undefined) await installWebhooks(adminKubeconfig.path, webhooks.prepared, options.signal);
  const refuse = (): Promise<never> =>
    Promise.reject(
      new OpSdkError(
        cannotJoin('the API server is not ours to signal or restart', 'skip the test in the audit'),
      ),
    );
  return new RunningControlPlane({
    version,
    endpoint,
    adminKubeconfig,
    operatorKubeconfig,
    folder,
    kubeconfigFolder,
    webhooks: webhooks?.prepared,
    beforeCrds: async (crds) => webhooks?.takeConversions(crds),
    auditLog: shared.auditLog,
    pki: { authority, files: shared.files },
    apiServer: { isRunning: true, signal: refuse, restart: refuse },
    nodes,
    controllerManagerFolder: manager === undefined ? folder : kubeconfigFolder,
    guardian: {
      stop: async () => {
        await webhooks?.uninstall();
        await manager?.guardian.stop();
        await nodes?.guardian.stop();
      },
    },
    ending: manager?.ending ?? { ended: new Promise<never>(() => undefined), expectAll: () => undefined },
  });
}

/**
 * Starts kube-controller-manager for this process. Every process that joins and requests a controller manager runs its own, with leader
 * election. Only the leader works, and each controller manager ends with its process.
 */
async function runControllerManager(
  { shared, endpoint, authority, folder }: JoiningProcess,
  options: ControlPlaneOptions,
): Promise<{ readonly guardian: Guardian; readonly ending: Ending }> {
  const { assets: given, progress, signal, startTimeout = defaultStartTimeout } = options;
  const { version, files } = shared;
  const binaries = await resolveAssets({
    version,
    controllerManager: true,
    ...(given === undefined ? {} : { folder: given }),
    ...(progress === undefined ? {} : { progress }),
    ...(signal === undefined ? {} : { signal }),
  });
  const [guardian, ending] = [new Guardian(), new Ending()];
  try {
    const limit = durationMs(startTimeout);
    const host = { guardian, ending, folder, assets: binaries.folder, startTimeout: limit, signal };
    const credentials = authority.issue({ commonName: controllerManagerUser, usage: 'client' });
    await startControllerManager(host, {
      ...{ endpoint, credentials, files, isElected: true },
      // The nodes may be those of another process.
      hasNodes: shared.nodeTurns !== undefined,
      runsProcesses: runsProcesses(options),
    });
    return { guardian, ending };
  } catch (error) {
    await guardian.stop();
    throw error;
  }
}

/** Parts of a control plane for a process that joins it. */
interface JoiningProcess {
  readonly shared: SharedControlPlane;
  readonly endpoint: ApiEndpoint;
  readonly authority: CertificateAuthority;
  /** Folder of this process. It is removed with the control plane. */
  readonly folder: string;
}

/** Nodes of this process, and the guardian of the processes on them. */
interface JoinedNodes extends RunningNodes {
  readonly guardian: Guardian;
}

/**
 * Brings nodes to the control plane, once no other process has any there. They end with `stop`, and their Node objects are deleted.
 * @throws OpSdkError `testenv/cannot-join` if the nodes of another process do not end within `startTimeout`
 */
async function joinNodes(
  { shared, endpoint, authority, folder }: JoiningProcess,
  options: ControlPlaneOptions,
): Promise<JoinedNodes> {
  const { version, nodeTurns = 0, adminKubeconfig } = shared;
  const { startTimeout = defaultStartTimeout, signal } = options;
  const endTurn = await takeTurn(nodeTurns, durationMs(startTimeout), signal);
  if (endTurn === undefined)
    throw new OpSdkError(
      cannotJoin(
        `another test has nodes there, and did not stop its control plane within ${String(startTimeout)}`,
        'let files of tests run one after the other: --no-file-parallelism of vitest',
        'stop one control plane with nodes before the next one is started',
      ),
    );
  const guardian = new Guardian();
  try {
    const nodes = await runNodes(
      adminKubeconfig.path,
      { version, endpoint, authority, guardian, folder },
      options,
      // Also those of a process that was killed: nobody starts Pods on them.
      { before: deleteNodes, after: deleteNodes },
    );
    const stop = async (): Promise<void> => {
      try {
        await nodes.stop();
      } finally {
        endTurn();
      }
    };
    return { workloads: nodes.workloads, stop, guardian };
  } catch (error) {
    endTurn();
    await guardian.stop();
    throw error;
  }
}

async function deleteNodes(client: KubeClient): Promise<void> {
  const { items } = await client.list(Node);
  await Promise.all(items.map(({ metadata }) => client.delete(Node, metadata, { ignoreNotFound: true })));
}

async function readShared(file: string): Promise<SharedControlPlane> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as SharedControlPlane;
  } catch (error) {
    const finding = cannotJoin(
      `the control plane that ${sharedVariable} names has ended: ${file} cannot be read`,
      `unset ${sharedVariable}, or run op-sdk rbac audit again`,
    );
    throw new OpSdkError(finding, { cause: error });
  }
}

function unfit(shared: SharedControlPlane, options: ControlPlaneOptions): readonly Finding[] {
  const { version = shared.version, audit, apiServerFlags = [], featureGates = {} } = options;
  const skip = 'skip the test in the audit';
  return [
    ...(version.replace(/^v/, '') === shared.version
      ? []
      : [
          cannotJoin(
            `expected Kubernetes ${version}, got ${shared.version}`,
            `ask for no version, or ${skip}`,
          ),
        ]),
    ...(typeof audit === 'object' ? [cannotJoin('expected an audit policy of its own', skip)] : []),
    ...(apiServerFlags.length === 0
      ? []
      : [cannotJoin(`expected the flags ${apiServerFlags.join(' ')}`, skip)]),
    ...(hasNodes(options) && shared.nodeTurns === undefined ? [cannotJoin('expected nodes', skip)] : []),
    ...(Object.keys(featureGates).length === 0
      ? []
      : [cannotJoin(`expected the feature gates ${Object.keys(featureGates).join(', ')}`, skip)]),
  ];
}

function cannotJoin(problem: string, ...fix: readonly string[]): Finding {
  return {
    code: 'testenv/cannot-join',
    message: `the control plane of op-sdk rbac audit: ${problem}`,
    fix,
  };
}

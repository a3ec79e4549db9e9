import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FindingList, OpSdkError, type Finding } from '../../errors/index.ts';
import { restoreCertificateAuthority } from '../../x509/certificate-authority.ts';
import { applyCrds } from '../crds/apply-crds.ts';
import { installWebhooks, JoinedWebhooks } from '../webhooks/control-plane-webhooks.ts';
import { authorityName } from './pki.ts';
import { readInitialManifests } from './initial-manifests.ts';
import { RunningControlPlane, type SharedControlPlane } from './running-control-plane.ts';
import type { ControlPlane, ControlPlaneOptions } from './types.ts';

/** The environment variable that names the file of a control plane to join. */
export const sharedVariable = 'OPSDK_CONTROL_PLANE';

/** Writes the file that {@link joinControlPlane} reads into the folder of the control plane. @returns its path */
export async function shareControlPlane(shared: SharedControlPlane): Promise<string> {
  const path = join(shared.folder, 'shared.json');
  await writeFile(path, JSON.stringify(shared), { mode: 0o600 });
  return path;
}

/**
 * A control plane that another process runs. `stop` leaves it as it is, without the webhooks that were installed here.
 * @throws OpSdkError `testenv/cannot-join` with everything that it is not; testenv/* for CRDs
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
    pki: { authority: restoreCertificateAuthority(authorityName, shared.authority) },
    apiServer: { isRunning: true, signal: refuse, restart: refuse },
    guardian: { stop: async () => webhooks?.uninstall() },
    ending: { ended: new Promise<never>(() => undefined), expectAll: () => undefined },
  });
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
  const {
    version = shared.version,
    controllerManager = false,
    audit,
    apiServerFlags = [],
    featureGates = {},
  } = options;
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
    ...(controllerManager && !shared.controllerManager
      ? [cannotJoin('expected kube-controller-manager', 'run op-sdk rbac audit --controller-manager')]
      : []),
    ...(typeof audit === 'object' ? [cannotJoin('expected an audit policy of its own', skip)] : []),
    ...(apiServerFlags.length === 0
      ? []
      : [cannotJoin(`expected the flags ${apiServerFlags.join(' ')}`, skip)]),
    ...(Object.keys(featureGates).length === 0
      ? []
      : [cannotJoin(`expected the feature gates ${Object.keys(featureGates).join(', ')}`, skip)]),
  ];
}

function cannotJoin(problem: string, fix: string): Finding {
  return {
    code: 'testenv/cannot-join',
    message: `the control plane of op-sdk rbac audit: ${problem}`,
    fix: [fix],
  };
}

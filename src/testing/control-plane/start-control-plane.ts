import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { OpSdkError } from '../../base/errors/index.ts';
import { parseVersion } from '../assets/version.ts';
import { resolveAssets } from '../assets/resolve-assets.ts';
import { applyCrds } from '../crds/apply-crds.ts';
import { apiRequest, type ApiEndpoint } from '../http/api-request.ts';
import { Guardian } from '../../base/process/guardian.ts';
import { durationMs } from '../../sdk/runtime/duration.ts';
import { writingTo } from '../writing-to.ts';
import { installWebhooks, prepareWebhooks } from '../webhooks/control-plane-webhooks.ts';
import { ApiServer } from './api-server.ts';
import { prepareAudit } from './audit.ts';
import { defaultStartTimeout, PortTaken, startComponent, type ComponentHost } from './component.ts';
import { startControllerManager } from './controller-manager.ts';
import { DefaultServiceAccounts } from './default-service-accounts.ts';
import { Ending } from './ending.ts';
import { etcdAddress } from './etcd.ts';
import { apiServerFlags, checkExtraFlags, etcdFlags } from './flags.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { createPki } from './pki.ts';
import { freePort } from './ports.ts';
import { readInitialManifests, type Manifests } from './initial-manifests.ts';
import { joinControlPlane, sharedVariable } from './join-control-plane.ts';
import { RunningControlPlane } from './running-control-plane.ts';
import type { ControlPlane, ControlPlaneOptions, KubeconfigFile } from './types.ts';

/** Attempts to start, each on other ports: another process may bind a free port before we do. */
const portAttempts = 5;

/**
 * Starts a real etcd and kube-apiserver on free ports of 127.0.0.1, with RBAC, admission and certificates of their own.
 * Several can run at once. It keeps the process alive until it is stopped; when the process ends before, however it ends,
 * the control plane and its files go with it.
 *
 * Under `op-sdk rbac audit` it joins the control plane of the audit, which its `stop` does not end.
 *
 * @example
 * await using controlPlane = await startControlPlane({ crds: ['config/crd/bases'] });
 *
 * @throws OpSdkError testenv/* with the end of the log of the component that failed
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const shared = process.env[sharedVariable] ?? '';
  return shared === '' ? bootControlPlane(options) : joinControlPlane(shared, options);
}

/**
 * Starts a control plane, whatever the environment says.
 * @throws OpSdkError testenv/*
 */
export async function bootControlPlane(options: ControlPlaneOptions = {}): Promise<RunningControlPlane> {
  const version = options.version === undefined ? undefined : parseVersion(options.version);
  checkExtraFlags(options.apiServerFlags ?? []);
  const manifests = await readInitialManifests(options);
  const assets = await findAssets(options, version);
  for (let attempt = 1; ; attempt++) {
    try {
      return await boot(options, assets, version, manifests);
    } catch (error) {
      if (!(error instanceof PortTaken) || attempt === portAttempts) throw error;
    }
  }
}

/** A folder that is given counts like KUBEBUILDER_ASSETS. */
async function findAssets(options: ControlPlaneOptions, version: string | undefined): Promise<string> {
  const { assets, progress, signal } = options;
  const { folder } = await resolveAssets({
    controllerManager: options.controllerManager ?? false,
    ...(version === undefined ? {} : { version }),
    ...(assets === undefined ? {} : { folder: assets }),
    ...(progress === undefined ? {} : { progress }),
    ...(signal === undefined ? {} : { signal }),
  });
  return folder;
}

/** One attempt: on success everything runs, on failure nothing is left. */
async function boot(
  options: ControlPlaneOptions,
  assets: string,
  wantedVersion: string | undefined,
  manifests: Manifests,
): Promise<RunningControlPlane> {
  const folder = await writingTo(tmpdir(), async () =>
    mkdtemp(join(await realpath(tmpdir()), 'op-sdk-testenv-')),
  );
  const guardian = new Guardian({ folders: [folder] });
  const startTimeout = durationMs(options.startTimeout ?? defaultStartTimeout);
  try {
    const ending = new Ending();
    const host = { guardian, assets, folder, startTimeout, signal: options.signal, ending };
    const controlPlane = await startProcesses(host, options, manifests);
    if (wantedVersion !== undefined && controlPlane.version !== wantedVersion) {
      throw versionMismatch(wantedVersion, controlPlane.version, assets);
    }
    return controlPlane;
  } catch (error) {
    await guardian.stop();
    throw error;
  }
}

async function startProcesses(
  host: ComponentHost,
  options: ControlPlaneOptions,
  manifests: Manifests,
): Promise<RunningControlPlane> {
  const { folder, guardian, signal } = host;
  const featureGates = options.featureGates ?? {};
  const [etcd, port] = [await etcdAddress(folder), await freePort()];
  const pki = await createPki(join(folder, 'pki'));
  const audit = await prepareAudit(folder, options.audit);
  const webhooks =
    options.webhooks &&
    (await prepareWebhooks(join(folder, 'webhooks'), options.webhooks, manifests.webhooks));
  const endpoint: ApiEndpoint = {
    url: `https://127.0.0.1:${port}`,
    caCertificate: pki.authority.certificate,
    credentials: pki.admin,
  };

  const dataFolder = join(folder, 'etcd');
  await startComponent(host, 'etcd', etcdFlags(dataFolder, etcd), () => etcd.isReady());

  const extraFlags = options.apiServerFlags ?? [];
  const flags = apiServerFlags({ port, etcd, folder, pki, audit, featureGates, extraFlags });
  const apiServer = new ApiServer(host, flags, endpoint);
  await apiServer.start();
  // Before the controller manager: its garbage collector looks for new kinds when it starts, then every 30 seconds only.
  await applyCrds(endpoint, manifests.crds, webhooks?.server);

  const serviceAccounts = new DefaultServiceAccounts({ ...endpoint, credentials: pki.serviceAccounts });
  if (options.controllerManager !== true) await serviceAccounts.start();
  else {
    const { controllerManager: credentials, files } = pki;
    await startControllerManager(host, { endpoint, credentials, files, featureGates });
  }

  const admin = { name: 'op-sdk-testenv-admin', credentials: pki.admin };
  const adminKubeconfig = await writePrivate(folder, 'admin.kubeconfig', kubeconfigText(endpoint, admin));
  // Last: what the others write must not wait for an operator that does not run yet.
  if (webhooks !== undefined) await installWebhooks(adminKubeconfig.path, webhooks, signal);
  return new RunningControlPlane({
    version: await serverVersion(endpoint),
    endpoint,
    adminKubeconfig,
    folder,
    auditLog: audit?.logFile,
    pki,
    apiServer,
    serviceAccounts,
    guardian,
    ending: host.ending,
    webhooks,
  });
}

async function serverVersion(endpoint: ApiEndpoint): Promise<string> {
  const response = await apiRequest(endpoint, { path: '/version' });
  return (response.json() as { gitVersion: string }).gitVersion.replace(/^v/, '');
}

async function writePrivate(folder: string, name: string, text: string): Promise<KubeconfigFile> {
  const path = join(folder, name);
  await writeFile(path, text, { mode: 0o600 });
  return { path, text };
}

function versionMismatch(wanted: string, found: string, assets: string): OpSdkError {
  return new OpSdkError({
    code: 'testenv/version-mismatch',
    message: `Kubernetes ${wanted} was asked for, but kube-apiserver in ${assets} is ${found}`,
    where: { file: assets },
    fix: [
      `unset KUBEBUILDER_ASSETS and run: op-sdk testenv install --version ${wanted}`,
      'do not ask for a version, to take what is there',
    ],
  });
}

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { OpSdkError } from '../../base/errors/index.ts';
import { parseVersion } from '../assets/version.ts';
import { resolveAssets } from '../assets/install-assets.ts';
import { applyCrds } from '../crds/apply-crds.ts';
import { apiRequest, type ApiEndpoint } from '../http/api-request.ts';
import { Guardian } from '../../base/process/guardian.ts';
import { durationMs } from '../../sdk/runtime/index.ts';
import { writingTo } from '../writing-to.ts';
import { installWebhooks, prepareWebhooks } from '../webhooks/control-plane-webhooks.ts';
import { etcdAddress, ApiServer, prepareAudit } from './components.ts';
import { defaultStartTimeout, PortTaken, startComponent, type ComponentHost, Ending } from './component.ts';
import {
  startControllerManager,
  readInitialManifests,
  type Manifests,
  kubeconfigText,
} from './controller-manager.ts';
import { apiServerFlags, checkExtraFlags, etcdFlags } from './flags.ts';
import { DefaultServiceAccounts } from './default-service-accounts.ts';
import { createPki, type Pki } from './pki.ts';
import { freePort } from './ports.ts';
import { joinControlPlane, sharedVariable } from './join-control-plane.ts';
import { runNodes } from './run-nodes.ts';
import { RunningControlPlane } from './running-control-plane.ts';
import {
  hasNodes,
  runsProcesses,
  type ControlPlane,
  type ControlPlaneOptions,
  type KubeconfigFile,
} from './types.ts';

/** Maximum number of attempts to start. Each attempt uses other ports, because another process may bind a free port first. */
const portAttempts = 5;

/**
 * Starts a real etcd and kube-apiserver on free ports of 127.0.0.1, with their own RBAC, admission and certificates. Several control planes
 * can run at the same time. A running control plane keeps the calling process alive. If that process ends first, even by SIGKILL, the
 * control plane and its files are removed.
 *
 * Under `op-sdk rbac audit`, this function instead joins the control plane of the audit, which `stop` of the returned object does not end.
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

/** Options of a control plane that other processes join. */
interface BootOptions extends ControlPlaneOptions {
  /** True if processes that join may bring nodes. Default: false. */
  readonly nodesMayJoin?: boolean;
}

/**
 * Starts a control plane. Ignores the environment variable that requests joining an existing one.
 * @throws OpSdkError testenv/*
 */
export async function bootControlPlane(options: BootOptions = {}): Promise<RunningControlPlane> {
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

/** Finds the folder of the binaries. A folder given in the options is treated like KUBEBUILDER_ASSETS. */
async function findAssets(options: ControlPlaneOptions, version: string | undefined): Promise<string> {
  const { assets, progress, signal } = options;
  const { folder } = await resolveAssets({
    controllerManager: needsControllerManager(options),
    ...(version === undefined ? {} : { version }),
    ...(assets === undefined ? {} : { folder: assets }),
    ...(progress === undefined ? {} : { progress }),
    ...(signal === undefined ? {} : { signal }),
  });
  return folder;
}

/** Makes one attempt to start a control plane. On success all components run; on failure no process or file is left behind. */
async function boot(
  options: BootOptions,
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
  options: BootOptions,
  manifests: Manifests,
): Promise<RunningControlPlane> {
  const { folder, guardian, signal } = host;
  const pki = await createPki(join(folder, 'pki'));
  const audit = await prepareAudit(folder, options.audit);
  const webhooks =
    options.webhooks &&
    (await prepareWebhooks(join(folder, 'webhooks'), options.webhooks, manifests.webhooks));
  const { apiServer, endpoint } = await startApiServer(host, options, pki, audit);
  // CRDs are applied before the controller manager starts, because its garbage collector discovers new kinds at startup, and later only
  // every 30 seconds.
  await applyCrds(endpoint, manifests.crds, webhooks?.server);
  const serviceAccounts = await startControllers(host, options, pki, endpoint);

  const admin = { name: 'op-sdk-testenv-admin', credentials: pki.admin };
  const adminKubeconfig = await writePrivate(folder, 'admin.kubeconfig', kubeconfigText(endpoint, admin));
  // Webhooks are installed last, so that the earlier writes do not call webhooks of an operator that does not run yet.
  if (webhooks !== undefined) await installWebhooks(adminKubeconfig.path, webhooks, signal);
  const version = await serverVersion(endpoint);
  const nodes = hasNodes(options)
    ? await runNodes(
        adminKubeconfig.path,
        { version, endpoint, guardian, folder, authority: pki.authority },
        options,
      )
    : undefined;
  return new RunningControlPlane({
    version,
    nodes,
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

/** Starts etcd and the API server. Resolves when the API server is ready. */
async function startApiServer(
  host: ComponentHost,
  options: BootOptions,
  pki: Pki,
  audit: Awaited<ReturnType<typeof prepareAudit>>,
): Promise<{ readonly apiServer: ApiServer; readonly endpoint: ApiEndpoint }> {
  const { folder } = host;
  const [etcd, port] = [await etcdAddress(folder), await freePort()];
  await startComponent(host, 'etcd', etcdFlags(join(folder, 'etcd'), etcd), () => etcd.isReady());
  const endpoint: ApiEndpoint = {
    url: `https://127.0.0.1:${port}`,
    caCertificate: pki.authority.certificate,
    credentials: pki.admin,
  };
  const flags = apiServerFlags({
    port,
    etcd,
    folder,
    pki,
    audit,
    featureGates: options.featureGates ?? {},
    extraFlags: options.apiServerFlags ?? [],
    hasNodes: isReadyForNodes(options),
  });
  const apiServer = new ApiServer(host, flags, endpoint);
  await apiServer.start();
  return { apiServer, endpoint };
}

/** Starts kube-controller-manager if the options need it; otherwise starts the part of it without which no Pod can be created. */
async function startControllers(
  host: ComponentHost,
  options: BootOptions,
  { controllerManager: credentials, files, serviceAccounts }: Pki,
  endpoint: ApiEndpoint,
): Promise<DefaultServiceAccounts> {
  const accounts = new DefaultServiceAccounts({ ...endpoint, credentials: serviceAccounts });
  if (needsControllerManager(options))
    await startControllerManager(host, {
      endpoint,
      credentials,
      files,
      featureGates: options.featureGates ?? {},
      hasNodes: isReadyForNodes(options),
      runsProcesses: runsProcesses(options),
    });
  else await accounts.start();
  return accounts;
}

/** Returns true if the control plane has nodes, or other processes may bring nodes. */
function isReadyForNodes(options: BootOptions): boolean {
  return hasNodes(options) || options.nodesMayJoin === true;
}

/** Returns true if a control plane with these options runs kube-controller-manager. */
function needsControllerManager(options: ControlPlaneOptions): boolean {
  return options.controllerManager === true || hasNodes(options);
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
    message: `expected kube-apiserver ${wanted} in ${assets}, got ${found}`,
    where: { file: assets },
    fix: [
      `unset KUBEBUILDER_ASSETS and run: op-sdk testenv install --version ${wanted}`,
      'leave the version out, to use the kube-apiserver that is there',
    ],
  });
}

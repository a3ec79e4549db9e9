import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import type { EtcdAddress } from './components.ts';
import type { Pki } from './pki.ts';

/**
 * Returns the flags of etcd. Etcd runs as a single member without durable storage, because a test needs no data after a crash of the
 * machine.
 */
export function etcdFlags(dataFolder: string, { etcdFlags: flags }: EtcdAddress): readonly string[] {
  return [
    '--name=op-sdk-testenv',
    `--data-dir=${dataFolder}`,
    ...flags,
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
}

interface ApiServerSettings {
  readonly port: number;
  readonly etcd: EtcdAddress;
  readonly folder: string;
  readonly pki: Pki;
  readonly audit?: { readonly policyFile: string; readonly logFile: string } | undefined;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly extraFlags: readonly string[];
  /** True if the control plane has nodes. */
  readonly hasNodes: boolean;
}

/** Returns the flags of kube-apiserver: RBAC and the default admission plug-ins, including ServiceAccount. */
export function apiServerFlags(settings: ApiServerSettings): readonly string[] {
  const { files } = settings.pki;
  return [
    '--bind-address=127.0.0.1',
    `--secure-port=${settings.port}`,
    '--advertise-address=127.0.0.1',
    // No endpoints are recorded for the `kubernetes` Service, because they must not be loopback addresses and nothing would use them.
    '--endpoint-reconciler-type=none',
    ...settings.etcd.apiServerFlags,
    `--cert-dir=${settings.folder}`,
    `--tls-cert-file=${files.servingCertificate}`,
    `--tls-private-key-file=${files.servingKey}`,
    `--client-ca-file=${files.ca}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${files.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${files.serviceAccountKey}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--allow-privileged=true',
    ...(settings.hasNodes ? [...evictionFlags, ...kubeletFlags(files)] : []),
    ...featureGateFlags(settings.featureGates),
    ...(settings.audit === undefined
      ? []
      : [
          `--audit-policy-file=${settings.audit.policyFile}`,
          `--audit-log-path=${settings.audit.logFile}`,
          // The API server answers a request only after the event of the request is in the log, so that tests can read the events that they
          // cause.
          '--audit-log-mode=blocking',
          '--audit-log-maxsize=0',
        ]),
    ...settings.extraFlags,
  ];
}

/**
 * Makes Pods tolerate a node that does not answer for five seconds, where a cluster waits for five minutes, so that tests see evictions.
 */
const evictionFlags: readonly string[] = [
  '--default-not-ready-toleration-seconds=5',
  '--default-unreachable-toleration-seconds=5',
];

/** Flags with which the API server asks kubelets, at the address of type InternalDNS that the Node objects have. */
function kubeletFlags(files: Pki['files']): readonly string[] {
  return [
    '--kubelet-preferred-address-types=InternalDNS',
    `--kubelet-certificate-authority=${files.ca}`,
    `--kubelet-client-certificate=${files.kubeletClientCertificate}`,
    `--kubelet-client-key=${files.kubeletClientKey}`,
  ];
}

/** Flags that make the controller manager notice within seconds that a node no longer renews its lease. */
const nodeFlags: readonly string[] = ['--node-monitor-period=1s', '--node-monitor-grace-period=4s'];

/** Returns the flags of kube-controller-manager, which enable every controller that needs no cloud, and node-lifecycle-controller if there are nodes. */
export function controllerManagerFlags(settings: {
  readonly kubeconfig: string;
  readonly folder: string;
  readonly files: Pick<Pki['files'], 'ca' | 'serviceAccountKey'>;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly hasNodes: boolean;
  readonly runsProcesses: boolean;
  readonly isElected: boolean;
}): readonly string[] {
  const { files } = settings;
  return [
    `--kubeconfig=${settings.kubeconfig}`,
    `--authentication-kubeconfig=${settings.kubeconfig}`,
    `--authorization-kubeconfig=${settings.kubeconfig}`,
    '--bind-address=127.0.0.1',
    '--secure-port=0',
    `--cert-dir=${settings.folder}`,
    ...(settings.isElected ? electionFlags : ['--leader-elect=false']),
    `--service-account-private-key-file=${files.serviceAccountKey}`,
    `--root-ca-file=${files.ca}`,
    '--use-service-account-credentials=true',
    `--controllers=${['*', ...unusedControllers(settings)].join(',')}`,
    ...(settings.hasNodes ? nodeFlags : []),
    ...featureGateFlags(settings.featureGates),
  ];
}

/** Returns the controllers that do not run, each with a minus sign. */
function unusedControllers(settings: {
  readonly hasNodes: boolean;
  readonly runsProcesses: boolean;
}): readonly string[] {
  return [
    '-node-ipam-controller',
    ...(settings.hasNodes ? [] : ['-node-lifecycle-controller']),
    // Endpoints must not be loopback addresses, which Pods with processes have.
    ...(settings.runsProcesses
      ? ['-endpoints-controller', '-endpointslice-controller', '-endpointslice-mirroring-controller']
      : []),
  ];
}

/**
 * Flags of leader election. Durations are short, because a controller manager that ends does not release its lease, and tests should not
 * wait long until the next one becomes leader.
 */
const electionFlags: readonly string[] = [
  '--leader-elect=true',
  '--leader-elect-lease-duration=4s',
  '--leader-elect-renew-deadline=3s',
  '--leader-elect-retry-period=1s',
];

function featureGateFlags(gates: Readonly<Record<string, boolean>>): readonly string[] {
  const pairs = Object.entries(gates).map(([gate, on]) => `${gate}=${on}`);
  return pairs.length === 0 ? [] : [`--feature-gates=${pairs.join(',')}`];
}

const managed: Readonly<Record<string, string>> = {
  'bind-address': 'the address is always 127.0.0.1',
  'secure-port': 'a free port is chosen; read it from `url`',
  'advertise-address': 'the address is always 127.0.0.1',
  'etcd-servers': 'the control plane has an etcd of its own',
  'etcd-cafile': 'the control plane has an etcd of its own',
  'etcd-certfile': 'the control plane has an etcd of its own',
  'etcd-keyfile': 'the control plane has an etcd of its own',
  'cert-dir': 'certificates are made for each control plane',
  'tls-cert-file': 'certificates are made for each control plane',
  'tls-private-key-file': 'certificates are made for each control plane',
  'client-ca-file': 'certificates are made for each control plane',
  'service-account-key-file': 'keys are made for each control plane',
  'service-account-signing-key-file': 'keys are made for each control plane',
  'audit-policy-file': 'use the option `audit`',
  'audit-log-path': 'use the option `audit`',
  'audit-log-mode': 'use the option `audit`',
  'feature-gates': 'use the option `featureGates`',
};

/** @throws OpSdkError testenv/managed-flag for each given flag that the control plane itself must set */
export function checkExtraFlags(flags: readonly string[]): void {
  const findings = flags.flatMap((flag): readonly Finding[] => {
    const name = /^--([^=]+)/.exec(flag)?.[1];
    if (name === undefined) {
      const message = `apiServerFlags holds ${JSON.stringify(flag)}, which is not of the form --flag=value`;
      return [{ code: 'testenv/managed-flag', message, fix: ['write flag and value as one string'] }];
    }
    const reason = managed[name.replaceAll('_', '-')];
    if (reason === undefined) return [];
    return [
      {
        code: 'testenv/managed-flag',
        message: `apiServerFlags sets --${name}: ${reason}`,
        where: { flag: `--${name}` },
      },
    ];
  });
  const [first, ...rest] = findings;
  if (first !== undefined) throw new OpSdkError([first, ...rest]);
}

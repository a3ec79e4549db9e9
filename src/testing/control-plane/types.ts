import type { DurationLike } from '../../sdk/runtime/index.ts';
import type { NodeOptions, TestNodes } from '../node/index.ts';
import type { ControlPlaneWebhookOptions, ControlPlaneWebhooks } from '../webhooks/control-plane-webhooks.ts';

/** Options of `startControlPlane`. */
export interface ControlPlaneOptions {
  /**
   * Kubernetes version, such as `1.36.3`. Default: {@link defaultVersion}; if a folder of binaries is given, the version of these binaries.
   */
  readonly version?: string;
  /**
   * Folder with the binaries. Default: the folder in KUBEBUILDER_ASSETS. If that is not set, the cache, into which missing binaries are
   * installed.
   */
  readonly assets?: string;
  /**
   * True to run kube-controller-manager as well. It collects garbage, finishes the deletion of namespaces, and creates ReplicaSets and Pods
   * for Deployments (without `nodes`, the Pods stay Pending). Every namespace has its `default` ServiceAccount even
   * without kube-controller-manager. Default: false.
   */
  readonly controllerManager?: boolean;
  /**
   * Nodes on which Pods run: their number, or settings. A scheduler binds Pods to the nodes, and a kubelet for each pretends to run the
   * containers and writes the statuses that a real one would write: Deployments become ready, Jobs complete. Implies
   * kube-controller-manager. Default: no nodes, so that Pods stay Pending.
   */
  readonly nodes?: number | NodeOptions;
  /** Audit log to write: `true` logs the metadata of every request; a policy selects the details. Default: false. */
  readonly audit?: boolean | AuditPolicy;
  /** Additional flags for kube-apiserver, as `--flag=value`. Flags that the control plane itself sets are refused. */
  readonly apiServerFlags?: readonly string[];
  /** Feature gates of kube-apiserver and kube-controller-manager, by name: true enables a feature. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /**
   * CRDs to install: YAML or JSON files, or folders of files (not recursive), relative to the working directory. They are installed before
   * kube-controller-manager starts, so that its garbage collector knows their kinds immediately.
   */
  readonly crds?: readonly string[];
  /**
   * Webhooks that the operator under test serves on this machine. In place of the Service that a manifest names, the API server gets the
   * URL of the operator and a trusted authority. The same applies to CRDs (of `crds` and `installCrds`) with a conversion webhook. A
   * certificate is created for the webhooks: pass {@link ControlPlane.webhooks} to the manager. The webhook configurations are in effect
   * when the start resolves. Until the operator serves, requests that need a webhook fail if the webhook's failurePolicy is `Fail`.
   * Default: no webhooks. A CRD with webhook conversion is then installed unchanged, and requests for versions other than the stored one
   * fail.
   */
  readonly webhooks?: ControlPlaneWebhookOptions;
  /** Time limit for each process to become ready: milliseconds, or text such as `30s`. Default: 2m. */
  readonly startTimeout?: DurationLike;
  /** Called with a line for each step while missing binaries are downloaded or built. Default: lines on stderr. */
  readonly progress?: (line: string) => void;
  /** Cancels the start. Default: none. */
  readonly signal?: AbortSignal;
}

/** Returns true if a control plane with these options has nodes. */
export function hasNodes({ nodes = 0 }: Pick<ControlPlaneOptions, 'nodes'>): boolean {
  return (typeof nodes === 'number' ? nodes : (nodes.count ?? 1)) > 0;
}

/** Returns true if Pods of a control plane with these options have processes, whose addresses cannot be endpoints of Services. */
export function runsProcesses({ nodes }: Pick<ControlPlaneOptions, 'nodes'>): boolean {
  return typeof nodes === 'object' && nodes.runProcesses !== undefined;
}

/** An audit policy of `audit.k8s.io/v1`; `apiVersion` and `kind` are added automatically. */
export interface AuditPolicy {
  /** Request stages for which no audit event is written. Default: none. */
  readonly omitStages?: readonly AuditStage[];
  /**
   * Rules of the policy. The first matching rule determines the level of a request. The fields are those of `audit.k8s.io/v1` `PolicyRule`.
   */
  readonly rules: readonly Readonly<Record<string, unknown> & { level: AuditLevel }>[];
}

/**
 * Detail that is logged for a request. `None`: nothing. `Metadata`: user and action. `Request`: additionally the request body.
 * `RequestResponse`: additionally the response body.
 */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

/** Stage of a request at which an audit event is written. */
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

/** An entry of the audit log, with the fields that tests use. Source: apiserver `pkg/apis/audit/v1/types.go`. */
export interface AuditEvent {
  /** ID of the request; all audit events of one request have the same ID. */
  readonly auditID: string;
  /** The stage of the request at which the event was written. */
  readonly stage: AuditStage;
  /** Audit level at which the event was recorded. */
  readonly level: AuditLevel;
  /** Verb of the request: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete` or `deletecollection`. */
  readonly verb: string;
  /** Path and query of the request. */
  readonly requestURI: string;
  /** The user who sent the request. */
  readonly user: { readonly username: string; readonly groups?: readonly string[] };
  /** The User-Agent header; operators send `<manager> opsdk`. */
  readonly userAgent?: string;
  /** The requested object or collection; absent for paths that are not resources. */
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly apiVersion?: string;
  };
  /** Result of the request; absent at stage `RequestReceived`. */
  readonly responseStatus?: { readonly code?: number; readonly reason?: string; readonly message?: string };
  /** Body of the request; present at the levels `Request` and `RequestResponse`. */
  readonly requestObject?: unknown;
  /** Body of the response; present at level `RequestResponse`. */
  readonly responseObject?: unknown;
  /** Time at which the request was received, in RFC 3339 with microseconds. */
  readonly requestReceivedTimestamp: string;
  /** Time at which the request reached this stage, in RFC 3339 with microseconds. */
  readonly stageTimestamp: string;
  /** Decisions of authorization and admission, such as `authorization.k8s.io/decision`. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A kubeconfig, as a file and as text. The file is removed with the control plane. */
export interface KubeconfigFile {
  /** Absolute path of the file. */
  readonly path: string;
  /** Content of the file, in YAML. */
  readonly text: string;
}

/** A running etcd and kube-apiserver (and kube-controller-manager, if requested). */
export interface ControlPlane extends AsyncDisposable {
  /** The version that the API server reports, without the `v`: `1.36.3`. */
  readonly version: string;
  /** URL of the API server, such as `https://127.0.0.1:23456`. */
  readonly url: string;
  /** Path of a kubeconfig for the administrator (group `system:masters`). The file is removed with the control plane. */
  readonly kubeconfig: string;
  /** The text of the administrator's kubeconfig. */
  readonly kubeconfigText: string;
  /**
   * Path of a kubeconfig for the operator under test. Normally it is the administrator's kubeconfig; under `op-sdk rbac audit` it has only
   * the permissions of the operator's own ServiceAccount.
   */
  readonly operatorKubeconfig: string;
  /** Certificate of the authority that signed the API server's certificate, in PEM. */
  readonly caCertificate: string;
  /** The administrator's client certificate and key, both PEM. */
  readonly credentials: { readonly certificate: string; readonly key: string };
  /** The folder with all files of this control plane; the folder is removed with the control plane. */
  readonly folder: string;
  /** Path of the log file of each component. The files are kept while the control plane exists. */
  readonly logs: Readonly<Record<'etcd' | 'kube-apiserver' | 'kube-controller-manager', string>>;
  /** Path of the audit log, which has one JSON document per line; undefined without the option `audit`. */
  readonly auditLog: string | undefined;
  /**
   * Address and certificate with which the operator must serve its webhooks, for `createManager({ webhooks })`; undefined without the
   * option `webhooks`.
   */
  readonly webhooks: ControlPlaneWebhooks | undefined;
  /**
   * The nodes of this control plane, and controls for the Pods on them.
   * @throws OpSdkError testenv/no-nodes without the option `nodes`
   */
  readonly workloads: TestNodes;
  /** Resolves with the reason when a component of the control plane ends unexpectedly. Never settles if that does not happen. */
  readonly ended: Promise<string>;

  /**
   * Creates a kubeconfig for a user. The user is defined only by the client certificate and has almost no permissions until RBAC rules
   * grant some.
   * @param groups Kubernetes groups, such as `system:masters`. Default: none (`system:authenticated` is implied)
   */
  userKubeconfig(name: string, groups?: readonly string[]): Promise<KubeconfigFile>;
  /**
   * Creates a kubeconfig with a token for an existing ServiceAccount. The namespace of the ServiceAccount becomes the namespace of the
   * kubeconfig's context.
   * @throws OpSdkError testenv/request-refused
   */
  serviceAccountKubeconfig(
    namespace: string,
    name: string,
    options?: { readonly expirationSeconds?: number },
  ): Promise<KubeconfigFile>;
  /**
   * Installs CRDs (see {@link ControlPlaneOptions.crds}) and waits until the API server serves them. Existing CRDs are updated by
   * server-side apply, always with the same field manager.
   * @throws OpSdkError testenv/invalid-crd, testenv/crd-not-established
   */
  installCrds(paths: readonly string[]): Promise<void>;
  /** Returns all audit events so far, oldest first. @throws OpSdkError testenv/audit-off */
  readAuditEvents(): Promise<readonly AuditEvent[]>;
  /**
   * Sends a signal to the API server. For SIGKILL and SIGTERM (which lets open requests finish), resolves when the process has ended. For
   * SIGSTOP and SIGCONT, resolves immediately.
   */
  killApiServer(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /**
   * Restarts the API server with the same port, certificates and data. If the server still runs, it is killed first. Resolves when the
   * server is ready.
   */
  restartApiServer(): Promise<void>;
  /** Ends all processes and removes all files of the control plane. Further calls of `stop` do nothing. */
  stop(): Promise<void>;
}

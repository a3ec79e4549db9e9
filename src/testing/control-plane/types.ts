/** What `startControlPlane` is asked for. */
export interface ControlPlaneOptions {
  /** Kubernetes version, such as `1.36.3`. Default: {@link defaultVersion}, or whatever the folder of binaries holds. */
  readonly version?: string;
  /** A folder with the binaries. Default: KUBEBUILDER_ASSETS, else the cache, which is filled if need be. */
  readonly assets?: string;
  /**
   * Also run kube-controller-manager: garbage collection, namespaces that really go away, Deployments with ReplicaSets and
   * Pods (which stay Pending: there are no nodes), and the `default` ServiceAccount in every namespace, without which the
   * API server admits no Pod. Default: false.
   */
  readonly controllerManager?: boolean;
  /** Write an audit log: `true` for the metadata of every request, or a policy. Default: false. */
  readonly audit?: boolean | AuditPolicy;
  /** More flags for kube-apiserver, as `--flag=value`. Those that the control plane itself needs are refused. */
  readonly apiServerFlags?: readonly string[];
  /** Feature gates of kube-apiserver and kube-controller-manager. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /**
   * CRDs to install: YAML or JSON files, or folders of them (not recursive), relative to the working directory.
   * They are there before kube-controller-manager starts, so that its garbage collector knows their kinds at once.
   */
  readonly crds?: readonly string[];
  /** Milliseconds that each of the processes has to become ready. Default: 120,000. */
  readonly startTimeout?: number;
  /** Told what happens while missing binaries are downloaded or built. Default: lines on stderr. */
  readonly progress?: (line: string) => void;
  /** Gives up the start. */
  readonly signal?: AbortSignal;
}

/** A policy of `audit.k8s.io/v1`; `apiVersion` and `kind` are filled in. */
export interface AuditPolicy {
  readonly omitStages?: readonly AuditStage[];
  readonly rules: readonly Readonly<Record<string, unknown> & { level: AuditLevel }>[];
}

export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

/** An entry of the audit log. Source: apiserver `pkg/apis/audit/v1/types.go`; the fields that tests ask for. */
export interface AuditEvent {
  readonly auditID: string;
  readonly stage: AuditStage;
  readonly level: AuditLevel;
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string; readonly groups?: readonly string[] };
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly apiVersion?: string;
  };
  readonly responseStatus?: { readonly code?: number; readonly reason?: string; readonly message?: string };
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
  /** RFC 3339 with microseconds. */
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A kubeconfig, as a file (removed with the control plane) and as its text. */
export interface KubeconfigFile {
  readonly path: string;
  readonly text: string;
}

/** A running etcd and kube-apiserver (and kube-controller-manager, if asked for). */
export interface ControlPlane extends AsyncDisposable {
  /** What the API server says of itself, without the `v`: `1.36.3`. */
  readonly version: string;
  /** Such as `https://127.0.0.1:23456`. */
  readonly url: string;
  /** Path of a kubeconfig of the administrator (group `system:masters`); removed with the control plane. */
  readonly kubeconfig: string;
  /** The text of that file. */
  readonly kubeconfigText: string;
  /** PEM. */
  readonly caCertificate: string;
  /** The administrator's client certificate and key, both PEM. */
  readonly credentials: { readonly certificate: string; readonly key: string };
  /** The folder with all files of this control plane; removed with it. */
  readonly folder: string;
  /** The logs by component; kept while the control plane exists. */
  readonly logs: Readonly<Record<'etcd' | 'kube-apiserver' | 'kube-controller-manager', string>>;
  /** The audit log, one JSON document a line; undefined without the option `audit`. */
  readonly auditLog: string | undefined;
  /** Resolves with the reason when a part of the control plane ends without being asked to; else never. */
  readonly ended: Promise<string>;

  /**
   * A kubeconfig for a user who exists nowhere but in the certificate. Without RBAC of their own they may next to nothing.
   * @param groups Kubernetes groups, such as `system:masters`. Default: none (`system:authenticated` is implied)
   */
  userKubeconfig(name: string, groups?: readonly string[]): Promise<KubeconfigFile>;
  /**
   * A kubeconfig with a token for a ServiceAccount, which must exist; its namespace is that of the context.
   * @throws OpSdkError testenv/request-refused
   */
  serviceAccountKubeconfig(
    namespace: string,
    name: string,
    options?: { readonly expirationSeconds?: number },
  ): Promise<KubeconfigFile>;
  /**
   * Installs CRDs (see {@link ControlPlaneOptions.crds}) and waits until the API server serves them.
   * Those that are there already are replaced by the same field manager's apply.
   * @throws OpSdkError testenv/invalid-crd, testenv/crd-not-established
   */
  installCrds(paths: readonly string[]): Promise<void>;
  /** All audit events so far, oldest first. @throws OpSdkError testenv/audit-off */
  readAuditEvents(): Promise<readonly AuditEvent[]>;
  /**
   * Sends the API server a signal. After SIGKILL and SIGTERM (a drain, which waits for open requests) it resolves when the
   * process has ended, after SIGSTOP and SIGCONT at once.
   */
  killApiServer(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Starts the API server anew with the same port, certificates and data; kills it first if it still runs. Resolves when it is ready. */
  restartApiServer(): Promise<void>;
  /** Ends all processes and removes all files. Does nothing the second time. */
  stop(): Promise<void>;
}

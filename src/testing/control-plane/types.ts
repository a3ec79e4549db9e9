import type { DurationLike } from '../../sdk/runtime/index.ts';
import type { ControlPlaneWebhookOptions, ControlPlaneWebhooks } from '../webhooks/control-plane-webhooks.ts';

/** Options of `startControlPlane`. */
export interface ControlPlaneOptions {
  /** Kubernetes version, such as `1.36.3`. Default: {@link defaultVersion}, or whatever the folder of binaries holds. */
  readonly version?: string;
  /** A folder with the binaries. Default: KUBEBUILDER_ASSETS, else the cache, which is filled if need be. */
  readonly assets?: string;
  /**
   * Also run kube-controller-manager: garbage collection, namespaces that really go away, Deployments with ReplicaSets and
   * Pods (which stay Pending: there are no nodes). Every namespace has its `default` ServiceAccount also without it. Default: false.
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
  /**
   * Webhooks that the operator under test serves on this machine. The API server is given their URLs with an authority to trust, in place of the
   * Service that the manifests name; so are CRDs (of `crds` and `installCrds`) whose versions a webhook converts. A certificate is made for them:
   * give {@link ControlPlane.webhooks} to the manager. When the start resolves, the API server goes by the configurations: until the operator
   * serves, what it has to ask fails, if its failurePolicy is `Fail`. Default: CRDs and no webhooks; a CRD with a conversion by webhook is installed
   * as it is, and requests for versions that are not the stored one fail.
   */
  readonly webhooks?: ControlPlaneWebhookOptions;
  /** Time that each of the processes has to become ready, milliseconds or text such as `30s`. Default: 2m. */
  readonly startTimeout?: DurationLike;
  /** Called with a line for each step while missing binaries are downloaded or built. Default: lines on stderr. */
  readonly progress?: (line: string) => void;
  /** Cancels the start. Default: none. */
  readonly signal?: AbortSignal;
}

/** A policy of `audit.k8s.io/v1`; `apiVersion` and `kind` are filled in. */
export interface AuditPolicy {
  /** Stages that are not written. Default: none. */
  readonly omitStages?: readonly AuditStage[];
  /** The first rule that matches a request says how much is written; the fields of `audit.k8s.io/v1` `PolicyRule`. */
  readonly rules: readonly Readonly<Record<string, unknown> & { level: AuditLevel }>[];
}

/** The detail that is written about a request: nothing, who did what, also the body of the request, also that of the response. */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

/** When an audit event was written. */
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

/** An entry of the audit log. Source: apiserver `pkg/apis/audit/v1/types.go`; the fields that tests ask for. */
export interface AuditEvent {
  /** The same for all events of a request. */
  readonly auditID: string;
  /** The stage of the request at which the event was written. */
  readonly stage: AuditStage;
  /** Level at which the event was recorded. */
  readonly level: AuditLevel;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  readonly verb: string;
  /** Path and query. */
  readonly requestURI: string;
  /** The user who sent the request. */
  readonly user: { readonly username: string; readonly groups?: readonly string[] };
  /** The User-Agent header; operators send `<manager> opsdk`. */
  readonly userAgent?: string;
  /** The object or collection of the request; absent for paths that are not resources. */
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly apiVersion?: string;
  };
  /** The outcome; absent at `RequestReceived`. */
  readonly responseStatus?: { readonly code?: number; readonly reason?: string; readonly message?: string };
  /** The body of the request, from level `Request` on. */
  readonly requestObject?: unknown;
  /** The body of the response, at level `RequestResponse`. */
  readonly responseObject?: unknown;
  /** RFC 3339 with microseconds. */
  readonly requestReceivedTimestamp: string;
  /** RFC 3339 with microseconds. */
  readonly stageTimestamp: string;
  /** Decisions of authorization and admission, such as `authorization.k8s.io/decision`. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A kubeconfig, as a file (removed with the control plane) and as its text. */
export interface KubeconfigFile {
  /** Absolute. */
  readonly path: string;
  /** YAML. */
  readonly text: string;
}

/** A running etcd and kube-apiserver (and kube-controller-manager, if asked for). */
export interface ControlPlane extends AsyncDisposable {
  /** The version that the API server reports, without the `v`: `1.36.3`. */
  readonly version: string;
  /** Such as `https://127.0.0.1:23456`. */
  readonly url: string;
  /** Path of a kubeconfig of the administrator (group `system:masters`); removed with the control plane. */
  readonly kubeconfig: string;
  /** The text of that file. */
  readonly kubeconfigText: string;
  /**
   * Path of a kubeconfig for the operator under test: that of the administrator, but with the rights of the operator's own
   * ServiceAccount while `op-sdk rbac audit` runs the tests.
   */
  readonly operatorKubeconfig: string;
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
  /** Where the operator has to serve its webhooks, as `createManager({ webhooks })` takes it; undefined without the option `webhooks`. */
  readonly webhooks: ControlPlaneWebhooks | undefined;
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
  /** Starts the API server again with the same port, certificates and data; kills it first if it still runs. Resolves when it is ready. */
  restartApiServer(): Promise<void>;
  /** Ends all processes and removes all files. Does nothing the second time. */
  stop(): Promise<void>;
}

import type { DurationLike } from '../../sdk/runtime/index.ts';
import type { ControlPlaneWebhookOptions, ControlPlaneWebhooks } from '../webhooks/control-plane-webhooks.ts';

/** Options of `startControlPlane`. */
export interface ControlPlaneOptions {
  /** Kubernetes version, such as `1.36.3`. Default: {@link defaultVersion}, or whatever the folder of binaries holds. */
  readonly version?: string;
  /** A folder with the binaries. Default: KUBEBUILDER_ASSETS, else the cache, into which they are installed if necessary. */
  readonly assets?: string;
  /**
   * Also run kube-controller-manager: garbage collection, namespaces that really go away, Deployments with ReplicaSets and
   * Pods (which stay Pending: there are no nodes). Every namespace has its `default` ServiceAccount also without it. Default: false.
   */
  readonly controllerManager?: boolean;
  /** Write an audit log: `true` for the metadata of every request, or a policy. Default: false. */
  readonly audit?: boolean | AuditPolicy;
  /** Further flags for kube-apiserver, as `--flag=value`. Flags that the control plane itself sets are refused. */
  readonly apiServerFlags?: readonly string[];
  /** Feature gates of kube-apiserver and kube-controller-manager. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /**
   * CRDs to install: YAML or JSON files, or folders of files (not recursive), relative to the working directory. They are installed before
   * kube-controller-manager starts, so that its garbage collector knows their kinds immediately.
   */
  readonly crds?: readonly string[];
  /**
   * Webhooks that the operator under test serves on this machine. The API server gets their URLs and a trusted authority instead of the
   * Service that the manifests name; the same applies to CRDs (of `crds` and `installCrds`) whose versions a webhook converts. A
   * certificate is created for them: pass {@link ControlPlane.webhooks} to the manager. When the start resolves, the configurations are in
   * effect: until the operator serves, requests that need a webhook fail if its failurePolicy is `Fail`. Default: no webhooks; a CRD with
   * webhook conversion is installed unchanged, and requests for versions other than the stored one fail.
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
  /** The first matching rule determines the level of a request; the fields are those of `audit.k8s.io/v1` `PolicyRule`. */
  readonly rules: readonly Readonly<Record<string, unknown> & { level: AuditLevel }>[];
}

/** The logged detail of a request: nothing; user and action; also the request body; also the response body. */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

/** Stage of a request at which an audit event is written. */
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
  /** The result; absent at stage `RequestReceived`. */
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

/** A running etcd and kube-apiserver (and kube-controller-manager, if requested). */
export interface ControlPlane extends AsyncDisposable {
  /** The version that the API server reports, without the `v`: `1.36.3`. */
  readonly version: string;
  /** Address of the API server, such as `https://127.0.0.1:23456`. */
  readonly url: string;
  /** Path of a kubeconfig of the administrator (group `system:masters`); removed with the control plane. */
  readonly kubeconfig: string;
  /** The text of the administrator's kubeconfig. */
  readonly kubeconfigText: string;
  /**
   * Path of a kubeconfig for the operator under test: normally the administrator's, but under `op-sdk rbac audit` one with the permissions
   * of the operator's own ServiceAccount.
   */
  readonly operatorKubeconfig: string;
  /** PEM. */
  readonly caCertificate: string;
  /** The administrator's client certificate and key, both PEM. */
  readonly credentials: { readonly certificate: string; readonly key: string };
  /** The folder with all files of this control plane; removed with it. */
  readonly folder: string;
  /** Paths of the logs by component; kept while the control plane exists. */
  readonly logs: Readonly<Record<'etcd' | 'kube-apiserver' | 'kube-controller-manager', string>>;
  /** Path of the audit log, one JSON document per line; undefined without the option `audit`. */
  readonly auditLog: string | undefined;
  /**
   * Address and certificate with which the operator must serve its webhooks, for `createManager({ webhooks })`; undefined without the
   * option `webhooks`.
   */
  readonly webhooks: ControlPlaneWebhooks | undefined;
  /** Resolves with the reason when a part of the control plane ends unexpectedly; otherwise never. */
  readonly ended: Promise<string>;

  /**
   * Creates a kubeconfig for a user that exists only in the certificate. Without RBAC rules the user has almost no permissions.
   * @param groups Kubernetes groups, such as `system:masters`. Default: none (`system:authenticated` is implied)
   */
  userKubeconfig(name: string, groups?: readonly string[]): Promise<KubeconfigFile>;
  /**
   * Creates a kubeconfig with a token for an existing ServiceAccount; its namespace becomes the namespace of the context.
   * @throws OpSdkError testenv/request-refused
   */
  serviceAccountKubeconfig(
    namespace: string,
    name: string,
    options?: { readonly expirationSeconds?: number },
  ): Promise<KubeconfigFile>;
  /**
   * Installs CRDs (see {@link ControlPlaneOptions.crds}) and waits until the API server serves them. Existing CRDs are updated by an apply
   * of the same field manager.
   * @throws OpSdkError testenv/invalid-crd, testenv/crd-not-established
   */
  installCrds(paths: readonly string[]): Promise<void>;
  /** All audit events so far, oldest first. @throws OpSdkError testenv/audit-off */
  readAuditEvents(): Promise<readonly AuditEvent[]>;
  /**
   * Sends a signal to the API server. Resolves when the process has ended after SIGKILL and SIGTERM (which drains open requests), and
   * immediately after SIGSTOP and SIGCONT.
   */
  killApiServer(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Restarts the API server with the same port, certificates and data, killing it first if it still runs. Resolves when it is ready. */
  restartApiServer(): Promise<void>;
  /** Ends all processes and removes all files. Further calls do nothing. */
  stop(): Promise<void>;
}

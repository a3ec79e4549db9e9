import type { HeaderValues, TlsMaterial } from '../transport/transport.ts';

/** Identity of the client, apart from a TLS client certificate. */
export interface Credentials {
  /**
   * Returns the headers that identify the client: Authorization, Impersonate-*. Called for each request. Returns the same object until the
   * headers change. If the headers are already known, returns them synchronously.
   *
   * @param signal aborts waiting for the headers
   * @throws OpSdkError `kube/credentials-failed`; the signal's reason
   */
  headers(signal?: AbortSignal): HeaderValues | Promise<HeaderValues>;
  /** Drops cached credentials; called after a 401. Returns false if the credentials cannot have changed, so that a retry is pointless. */
  refresh(): boolean;
}

/** One API server and the data required to connect to it. Created by `loadCluster`, or by hand in tests. */
export interface Cluster {
  /** URL of the API server: `https://host:port`, optionally with a path. */
  readonly server: URL;
  /** The namespace of the kubeconfig context or of the pod; `default` if neither specifies a namespace. */
  readonly namespace: string;
  /** Identity of the client. */
  readonly credentials: Credentials;
  /**
   * Returns the TLS material. Called before each new connection, so that renewed certificate files are used.
   *
   * @param signal aborts waiting for the material
   */
  tls(signal?: AbortSignal): Promise<TlsMaterial>;
  /** An `http:` proxy that supports CONNECT. Default: none. */
  readonly proxy?: URL | undefined;
  /** Origin of the configuration, for messages, such as `kubeconfig ~/.kube/config, context kind-kind`. */
  readonly source: string;
}

const noHeaders: HeaderValues = {};

/** Credentials without headers: the TLS certificate identifies the client, or the server requires no authentication. */
export const noCredentials: Credentials = {
  headers: () => noHeaders,
  refresh: () => false,
};

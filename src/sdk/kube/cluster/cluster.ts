import type { HeaderValues, TlsMaterial } from '../transport/transport.ts';

/** Identity of the client, beyond its TLS certificate. */
export interface Credentials {
  /**
   * Returns the headers that identify the client: Authorization, Impersonate-*. Called for each request. Returns the same object until the
   * headers change; synchronously if they are already known.
   *
   * @param signal aborts waiting for the headers
   * @throws OpSdkError `kube/credentials-failed`; the signal's reason
   */
  headers(signal?: AbortSignal): HeaderValues | Promise<HeaderValues>;
  /** Called after a 401: drops cached credentials. Returns false if the credentials cannot have changed, so that a retry is pointless. */
  refresh(): boolean;
}

/** One API server and the data required to connect to it. Created by `loadCluster`, or by hand in tests. */
export interface Cluster {
  /** `https://host:port`, optionally with a path. */
  readonly server: URL;
  /** The namespace of the context, or of the pod; `default` if neither is given. */
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
  /** Origin of the configuration, for messages: `kubeconfig ~/.kube/config, context kind-kind`. */
  readonly source: string;
}

const noHeaders: HeaderValues = {};

/** Credentials without headers: the TLS certificate identifies the client, or the server requires no authentication. */
export const noCredentials: Credentials = {
  headers: () => noHeaders,
  refresh: () => false,
};

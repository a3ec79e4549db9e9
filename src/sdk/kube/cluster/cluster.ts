import type { HeaderValues, TlsMaterial } from '../transport/transport.ts';

/** Identity of the client, beyond its TLS certificate. */
export interface Credentials {
  /**
   * The headers that identify the client: Authorization, Impersonate-*. Asked for each request; a new object when they have
   * changed, the same one until then. At once if they are known.
   *
   * @param signal ends the wait for them
   * @throws OpSdkError `kube/credentials-failed`; the signal's reason
   */
  headers(signal?: AbortSignal): HeaderValues | Promise<HeaderValues>;
  /** Called after a 401: forgets what is cached. False if there is nothing that could have changed, so that a repetition is pointless. */
  refresh(): boolean;
}

/** One API server and the means to talk to it. Made by `loadCluster`, or by hand in tests. */
export interface Cluster {
  /** `https://host:port`, perhaps with a path. */
  readonly server: URL;
  /** The namespace of the context, or of the pod; `default` if none is given. */
  readonly namespace: string;
  /** Identity of the client. */
  readonly credentials: Credentials;
  /**
   * Asked before each new connection, so that renewed certificate files are used.
   *
   * @param signal ends the wait for it
   */
  tls(signal?: AbortSignal): Promise<TlsMaterial>;
  /** An `http:` proxy that is asked to CONNECT. Default: none. */
  readonly proxy?: URL | undefined;
  /** Where this came from, for messages: `kubeconfig ~/.kube/config, context kind-kind`. */
  readonly source: string;
}

const noHeaders: HeaderValues = {};

/** Credentials without headers: the TLS certificate says it all, or the server asks for nothing. */
export const noCredentials: Credentials = {
  headers: () => noHeaders,
  refresh: () => false,
};

/** Names of what OLM v0 is expected to install. */
export interface ExpectedV0 {
  /** Namespace of the Subscription and the operator. */
  readonly namespace: string;
  /** Bundles are unpacked in its namespace. */
  readonly catalogSource: { readonly name: string; readonly namespace: string };
  readonly subscription: string;
  /** The ClusterServiceVersion, such as `web-operator.v0.0.1`. */
  readonly csv: string;
  readonly package: string;
  readonly channel: string;
  /** Tells the Job that unpacks the bundle from those of others; without it, the newest Job counts. */
  readonly bundleImage?: string | undefined;
}

/** Names of what OLM v1 is expected to install. */
export interface ExpectedV1 {
  /** The ClusterCatalog. */
  readonly catalog: string;
  /** The ClusterExtension. */
  readonly extension: string;
  readonly package: string;
  /** Version of the bundle, such as `0.0.1`. */
  readonly version: string;
  /** Namespace of the operator. */
  readonly namespace: string;
  /** Names of the Deployments of the bundle: OLM v1 does not wait for them. */
  readonly deployments: readonly string[];
}

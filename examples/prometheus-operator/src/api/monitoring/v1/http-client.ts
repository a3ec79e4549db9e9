import type { ConfigMapKeySelector, SecretKeySelector } from 'opsdk/k8s/core/v1';

/** SecretOrConfigMap is a key of a Secret or of a ConfigMap, in the namespace of the object. */
export interface SecretOrConfigMap {
  /** Secret has the key with the data. */
  secret?: SecretKeySelector;
  /** ConfigMap has the key with the data. */
  configMap?: ConfigMapKeySelector;
}

/** BasicAuth is a user name and a password, each in a key of a Secret. */
export interface BasicAuth {
  /** Username is the key of a Secret with the user name. */
  username?: SecretKeySelector;
  /** Password is the key of a Secret with the password. */
  password?: SecretKeySelector;
}

/** SafeAuthorization is what the `Authorization` header says. */
export interface SafeAuthorization {
  /** Type of the authentication, without regard to case. `Basic` is not allowed: use basicAuth. Default: `Bearer`. */
  type?: string;
  /** Credentials is the key of a Secret with the credentials. */
  credentials?: SecretKeySelector;
}

/** SafeTLSConfig is how to connect by TLS, without files of the container. */
export interface SafeTLSConfig {
  /** CA is the certificate of the authority that signs certificates of servers. */
  ca?: SecretOrConfigMap;
  /** Cert is the certificate of the client. */
  cert?: SecretOrConfigMap;
  /** KeySecret is the key of a Secret with the private key of the client. */
  keySecret?: SecretKeySelector;
  /** ServerName verifies the name of the server. */
  serverName?: string;
  /** InsecureSkipVerify disables the verification of the server's certificate. */
  insecureSkipVerify?: boolean;
  /** MinVersion is the lowest version of TLS that is accepted. */
  minVersion?: 'TLS10' | 'TLS11' | 'TLS12' | 'TLS13';
  /** MaxVersion is the highest version of TLS that is accepted. It needs Prometheus 2.41. */
  maxVersion?: 'TLS10' | 'TLS11' | 'TLS12' | 'TLS13';
}

/** TLSConfig is how to connect by TLS, also with files of the container of Prometheus. */
export interface TLSConfig extends SafeTLSConfig {
  /** CAFile is a path in the container of Prometheus. */
  caFile?: string;
  /** CertFile is a path in the container of Prometheus. */
  certFile?: string;
  /** KeyFile is a path in the container of Prometheus. */
  keyFile?: string;
}

/** OAuth2 gets a token from an authorization server by client credentials. */
export interface OAuth2 {
  /** ClientId is the key of a Secret or ConfigMap with the ID of the client. */
  clientId: SecretOrConfigMap;
  /** ClientSecret is the key of a Secret with the secret of the client. */
  clientSecret: SecretKeySelector;
  /**
   * TokenUrl is the address at which a token is fetched.
   *
   * @pattern ^(http|https)://.+$
   */
  tokenUrl: string;
  /** Scopes of the token. */
  scopes?: string[];
  /** EndpointParams are appended to the address of the token. */
  endpointParams?: Record<string, string>;
  /** TlsConfig is how to connect to the authorization server. */
  tlsConfig?: SafeTLSConfig;
}

/** ProxyConfig is the proxy that requests are sent through. */
export interface ProxyConfig {
  /**
   * ProxyUrl is the address of the proxy.
   *
   * @pattern ^(http|https|socks5)://.+$
   */
  proxyUrl?: string;
  /** NoProxy has names, addresses and networks, separated by commas, that are asked without the proxy. It needs Prometheus 2.43. */
  noProxy?: string;
  /** ProxyFromEnvironment takes the proxy from the environment of Prometheus. It needs Prometheus 2.43. */
  proxyFromEnvironment?: boolean;
}

/** HTTPConfig is how requests for metrics are sent. */
export interface HTTPConfig {
  /** BasicAuth authenticates by user name and password. At most one of basicAuth, authorization and oauth2 is allowed. */
  basicAuth?: BasicAuth;
  /** Authorization is the header that authenticates. */
  authorization?: SafeAuthorization;
  /** OAuth2 authenticates by a token of an authorization server. */
  oauth2?: OAuth2;
  /** BearerTokenSecret is the key of a Secret with a bearer token. Deprecated: use authorization. */
  bearerTokenSecret?: SecretKeySelector;
  /** FollowRedirects is false to treat redirects as failures. Default: true. */
  followRedirects?: boolean;
  /** EnableHttp2 is false to use HTTP/1.1 only. Default: true. */
  enableHttp2?: boolean;
}

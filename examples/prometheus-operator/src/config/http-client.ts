import type {
  BasicAuth,
  HTTPConfig,
  ProxyConfig,
  SafeAuthorization,
  TLSConfig,
} from '../api/monitoring/v1/http-client.ts';
import type { NamespacedAssets } from './assets.ts';
import type { Problems } from './problems.ts';
import type { ConfigObject } from './render.ts';
import type { ProgramVersion } from './version.ts';

/** What a client of HTTP is configured for. */
export interface ClientContext {
  readonly assets: NamespacedAssets;
  readonly problems: Problems;
  readonly version: ProgramVersion;
  /** Allows files of the container. */
  readonly allowFiles: boolean;
}

/** Versions that know noProxy and proxyFromEnvironment, and the highest version of TLS. */
const proxySettings = { Prometheus: '2.43.0', Alertmanager: '0.26.0' };
const maxTlsVersion = { Prometheus: '2.41.0', Alertmanager: '0.25.0' };

/** Fields of a client; those of ServiceMonitors have files of the container, too. */
export type ClientConfig = HTTPConfig &
  ProxyConfig & {
    readonly tlsConfig?: TLSConfig | undefined;
    readonly bearerTokenFile?: string | undefined;
  };

/** Returns how Prometheus connects and authenticates. */
export function clientConfig(config: ClientConfig, path: string, context: ClientContext): ConfigObject {
  const { assets, problems, version } = context;
  const ways = (
    ['basicAuth', 'authorization', 'oauth2', 'bearerTokenSecret', 'bearerTokenFile'] as const
  ).filter((way) => config[way] !== undefined && config[way] !== '');
  if (ways.length > 1) problems.add(path, `at most one of ${ways.join(' and ')} is allowed`);
  if (config.bearerTokenFile) checkFile(`${path}.bearerTokenFile`, context);
  if (config.noProxy !== undefined) version.require(proxySettings, `${path}.noProxy`, problems);
  if (config.proxyFromEnvironment !== undefined)
    version.require(proxySettings, `${path}.proxyFromEnvironment`, problems);
  if (config.proxyFromEnvironment === true && (config.proxyUrl || config.noProxy))
    problems.add(`${path}.proxyFromEnvironment`, 'is not allowed beside proxyUrl and noProxy');
  if (config.noProxy && !config.proxyUrl) problems.add(`${path}.noProxy`, 'needs proxyUrl');
  if (config.proxyUrl !== undefined) checkUrl(config.proxyUrl, `${path}.proxyUrl`, problems);
  const bearer = assets.secret(config.bearerTokenSecret, `${path}.bearerTokenSecret`);
  return {
    proxy_url: config.proxyUrl,
    no_proxy: config.noProxy,
    proxy_from_environment: config.proxyFromEnvironment,
    follow_redirects: config.followRedirects,
    enable_http2: config.enableHttp2,
    basic_auth: basicAuthConfig(config.basicAuth, `${path}.basicAuth`, context),
    authorization:
      bearer === undefined
        ? config.bearerTokenFile
          ? { type: 'Bearer', credentials_file: config.bearerTokenFile }
          : authorizationConfig(config.authorization, `${path}.authorization`, context)
        : { type: 'Bearer', credentials: bearer },
    oauth2: oauth2Config(config, `${path}.oauth2`, context),
    tls_config: tlsConfig(config.tlsConfig, `${path}.tlsConfig`, context),
  };
}

export function basicAuthConfig(
  basicAuth: BasicAuth | undefined,
  path: string,
  { assets }: Pick<ClientContext, 'assets'>,
): ConfigObject | undefined {
  return (
    basicAuth && {
      username: assets.secret(basicAuth.username, `${path}.username`),
      password: assets.secret(basicAuth.password, `${path}.password`),
    }
  );
}

export function authorizationConfig(
  authorization: SafeAuthorization | undefined,
  path: string,
  { assets, problems }: Pick<ClientContext, 'assets' | 'problems'>,
): ConfigObject | undefined {
  if (authorization === undefined) return undefined;
  const type = authorization.type?.trim() || 'Bearer';
  if (type.toLowerCase() === 'basic')
    problems.add(`${path}.type`, 'expected a type other than Basic: use basicAuth');
  return { type, credentials: assets.secret(authorization.credentials, `${path}.credentials`) };
}

function oauth2Config(
  { oauth2 }: ClientConfig,
  path: string,
  context: ClientContext,
): ConfigObject | undefined {
  if (oauth2 === undefined) return undefined;
  const { assets, problems } = context;
  checkUrl(oauth2.tokenUrl, `${path}.tokenUrl`, problems);
  return {
    client_id: assets.either(oauth2.clientId, `${path}.clientId`),
    client_secret: assets.secret(oauth2.clientSecret, `${path}.clientSecret`),
    token_url: oauth2.tokenUrl,
    scopes: oauth2.scopes,
    endpoint_params: oauth2.endpointParams,
    tls_config: tlsConfig(oauth2.tlsConfig, `${path}.tlsConfig`, context),
  };
}

export function tlsConfig(
  tls: TLSConfig | undefined,
  path: string,
  context: ClientContext,
): ConfigObject | undefined {
  if (tls === undefined) return undefined;
  const { assets, problems, version } = context;
  for (const [file, other] of [
    ['caFile', 'ca'],
    ['certFile', 'cert'],
    ['keyFile', 'keySecret'],
  ] as const) {
    if (!tls[file]) continue;
    checkFile(`${path}.${file}`, context);
    if (tls[other] !== undefined) problems.add(path, `at most one of ${file} and ${other} is allowed`);
  }
  const hasCertificate = Boolean(tls.certFile) || tls.cert !== undefined;
  const hasKey = Boolean(tls.keyFile) || tls.keySecret !== undefined;
  if (hasCertificate !== hasKey) problems.add(path, 'a certificate needs its key, and a key its certificate');
  if (tls.maxVersion !== undefined) version.require(maxTlsVersion, `${path}.maxVersion`, problems);
  if (tls.minVersion !== undefined && tls.maxVersion !== undefined && tls.minVersion > tls.maxVersion)
    problems.add(`${path}.maxVersion`, `expected at least ${tls.minVersion}, got ${tls.maxVersion}`);
  return {
    ca_file: tls.caFile || assets.certificateFile(tls.ca, `${path}.ca`),
    cert_file: tls.certFile || assets.certificateFile(tls.cert, `${path}.cert`),
    key_file: tls.keyFile || assets.keyFile(tls.keySecret, `${path}.keySecret`),
    server_name: tls.serverName,
    insecure_skip_verify: tls.insecureSkipVerify,
    min_version: tls.minVersion,
    max_version: tls.maxVersion,
  };
}

function checkFile(path: string, { allowFiles, problems }: ClientContext): void {
  if (!allowFiles)
    problems.add(
      path,
      'reads a file of Prometheus, which spec.arbitraryFSAccessThroughSMs.deny of the Prometheus forbids',
    );
}

/** Reports an address that is not a URL. */
export function checkUrl(url: string, path: string, problems: Problems): void {
  if (!URL.canParse(url)) problems.add(path, `expected a URL, got "${url}"`);
}

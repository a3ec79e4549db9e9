import { jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../base/util/json-map.ts';
import { parseKubernetesYaml, type ManifestObject } from '../../kubernetes/yaml/index.ts';
import { caRule, type CertProvider, type RenderedFile } from '../scaffold/index.ts';

/** Names of a provider's objects as `create webhook` scaffolds them, without the prefix of config/default. */
export const providerNames: Readonly<Record<CertProvider, readonly string[]>> = {
  'cert-manager': ['serving-cert', 'selfsigned-issuer'],
  'self-signed': [
    'webhook-ca-role',
    'webhook-ca-rolebinding',
    'webhook-certificate-role',
    'webhook-certificate-rolebinding',
  ],
};

/** Flag with the folder of the operator's certificate, including the equals sign. */
export const certPathFlag = '--webhook-cert-path=';

/** Resources of the kinds that have a `caBundle`, and the variables by which the operator gets the names of its configurations. */
const trusting: Readonly<
  Record<string, { readonly resource: string; readonly variable: string | undefined }>
> = {
  MutatingWebhookConfiguration: {
    resource: 'mutatingwebhookconfigurations',
    variable: 'WEBHOOK_MUTATING_CONFIGURATION',
  },
  ValidatingWebhookConfiguration: {
    resource: 'validatingwebhookconfigurations',
    variable: 'WEBHOOK_VALIDATING_CONFIGURATION',
  },
  CustomResourceDefinition: { resource: 'customresourcedefinitions', variable: undefined },
};

/** Names that occur in the objects of a provider. */
export interface CertificateNames {
  /** Prefix of the names in config/default. */
  readonly operator: string;
  readonly namespace: string;
  /** The operator's ServiceAccount. */
  readonly account: string;
  /** Service that the API server calls. */
  readonly service: string;
  /** Secret with the certificate. */
  readonly secret: string;
  /** Objects that make the API server call the Service. */
  readonly calling: readonly ManifestObject[];
}

/** Parts of the operator's Pod that give it its certificate. */
export interface PodParts {
  readonly args: readonly string[];
  readonly env: readonly JsonMap[];
  readonly volumeMounts: readonly JsonMap[];
  readonly volumes: readonly JsonMap[];
}

/** Objects and parts of the Pod that a provider of certificates needs, as config/default would have them. */
export interface ProviderParts {
  readonly objects: readonly ManifestObject[];
  readonly pod: PodParts;
}

/**
 * Returns the objects and parts of the Pod that a provider needs, read from the files that `create webhook` writes for it.
 *
 * @throws OpSdkError for files that are not Kubernetes YAML, which templates of the project may produce
 */
export function providerParts(
  provider: CertProvider,
  files: readonly RenderedFile[],
  names: CertificateNames,
): ProviderParts {
  const patches = documentsOf(files, (path) => path.endsWith('_patch.yaml'));
  const objects = documentsOf(files, (path) => !path.endsWith('_patch.yaml')).filter((document) =>
    providerNames[provider].includes(jsonTextOf(jsonMapOf(jsonMapOf(document)['metadata'])['name'])),
  ) as readonly ManifestObject[];
  return { objects: objects.map((object) => namedObject(object, names)), pod: podParts(patches, names) };
}

function documentsOf(files: readonly RenderedFile[], match: (path: string) => boolean): readonly unknown[] {
  return files
    .filter(({ path }) => path.endsWith('.yaml') && match(path))
    .flatMap(({ path, content }) => parseKubernetesYaml(content, path).map(({ value }) => value));
}

/** Returns the Pod template of a Deployment, or of a patch for a Deployment. */
export function podOf(deployment: JsonMap): JsonMap {
  return jsonMapOf(jsonMapOf(jsonMapOf(deployment['spec'])['template'])['spec']);
}

function podParts(patches: readonly unknown[], { service, secret, calling }: CertificateNames): PodParts {
  const merged = jsonMapOf(patches.find((patch) => !Array.isArray(patch)));
  const operations = patches.flatMap((patch) => mapsOf(patch));
  const pod = podOf(merged);
  const [container = {}] = mapsOf(pod['containers']);
  const values: Readonly<Record<string, string>> = {
    WEBHOOK_SECRET_NAME: secret,
    WEBHOOK_SERVICE_NAME: service,
  };
  const env = mapsOf(container['env']).map((entry) => {
    const value = values[jsonTextOf(entry['name'])];
    return value === undefined ? entry : { ...entry, value };
  });
  const configurations = calling.flatMap(({ kind, metadata }) => {
    const variable = trusting[kind]?.variable;
    return variable === undefined ? [] : [{ name: variable, value: metadata.name }];
  });
  return {
    args: operations.map(({ value }) => jsonTextOf(value)).filter((value) => value.startsWith(certPathFlag)),
    env: env.length === 0 ? [] : [...env, ...configurations],
    volumeMounts: mapsOf(container['volumeMounts']),
    volumes: mapsOf(pod['volumes']).map((volume) =>
      volume['secret'] === undefined
        ? volume
        : { ...volume, secret: { ...jsonMapOf(volume['secret']), secretName: secret } },
    ),
  };
}

function mapsOf(list: unknown): readonly JsonMap[] {
  return jsonListOf(list).map((each) => jsonMapOf(each));
}

/** Returns an object of a provider with the names that kustomize would put into it. */
function namedObject(object: ManifestObject, names: CertificateNames): ManifestObject {
  const { operator, namespace, account, service, secret, calling } = names;
  const { kind, metadata, roleRef, rules, spec } = object;
  const named: ManifestObject = {
    ...object,
    metadata: {
      ...metadata,
      name: `${operator}-${metadata.name}`,
      ...(metadata.namespace === undefined ? {} : { namespace }),
    },
  };
  if (kind === 'Certificate') {
    const { issuerRef, ...rest } = jsonMapOf(spec);
    const issuer = { ...jsonMapOf(issuerRef), name: `${operator}-selfsigned-issuer` };
    const host = `${service}.${namespace}.svc`;
    const dnsNames = [host, `${host}.cluster.local`];
    return { ...named, spec: { ...rest, dnsNames, issuerRef: issuer, secretName: secret } };
  }
  if (roleRef !== undefined) {
    const role = jsonMapOf(roleRef);
    return {
      ...named,
      roleRef: { ...role, name: `${operator}-${jsonTextOf(role['name'])}` },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
    };
  }
  if (kind === 'ClusterRole') return { ...named, rules: calling.map((each) => rightToTrust(each)) };
  if (kind === 'Role')
    return {
      ...named,
      rules: mapsOf(rules).map((rule) =>
        rule['resourceNames'] === undefined ? rule : { ...rule, resourceNames: [secret] },
      ),
    };
  return named;
}

/** Returns the RBAC rule that permits writing the `caBundle` of an object. */
function rightToTrust({ apiVersion, kind, metadata }: ManifestObject): unknown {
  const [group = ''] = apiVersion.split('/', 1);
  return caRule(group, trusting[kind]?.resource ?? '', metadata.name);
}

/** Returns true if an object makes the API server call a Service of this name. */
export function callsService(object: ManifestObject, service: string): boolean {
  const conversion = jsonMapOf(jsonMapOf(object['spec'])['conversion']);
  const clients = [...mapsOf(object['webhooks']), jsonMapOf(conversion['webhook'])];
  return clients.some(
    ({ clientConfig }) => jsonMapOf(jsonMapOf(clientConfig)['service'])['name'] === service,
  );
}

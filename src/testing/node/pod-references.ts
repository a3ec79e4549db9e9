import type {
  ConfigMap,
  ConfigMapKeySelector,
  ConfigMapProjection,
  Container,
  EnvVar,
  Pod,
  Secret,
  SecretKeySelector,
  SecretProjection,
  Volume,
  VolumeProjection,
} from '../../sdk/k8s/generated/core/v1.ts';

/** ConfigMaps and Secrets by namespace and name. */
export interface ConfigSources {
  readonly configMap: (namespace: string | undefined, name: string) => ConfigMap | undefined;
  readonly secret: (namespace: string | undefined, name: string) => Secret | undefined;
}

/** ConfigMap with the certificate of the API server, which the controller manager adds to each namespace within moments. */
const rootCertificate = 'kube-root-ca.crt';

interface Reference {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  /** Keys that have to be there. */
  readonly keys: readonly string[];
}

/**
 * Returns the message with which a kubelet says that a volume of a Pod cannot be mounted, because its ConfigMap or Secret is missing;
 * undefined if nothing is missing.
 */
export function volumeProblem({ metadata, spec }: Pod, sources: ConfigSources): string | undefined {
  for (const volume of spec?.volumes ?? []) {
    for (const reference of volumeReferences(volume)) {
      const failed = `MountVolume.SetUp failed for volume "${volume.name}" : `;
      const data = dataOf(metadata.namespace, reference, sources);
      if (data === undefined) return `${failed}${reference.kind.toLowerCase()} "${reference.name}" not found`;
      const missing = reference.keys.find((key) => data[key] === undefined);
      if (missing !== undefined)
        return `${failed}references non-existent ${wordOf(reference)} key: ${missing}`;
    }
  }
  return undefined;
}

/**
 * Returns the message of CreateContainerConfigError for a container whose environment refers to a missing ConfigMap, Secret or key;
 * undefined if none is missing.
 */
export function environmentProblem(
  { metadata: { namespace } }: Pod,
  { env = [], envFrom = [] }: Container,
  sources: ConfigSources,
): string | undefined {
  const references = [
    ...envFrom.flatMap(({ configMapRef, secretRef }) => [
      ...(configMapRef === undefined ? [] : [{ kind: 'ConfigMap' as const, keys: [], ...configMapRef }]),
      ...(secretRef === undefined ? [] : [{ kind: 'Secret' as const, keys: [], ...secretRef }]),
    ]),
    ...env.flatMap(({ valueFrom }: EnvVar) => [
      ...keyReference('ConfigMap', valueFrom?.configMapKeyRef),
      ...keyReference('Secret', valueFrom?.secretKeyRef),
    ]),
  ];
  for (const { name = '', optional, kind, keys } of references) {
    if (optional === true) continue;
    const data = dataOf(namespace, { kind, name, keys }, sources);
    if (data === undefined) return `${kind.toLowerCase()} "${name}" not found`;
    const missing = keys.find((key) => data[key] === undefined);
    if (missing !== undefined) return `couldn't find key ${missing} in ${kind} ${namespace}/${name}`;
  }
  return undefined;
}

function keyReference(
  kind: Reference['kind'],
  selector: ConfigMapKeySelector | SecretKeySelector | undefined,
) {
  return selector === undefined ? [] : [{ kind, keys: [selector.key], ...selector }];
}

function volumeReferences({ configMap, secret, projected }: Volume): readonly Reference[] {
  const sources: readonly VolumeProjection[] = [
    ...(projected?.sources ?? []),
    ...(configMap === undefined ? [] : [{ configMap }]),
    ...(secret === undefined ? [] : [{ secret: { ...secret, name: secret.secretName } }]),
  ];
  return sources.flatMap((source) => [
    ...reference('ConfigMap', source.configMap),
    ...reference('Secret', source.secret),
  ]);
}

function reference(
  kind: Reference['kind'],
  source: ConfigMapProjection | SecretProjection | undefined,
): readonly Reference[] {
  if (source === undefined || source.optional === true || source.name === rootCertificate) return [];
  return [{ kind, name: source.name ?? '', keys: (source.items ?? []).map(({ key }) => key) }];
}

function dataOf(
  namespace: string | undefined,
  { kind, name }: Reference,
  { configMap, secret }: ConfigSources,
): Readonly<Record<string, unknown>> | undefined {
  if (kind === 'Secret') {
    const found = secret(namespace, name);
    return found && { ...found.data };
  }
  const found = configMap(namespace, name);
  return found && { ...found.binaryData, ...found.data };
}

function wordOf({ kind }: Reference): string {
  return kind === 'Secret' ? 'secret' : 'config';
}

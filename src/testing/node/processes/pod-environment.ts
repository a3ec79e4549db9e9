import { milliValue } from '../../../base/util/quantity.ts';
import type {
  Container,
  ObjectFieldSelector,
  ResourceFieldSelector,
} from '../../../sdk/k8s/generated/core/v1.ts';
import type { PodOnNode } from '../container-runtime.ts';
import type { ConfigSources } from '../pod-references.ts';

/** Resources of a node, which a container without a limit may use. */
const unlimited: Readonly<Record<string, string>> = {
  cpu: '8',
  memory: '32Gi',
  'ephemeral-storage': '100Gi',
};

/**
 * Returns the environment of a container, as a kubelet sets it. Missing objects have been refused before.
 * @see https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/kubelet_pods.go, `makeEnvironmentVariables`
 */
export function environmentOf(
  place: PodOnNode,
  container: Container,
  sources: ConfigSources,
): Readonly<Record<string, string>> {
  const { namespace } = place.pod.metadata;
  const texts: Record<string, string> = {};
  const secretData = (name: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(sources.secret(namespace, name)?.data ?? {}).map(([key, value]) => [
        key,
        decoded(value),
      ]),
    );
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    const data =
      configMapRef === undefined
        ? secretData(secretRef?.name ?? '')
        : (sources.configMap(namespace, configMapRef.name ?? '')?.data ?? {});
    for (const [key, value] of Object.entries(data)) texts[`${prefix}${key}`] = value;
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom ?? {};
    const text =
      fieldRef !== undefined
        ? fieldValue(place, fieldRef)
        : resourceFieldRef !== undefined
          ? resourceValue(place, container, resourceFieldRef)
          : configMapKeyRef !== undefined
            ? sources.configMap(namespace, configMapKeyRef.name ?? '')?.data?.[configMapKeyRef.key]
            : secretKeyRef !== undefined
              ? secretData(secretKeyRef.name ?? '')[secretKeyRef.key]
              : expandVariables(value ?? '', texts);
    if (text !== undefined) texts[name] = text;
  }
  return texts;
}

/**
 * Replaces `$(NAME)` by the value of a variable. `$$` stands for `$`, and unknown names are left as they are.
 * @see https://github.com/kubernetes/kubernetes/blob/master/third_party/forked/golang/expansion/expand.go
 */
export function expandVariables(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$(?:\$|\(([^)]*)\))/g, (whole, name: string | undefined) =>
    name === undefined ? '$' : Object.hasOwn(variables, name) ? (variables[name] ?? '') : whole,
  );
}

/** Returns the value of a field of a Pod for the downward API. Source: kubelet, `podFieldSelectorRuntimeValue`. */
export function fieldValue({ pod, podIP, hostIP }: PodOnNode, { fieldPath }: ObjectFieldSelector): string {
  const { metadata, spec } = pod;
  const subscript = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(fieldPath);
  if (subscript !== null) {
    const [, map, key = ''] = subscript;
    return (map === 'labels' ? metadata.labels : metadata.annotations)?.[key] ?? '';
  }
  const values: Readonly<Record<string, string | undefined>> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace,
    'metadata.uid': metadata.uid,
    'metadata.labels': lines(metadata.labels),
    'metadata.annotations': lines(metadata.annotations),
    'spec.nodeName': spec?.nodeName,
    'spec.serviceAccountName': spec?.serviceAccountName,
    'status.hostIP': hostIP,
    'status.hostIPs': hostIP,
    'status.podIP': podIP,
    'status.podIPs': podIP,
  };
  return values[fieldPath] ?? '';
}

/** Returns a limit or request of a container for the downward API, rounded up to a whole number of its divisor. */
export function resourceValue(
  { pod }: Pick<PodOnNode, 'pod'>,
  own: Container | undefined,
  { containerName, resource, divisor = '1' }: ResourceFieldSelector,
): string {
  const all = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])];
  const container = containerName === undefined ? own : all.find(({ name }) => name === containerName);
  const [kind, name = ''] = resource.split('.');
  const { limits, requests } = container?.resources ?? {};
  const quantity = kind === 'limits' ? (limits?.[name] ?? unlimited[name]) : requests?.[name];
  const unit = milliValue(divisor === '0' ? '1' : divisor);
  return String((milliValue(quantity ?? '0') + unit - 1n) / unit);
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}

/** Writes labels or annotations as the downward API does. */
function lines(map: Readonly<Record<string, string>> | undefined): string {
  return Object.entries(map ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');
}

import type { FindingList } from '../../base/errors/index.ts';
import { describeObject, type PlacedObject } from '../../kubernetes/yaml/index.ts';
import { type JsonMap, isJsonMap } from '../../base/util/json-map.ts';
import { pathText } from '../../base/util/read-json.ts';
import type { ObjectReader } from './object-reader.ts';
import { containersOf, environment } from './pin-images.ts';

/** Placeholder that scaffolded projects use as the operator's image. */
export const DEFAULT_IMAGE = 'controller:latest';

/** Returns an entry of `spec.install.spec.deployments` for a Deployment. */
export function csvDeployment({ object }: PlacedObject): JsonMap {
  const { labels } = object.metadata;
  return {
    name: object.metadata.name,
    ...(labels === undefined ? {} : { label: labels }),
    spec: watchTargetNamespaces(object['spec']),
  };
}

/**
 * Returns the namespace of the Deployments; undefined if the Deployments name none. Reports Deployments in different namespaces, and
 * Deployments of the same name, because OLM installs all Deployments into one namespace.
 */
export function namespaceOf(findings: FindingList, deployments: readonly PlacedObject[]): string | undefined {
  const first = deployments[0]?.object.metadata.namespace;
  const names = new Set<string>();
  for (const { object, where } of deployments) {
    const { name, namespace } = object.metadata;
    if (names.has(name)) {
      findings.add({
        code: 'bundle/duplicate-object',
        message: `there are two Deployments ${name}; OLM installs all Deployments into one namespace`,
        where,
        fix: ['rename one of the two'],
      });
    } else if (namespace !== first) {
      findings.add({
        code: 'bundle/foreign-namespace',
        message: `${describeObject(object)} is in another namespace than the other Deployments (${first ?? 'which name none'}); OLM installs all Deployments into one namespace`,
        where,
        fix: ['put all Deployments into one namespace'],
      });
    }
    names.add(name);
  }
  return first;
}

/** Warns of settings of Deployments that work with `op-sdk deploy` but fail when OLM installs the operator. */
export function checkPortability(
  warnings: FindingList,
  read: ObjectReader,
  deployments: readonly PlacedObject[],
  namespace: string | undefined,
): void {
  for (const { deployment, container, path } of containersOf(read, deployments)) {
    if (container['image'] === DEFAULT_IMAGE) {
      warnings.add({
        code: 'bundle/default-image',
        message: `${describeObject(deployment.object)}: ${pathText(path)}.image is the placeholder ${DEFAULT_IMAGE}, which no registry serves`,
        where: deployment.where,
        fix: ['name the image: `make bundle IMG=<registry>/<image>:<tag>`'],
      });
    }
  }
  for (const deployment of deployments) {
    const lost = Object.keys(read.map(deployment, 'metadata', 'annotations'));
    if (lost.length === 0) continue;
    warnings.add({
      code: 'bundle/lost-field',
      message: `${describeObject(deployment.object)} has annotations, ${lost.join(', ')}; a ClusterServiceVersion has no place for them`,
      where: deployment.where,
      fix: ['annotate the pods, in spec.template.metadata, or remove the annotations'],
    });
  }
  if (namespace === undefined) return;
  const whole = new RegExp(`(?<![a-z0-9-])${namespace.replaceAll('.', '\\.')}(?![a-z0-9-])`);
  for (const deployment of deployments) {
    for (const path of textsWith(deployment.object['spec'], whole, ['spec'])) {
      warnings.add({
        code: 'bundle/fixed-namespace',
        message: `${describeObject(deployment.object)}: ${pathText(path)} names the namespace ${namespace}; OLM may install into another one`,
        where: deployment.where,
        fix: [
          "take the namespace from the pod: `fieldRef: {fieldPath: metadata.namespace}` in the container's env",
        ],
      });
    }
  }
}

/** Makes the variable WATCH_NAMESPACE of each container read the pod annotation in which OLM lists the namespaces to watch. */
function watchTargetNamespaces(spec: unknown): unknown {
  const pod = isJsonMap(spec) && isJsonMap(spec['template']) ? spec['template']['spec'] : undefined;
  if (!isJsonMap(spec) || !isJsonMap(spec['template']) || !isJsonMap(pod)) return spec;
  const rewritten = Object.fromEntries(
    ['initContainers', 'containers'].flatMap((list) => {
      const containers = pod[list];
      return Array.isArray(containers) ? [[list, (containers as unknown[]).map(watchingContainer)]] : [];
    }),
  );
  return { ...spec, template: { ...spec['template'], spec: { ...pod, ...rewritten } } };
}

function watchingContainer(container: unknown): unknown {
  if (!isJsonMap(container) || !environment(container).some(({ name }) => name === 'WATCH_NAMESPACE'))
    return container;
  const fieldPath = "metadata.annotations['olm.targetNamespaces']";
  const env = environment(container).map((variable) =>
    variable['name'] === 'WATCH_NAMESPACE'
      ? { name: 'WATCH_NAMESPACE', valueFrom: { fieldRef: { fieldPath } } }
      : variable,
  );
  return { ...container, env };
}

function textsWith(
  value: unknown,
  pattern: RegExp,
  path: readonly (string | number)[],
): readonly (readonly (string | number)[])[] {
  if (typeof value === 'string') return pattern.test(value) ? [path] : [];
  if (Array.isArray(value))
    return (value as unknown[]).flatMap((item, index) => textsWith(item, pattern, [...path, index]));
  if (!isJsonMap(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsWith(inner, pattern, [...path, key]));
}

import {
  invalidValue,
  qualifiedNameProblems,
  type FieldError,
} from '../../../../kubernetes/objects/index.ts';

/** Returns true for a resource that Kubernetes itself defines: without a domain, or with its own one. */
export const isNativeResource = (name: string): boolean =>
  !name.includes('/') || name.includes('kubernetes.io/');

const standardOfContainers = /^(?:cpu|memory|ephemeral-storage|hugepages-.*)$/;

const standardResources =
  /^(?:cpu|memory|ephemeral-storage|hugepages-.*|requests\..*|limits\..*|pods|resourcequotas|services|replicationcontrollers|secrets|configmaps|persistentvolumeclaims|storage|services\.nodeports|services\.loadbalancers)$/;

/** Returns the errors of the name of a resource. Source: kubernetes `validateResourceName`. */
export function resourceNameErrors(name: string, field: string): readonly FieldError[] {
  const problems = qualifiedNameProblems(name);
  if (problems.length > 0) return problems.map((problem) => invalidValue(field, name, problem));
  return name.includes('/') || standardResources.test(name)
    ? []
    : [invalidValue(field, name, 'must be a standard resource type or fully qualified')];
}

/** Returns the errors of the name of a resource of a container. Source: kubernetes `ValidateContainerResourceName`. */
export function containerResourceErrors(name: string, field: string): readonly FieldError[] {
  const errors = [...resourceNameErrors(name, field)];
  if (!name.includes('/')) {
    if (!standardOfContainers.test(name))
      errors.push(invalidValue(field, name, 'must be a standard resource for containers'));
  } else if (!isNativeResource(name) && !isExtendedResource(name))
    errors.push(invalidValue(field, name, "doesn't follow extended resource name standard"));
  return errors;
}

/** Returns true for the name of a resource that others define. Source: kubernetes `IsExtendedResourceName`. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false;
  return qualifiedNameProblems(`requests.${name}`).length === 0;
}

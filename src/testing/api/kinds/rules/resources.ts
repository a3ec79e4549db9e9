import {
  forbiddenValue,
  invalidValue,
  objectOf,
  qualifiedNameProblems,
  required,
  type FieldError,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { isQuantity, milliValue } from '../../../../base/util/quantity.ts';

/** Returns true for a resource that Kubernetes itself defines: without a domain, or with its own one. */
const isNativeResource = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

const standardOfContainers = /^(?:cpu|memory|ephemeral-storage|hugepages-.*)$/;

const standardResources =
  /^(?:cpu|memory|ephemeral-storage|hugepages-.*|requests\..*|limits\..*|pods|resourcequotas|services|replicationcontrollers|secrets|configmaps|persistentvolumeclaims|storage|services\.nodeports|services\.loadbalancers)$/;

/** Returns the errors of the name of a resource. Source: kubernetes `validateResourceName`. */
function resourceNameErrors(name: string, field: string): readonly FieldError[] {
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
function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false;
  return qualifiedNameProblems(`requests.${name}`).length === 0;
}

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

/** Returns the errors of an amount of a resource. Source: kubernetes `ValidateResourceQuantityValue`. */
function amountErrors(name: string, amount: string, field: string): readonly FieldError[] {
  const value = milliValue(amount);
  const errors: FieldError[] =
    value < 0n ? [invalidValue(field, amount, 'must be greater than or equal to 0')] : [];
  if (isExtendedResource(name) && value % 1000n !== 0n)
    errors.push(invalidValue(field, amount, 'must be an integer'));
  if (isHugePages(name) && !isMultiple(value, name.slice('hugepages-'.length)))
    errors.push(invalidValue(field, amount, `${amount} is not positive integer multiple of ${name}`));
  return errors;
}

function isMultiple(value: bigint, page: string): boolean {
  if (!isQuantity(page)) return false;
  const size = milliValue(page);
  return size > 0n && size % 1000n === 0n && value % size === 0n;
}

/** Returns the errors of the resources of a container. Source: kubernetes `validateResourceRequirements`. */
export function requirementErrors({ limits, requests }: JsonObject, path: string): readonly FieldError[] {
  const [most, wanted] = [objectOf(limits), objectOf(requests)];
  const errors: FieldError[] = [];
  for (const [part, amounts] of Object.entries({ limits: most, requests: wanted }))
    for (const [name, amount] of Object.entries(amounts)) {
      const field = `${path}.${part}[${name}]`;
      errors.push(...containerResourceErrors(name, field), ...amountErrors(name, jsonTextOf(amount), field));
    }
  for (const [name, amount] of Object.entries(wanted)) {
    const isFlexible = isNativeResource(name) && !isHugePages(name);
    const [text, limit] = [jsonTextOf(amount), jsonTextOf(most[name])];
    if (limit === '') {
      if (!isFlexible)
        errors.push(required(`${path}.limits`, 'Limit must be set for non overcommitable resources'));
    } else if (milliValue(text) !== milliValue(limit) && !isFlexible)
      errors.push(invalidValue(`${path}.requests`, text, `must be equal to ${name} limit of ${limit}`));
    else if (milliValue(text) > milliValue(limit))
      errors.push(
        invalidValue(`${path}.requests`, text, `must be less than or equal to ${name} limit of ${limit}`),
      );
  }
  const names = [...Object.keys(most), ...Object.keys(wanted)];
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory'))
    errors.push(forbiddenValue(path, 'HugePages require cpu or memory'));
  return errors;
}

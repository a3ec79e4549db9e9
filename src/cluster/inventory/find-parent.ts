import type { PlacedObject } from '../../kubernetes/yaml/manifest-object.ts';
import { deploymentsOf } from '../doctor/operator-deployment.ts';
import type { ApplySetParent } from './apply-set.ts';

/** The name of the operator's Deployment in a scaffold, after the prefix of the kustomization. */
const scaffoldedName = /(?:^|(?<=-))controller-manager$/;

/**
 * The Secret that keeps the inventory of an operator. The operator's Deployment gives name and namespace: two operators have
 * two Deployments, so they never share an inventory, also where kustomizations have the same prefix and namespace. With a
 * scaffold it is `<namePrefix>applyset`.
 *
 * @param defaultNamespace of objects that name none
 * @returns undefined if the objects do not say which Deployment is the operator
 */
export function findParent(
  objects: readonly PlacedObject[],
  defaultNamespace: string,
): ApplySetParent | undefined {
  const all = deploymentsOf(objects);
  const scaffolded = all.filter(({ metadata }) => scaffoldedName.test(metadata.name));
  const [operator, ...others] = scaffolded.length > 0 ? scaffolded : all;
  if (operator === undefined || others.length > 0) return undefined;
  const { name, namespace = '' } = operator.metadata;
  return {
    // No Deployment of the scaffold's kind of name leads to the second form.
    name: scaffoldedName.test(name) ? name.replace(scaffoldedName, 'applyset') : `${name}.applyset`,
    namespace: namespace === '' ? defaultNamespace : namespace,
  };
}

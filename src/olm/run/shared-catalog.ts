import type { KubeObject } from '../../sdk/api/index.ts';
import { fieldAt, textOf } from '../bundle/validate/fields.ts';
import { OpSdkError } from '../../base/errors/index.ts';

interface PackageCatalog {
  readonly catalog: string;
  readonly packageName: string;
  /** Namespace of both. */
  readonly namespace: string;
}

/** The Subscriptions to a package's catalogue that are for other packages: names that differ in a dot only name one catalogue. */
export function subscribersOfOthers(
  subscriptions: readonly KubeObject[],
  { catalog, packageName, namespace }: PackageCatalog,
): readonly KubeObject[] {
  return subscriptions.filter((each) => {
    const place = textOf(fieldAt(each, 'spec', 'sourceNamespace'));
    return (
      textOf(fieldAt(each, 'spec', 'source')) === catalog &&
      (place === '' || place === namespace) &&
      textOf(fieldAt(each, 'spec', 'name')) !== packageName
    );
  });
}

/** @throws OpSdkError `olm/name-taken` if the catalogue that a package needs is another package's */
export function checkNotShared(subscriptions: readonly KubeObject[], own: PackageCatalog): void {
  const [subscription] = subscribersOfOthers(subscriptions, own);
  if (subscription === undefined) return;
  const other = textOf(fieldAt(subscription, 'spec', 'name'));
  throw new OpSdkError({
    code: 'olm/name-taken',
    message: `${other} is installed from the catalogue ${own.catalog}, whose name \`op-sdk run bundle\` needs for ${own.packageName}`,
    where: { object: `subscription/${subscription.metadata.name} -n ${own.namespace}` },
    fix: [
      'install into another namespace: --namespace NAME',
      `or remove the other first: op-sdk cleanup ${other} -n ${own.namespace}`,
    ],
  });
}

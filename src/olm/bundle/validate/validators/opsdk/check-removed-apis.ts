import { allRemoved } from '../../removed-apis.ts';
import { bundleObjectName } from '../../object-metadata.ts';
import type { Check } from '../../types.ts';

/** Objects of versions that no supported Kubernetes has. Definitions of v1beta1 are reported with the definitions. */
export const checkRemovedApis: Check<'opsdk'> = ({ objects }, { error }) => {
  for (const object of objects) {
    const minor =
      object.kind === 'CustomResourceDefinition' ? undefined : allRemoved(object.apiVersion, object.kind);
    if (minor === undefined) continue;
    error(
      'bundle/removed-api',
      [object, ['apiVersion']],
      `${bundleObjectName(object)} is of ${object.apiVersion}, which Kubernetes 1.${minor} removed`,
      `use the version that follows: https://kubernetes.io/docs/reference/using-api/deprecation-guide/#v1-${minor}`,
    );
  }
};

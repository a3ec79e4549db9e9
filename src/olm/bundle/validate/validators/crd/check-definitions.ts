import { judgeDefinition, crdNamespaceOf } from '../../crd-violations.ts';
import type { Check } from '../../types.ts';

/** Source: operator-framework/api `crd.go`; apiextensions `ValidateCustomResourceDefinition`. */
export const checkDefinitionRules: Check<'crd'> = ({ crds }, { error }) => {
  for (const crd of crds) {
    const namespace = crdNamespaceOf(crd);
    if (namespace !== '')
      error(
        'bundle/namespaced-object',
        [crd, ['metadata', 'namespace']],
        `the CustomResourceDefinition ${crd.name} has the namespace ${namespace}; definitions have none`,
        'remove metadata.namespace',
      );
    if (crd.name === '')
      error('crd/name', [crd, ['metadata']], 'the definition has no metadata.name', 'write <plural>.<group>');
    for (const { path, code, message, fix } of judgeDefinition(crd).upstream)
      error(code as 'crd/form', [crd, path], message, fix);
  }
};

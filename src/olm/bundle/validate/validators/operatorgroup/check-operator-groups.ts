import { reportAnnotationNames } from '../../annotation-names.ts';
import type { Check } from '../../types.ts';

const apiVersions = ['operators.coreos.com/v1', 'operators.coreos.com/v1alpha2'];

/** Source: operator-framework/api `operatorgroup.go`. */
export const checkOperatorGroups: Check<'operatorgroup'> = ({ objects }, report) => {
  for (const object of objects)
    if (object.kind === 'OperatorGroup' && apiVersions.includes(object.apiVersion))
      reportAnnotationNames(object, report);
};

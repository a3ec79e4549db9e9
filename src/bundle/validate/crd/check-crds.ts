import { checkCrd } from '../../../crd/rules/check-crd.ts';
import { severityOf } from '../../../errors/index.ts';
import type { Check } from '../types.ts';

const servedVersion = 'apiextensions.k8s.io/v1';

/** The CustomResourceDefinitions of a bundle, as everybody who takes definitions judges them. */
export const checkCrds: Check = (bundle, { error, warn }) => {
  for (const crd of bundle.crds) {
    if (crd.apiVersion !== servedVersion) {
      error(
        'bundle/removed-crd-version',
        [crd, ['apiVersion']],
        `no supported Kubernetes has ${crd.apiVersion} CustomResourceDefinition; v1beta1 ended with 1.22`,
        'write it as apiextensions.k8s.io/v1',
      );
      continue;
    }
    for (const { path, code, message, fix } of checkCrd(crd.value)) {
      const report = severityOf(code) === 'error' ? error : warn;
      report(code, [crd, path], message, fix);
    }
  }
};

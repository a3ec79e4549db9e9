import type { Finding } from '../../../base/errors/index.ts';
import type { BundleObject } from '../validate/types.ts';

/**
 * A finding for each NetworkPolicy: OLM installs them, and the checks of the catalogue refuse them all the same. Source:
 * operator-pipelines `operatorcert/static_tests/common/bundle.py`, `check_network_policy_presence`.
 */
export function forbiddenKinds(objects: readonly BundleObject[]): readonly Finding[] {
  return objects
    .filter(({ apiVersion, kind }) => kind === 'NetworkPolicy' && apiVersion.startsWith('networking.k8s.io/'))
    .map((object) => ({
      code: 'bundle/publish-kind',
      message: `the catalogue takes no bundles with a NetworkPolicy (${object.name})`,
      where: object.reread().locate(['kind']),
      fix: [
        'leave it out of the bundle, and let the operator create it, or describe it in the documentation',
      ],
    }));
}

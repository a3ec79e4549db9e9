import type { BundleObject, LoadedBundle } from '../types.ts';
import { judgeDefinition } from '../crd-violations.ts';
import { jsonMapOf } from '../../../../base/util/json-map.ts';
import { severityOf, type ExplainedCode } from '../../../../base/errors/index.ts';
import { crdCodes } from '../../../../kubernetes/crd/index.ts';
import { ruleModule, type Check } from './rule.ts';
import type { SharedRules } from './shared.ts';

/** Level of a rule for CRDs. Both validators that report the rule, `crd` and `opsdk`, use the same level. */
type LevelOf<Rule> = Rule extends { readonly level: 'warning' } ? 'warning' : 'error';

export type DefinitionRules = {
  readonly [C in keyof typeof crdCodes]: {
    readonly validators: Readonly<Record<'crd' | 'opsdk', LevelOf<(typeof crdCodes)[C]>>>;
  };
} & { readonly 'crd/form': { readonly validators: { readonly format: 'error' } } };

/** Rules for CRDs that other commands also use. In bundles, the validators `crd` and `opsdk` report them. */
const ofDefinitions = Object.fromEntries(
  Object.entries<ExplainedCode>(crdCodes).map(([code, { level = 'error' }]) => [
    code,
    { validators: { ...(code === 'crd/form' && { format: level }), crd: level, opsdk: level } },
  ]),
) as unknown as DefinitionRules;

type Rules = DefinitionRules & SharedRules;

/**
 * Reports problems of CRDs that the API server refuses but operator-framework's validator ignores. Most of these problems are in schemas.
 */
const checkSchemas: Check<Rules, 'opsdk'> = (bundle, report) => {
  for (const crd of bundle.crds) {
    if (crd.apiVersion !== 'apiextensions.k8s.io/v1')
      report.error(
        'bundle/removed-crd-version',
        [crd, ['apiVersion']],
        `no supported Kubernetes has ${crd.apiVersion} CustomResourceDefinition; v1beta1 ended with 1.22`,
        'write it as apiextensions.k8s.io/v1',
      );
    for (const { path, code, message, fix } of judgeDefinition(crd).dropped) {
      if (severityOf(code) === 'error') report.error(code as 'crd/form', [crd, path], message, fix);
      else report.warn(code as 'crd/unknown-field', [crd, path], message, fix);
    }
  }
  for (const crd of sameNames(bundle))
    report.error(
      'bundle/duplicate-crd',
      [crd, ['metadata', 'name']],
      `the bundle has the CustomResourceDefinition ${crd.name} twice`,
      'remove one of the two files',
    );
};

/**
 * Returns every CRD that has the same name as an earlier CRD, even if the versions of the two CRDs differ. Source: operator-controller
 * `CheckCRDResourceUniqueness`.
 */
function sameNames({ crds }: LoadedBundle): readonly BundleObject[] {
  const seen = new Set<string>();
  return crds.filter(({ name }) => {
    const isTwice = seen.has(name) && name !== '';
    seen.add(name);
    return isTwice;
  });
}

/**
 * Checks the CRDs by the rules of operator-framework and the API server. Source: operator-framework/api `crd.go`; apiextensions
 * `ValidateCustomResourceDefinition`.
 */
const checkDefinitionRules: Check<Rules, 'crd'> = ({ crds }, { error }) => {
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

/** Returns the namespace of a CRD, or `''` without one. A namespace is invalid in a CRD. */
function crdNamespaceOf(crd: BundleObject): string {
  const { namespace } = jsonMapOf(crd.value['metadata']);
  return typeof namespace === 'string' ? namespace : '';
}

export const definitionRules = ruleModule<DefinitionRules, Rules>(ofDefinitions, {
  crd: [checkDefinitionRules],
  opsdk: [checkSchemas],
});

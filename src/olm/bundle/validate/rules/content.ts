import { mapOf, textOf } from '../fields.ts';
import { bundleObjectName, metadataProblems, ownKinds } from '../owned-kinds.ts';
import type { BundleObject } from '../types.ts';
import { installableKinds } from '../../examples.ts';
import { ruleModule, type BundleRules, type Check, type Report } from './rule.ts';
import type { SharedRules } from './shared.ts';

const rules = {
  'bundle/no-csv': {
    validators: { content: 'error' },
    title: 'The bundle has no ClusterServiceVersion',
    explain: 'The ClusterServiceVersion says what OLM has to install. A bundle has exactly one.',
  },
} as const satisfies BundleRules;

type Rules = typeof rules & SharedRules;

/**
 * Checks every object except the ClusterServiceVersion and the CRDs. OLM must be able to install the object's kind, and the API server must
 * accept the object's metadata. Source: operator-sdk `internal/registry/validate.go` `ValidateBundleContent`.
 */
const checkBundleObjects: Check<Rules, 'content'> = ({ dir, objects, complete }, report) => {
  if (complete && !objects.some(({ kind }) => kind === 'ClusterServiceVersion'))
    report.error(
      'bundle/no-csv',
      { file: `${dir}/manifests` },
      'no file of manifests/ holds a ClusterServiceVersion, so there is nothing to install',
      'create the bundle with `op-sdk generate bundle`',
    );
  for (const object of objects) {
    if (object.kind === '' || ownKinds.includes(object.kind)) continue;
    if (installableKinds.includes(object.kind)) checkMetadata(object, report);
    else reportKind(object, report);
  }
};

/** Reports an object whose kind OLM cannot install. OLM compares only the kind and ignores the group. */
function reportKind(object: BundleObject, { error }: Report<Rules, 'content'>): void {
  const { apiVersion, kind } = object;
  error(
    'bundle/kind-not-supported',
    [object, ['kind']],
    `OLM does not install ${apiVersion} ${kind} from a bundle`,
    kind === 'Deployment'
      ? 'put the Deployment into spec.install.spec.deployments of the ClusterServiceVersion'
      : `let the operator create it when it runs; a bundle may hold ${installableKinds.join(', ')}`,
  );
}

function checkMetadata(object: BundleObject, { error }: Report<Rules, 'content'>): void {
  const metadata = mapOf(object.value['metadata']);
  if (object.name === '' && textOf(metadata['generateName']) === '')
    error(
      'io/not-an-object',
      [object, ['metadata', 'name']],
      'the object has no metadata.name',
      'give it a name',
    );
  const namespace = textOf(metadata['namespace']);
  if (namespace !== '')
    error(
      'bundle/namespaced-object',
      [object, ['metadata', 'namespace']],
      `${bundleObjectName(object)} has the namespace ${namespace}; OLM installs it where the operator is installed`,
      'remove metadata.namespace',
    );
  for (const { path, message, fix, ofType } of metadataProblems(object))
    if (ofType !== true) error('bundle/invalid-metadata', [object, ['metadata', ...path]], message, fix);
}

export const contentRules = ruleModule<typeof rules, Rules>(rules, { content: [checkBundleObjects] });

import type { DeepReadonly } from '../api/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { LabelSelectorError, labelRequirements, labelsMatch } from '../../base/util/label-selector.ts';
import type { LabelSelector } from '../k8s/generated/meta/v1.ts';

/**
 * Returns true if the label selector of an object, such as `spec.selector` of a Deployment, selects labels. An empty selector selects
 * everything, an absent one nothing, as in Kubernetes. Selectors that are only a map, such as that of a Service, are the `matchLabels` of
 * one. For the text form of selectors, as of `kubectl -l`, use the option `labelSelector` of `client.list`.
 *
 * @throws OpSdkError `runtime/invalid-selector` for an operator that Kubernetes does not define
 *
 * @example
 * const selected = namespaces.items.filter(({ metadata }) => matchesSelector(site.spec.namespaceSelector, metadata.labels));
 */
export function matchesSelector(
  selector: DeepReadonly<LabelSelector> | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  if (selector === undefined) return false;
  try {
    return labelsMatch(labelRequirements(selector), labels);
  } catch (error) {
    if (!(error instanceof LabelSelectorError)) throw error;
    throw new OpSdkError({
      code: 'runtime/invalid-selector',
      message: `invalid label selector: operator of matchExpressions: ${error.message}`,
      fix: ['use In, NotIn, Exists or DoesNotExist'],
    });
  }
}

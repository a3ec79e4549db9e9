import { FindingList, type Where } from '../../base/errors/index.ts';
import { jsonListOf, jsonMapOf, jsonTextOf } from '../../base/util/json-map.ts';
import { parseKubernetesYaml } from '../../kubernetes/yaml/kubernetes-yaml.ts';
import type { ManifestObject, PlacedObject } from '../../kubernetes/yaml/manifest-object.ts';
import { readManifestFiles } from '../manifest-files.ts';
import { isWebhookConfiguration } from './with-webhook-urls.ts';

/**
 * Reads MutatingWebhookConfigurations and ValidatingWebhookConfigurations from YAML and JSON files, and from folders of them (not recursive).
 * In a folder everything else is passed over, such as Services and kustomizations; a file that was named must hold at least one.
 *
 * @throws OpSdkError with all findings: `testenv/invalid-webhook`, `io/not-found`, and those of `parseKubernetesYaml`
 */
export async function readWebhookFiles(paths: readonly string[]): Promise<readonly PlacedObject[]> {
  const findings = new FindingList();
  const found: PlacedObject[] = [];
  for (const { file, text, named } of await readManifestFiles(paths, findings)) {
    const read = findings.gatherSync(() => configurationsIn(text, file));
    if (read?.length === 0 && named)
      findings.add({
        code: 'testenv/invalid-webhook',
        message: 'expected a MutatingWebhookConfiguration or a ValidatingWebhookConfiguration, got neither',
        where: { file },
      });
    found.push(...(read ?? []));
  }
  checkEach(found, findings);
  findings.throwIfAny();
  return found;
}

/** Not everything beside them is an object of Kubernetes: a folder may have kustomizations and their settings. */
function configurationsIn(text: string, file: string): readonly PlacedObject[] {
  const objectsIn = (
    value: unknown,
    path: readonly (string | number)[],
    locate: (path: readonly (string | number)[]) => Where,
  ): readonly PlacedObject[] => {
    const object = jsonMapOf(value);
    const kind = jsonTextOf(object['kind']);
    if (kind.endsWith('List'))
      return jsonListOf(object['items']).flatMap((item, index) =>
        objectsIn(item, [...path, 'items', index], locate),
      );
    return isWebhookConfiguration({ kind }) ? [{ object: value as ManifestObject, where: locate(path) }] : [];
  };
  return parseKubernetesYaml(text, file).flatMap((document) =>
    objectsIn(document.value, [], (path) => document.locate(path)),
  );
}

/** The rest the API server says itself. */
function checkEach(found: readonly PlacedObject[], findings: FindingList): void {
  const seen = new Set<string>();
  for (const { object, where } of found) {
    const name = jsonTextOf(jsonMapOf(object.metadata)['name']);
    const identity = `${object.kind} ${name}`;
    const problem =
      object.apiVersion !== 'admissionregistration.k8s.io/v1'
        ? `${object.kind}: expected the apiVersion admissionregistration.k8s.io/v1, got ${JSON.stringify(object.apiVersion)}`
        : name === ''
          ? `${object.kind}: the name is missing`
          : seen.has(identity)
            ? `${identity} is there twice: the second would replace the first`
            : undefined;
    seen.add(identity);
    if (problem !== undefined) findings.add({ code: 'testenv/invalid-webhook', message: problem, where });
  }
}

/**
 * All YAML that op-sdk reads and writes. There are two readers: {@link parseKubernetesYaml} reads what other people wrote as Kubernetes'
 * own tools do, within limits of time and memory; {@link parseYaml} reads the files that op-sdk writes itself, and refuses every value
 * that two tools would read differently. `toYaml` writes in the form of sigs.k8s.io/yaml, and splices change files that people edit
 * without printing them again. The parsers are js-yaml, which is quick and takes what Go takes, and yaml, which keeps the places of all
 * nodes.
 */
export { parseKubernetesYaml, type KubernetesDocument } from './kubernetes-yaml.ts';
export { foldedTexts } from './folded-texts.ts';
export type { DocumentTexts } from './load-texts.ts';
export { YamlBudget, yamlLimits } from './limits.ts';
export { describeObject, readManifest, type ManifestObject, type PlacedObject } from './manifest-object.ts';
export { placeInJson } from './place-in-json.ts';
export { readRegularYamlFile, readYamlFile } from './read-text.ts';
export { parseYaml, parseYamlDocuments, type YamlDocument, type YamlPlace } from './read-yaml.ts';
export { withoutMarkerAfterComment } from './stream.ts';

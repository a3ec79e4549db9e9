/**
 * Reads and writes all YAML of op-sdk. The module has two readers: {@link parseKubernetesYaml} reads files of other tools like Kubernetes'
 * own tools, within limits of time and memory; {@link parseYaml} reads the files that op-sdk writes itself, and refuses every value that
 * two tools would read differently. `toYaml` writes in the format of sigs.k8s.io/yaml. Splices change parts of hand-edited files without
 * rewriting the other parts. Two parsers are used: js-yaml, which is fast and accepts the same syntax as Go, and yaml, which keeps the
 * positions of all nodes.
 */
export { parseKubernetesYaml, type KubernetesDocument } from './kubernetes-yaml.ts';
export { foldedTexts, type DocumentTexts } from './load-document.ts';
export {
  YamlBudget,
  yamlLimits,
  tooLargeYaml,
  readRegularYamlFile,
  readYamlFile,
  readYamlStream,
} from './limits.ts';
export { describeObject, readManifest, type ManifestObject, type PlacedObject } from './manifest-object.ts';
export { placeInJson, editYaml, replaceYamlList } from './edit-yaml.ts';
export { parseYaml, parseYamlDocuments, type YamlDocument, type YamlPlace } from './read-yaml.ts';
export { withoutMarkerAfterComment, isEmptyDocument, yamlStreamParts, type StreamPart } from './stream.ts';
export { isAmbiguousPlain } from './go-schema.ts';
export { cutBytes, type DocumentBytes } from './cut-bytes.ts';
export { yamlEntry, toYaml } from './to-yaml.ts';
export {
  addToYamlList,
  appendToYamlList,
  setInYamlMap,
  removeFromYamlMap,
  replaceInYamlMap,
  YamlSpliceError,
  removeFromYamlList,
  editYamlDocument,
} from './splice.ts';
export { setYamlListBlocks, yamlListBlocks, type ListBlock, type WantedBlock } from './list-blocks.ts';

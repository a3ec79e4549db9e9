/**
 * File-based catalogues, from which OLM reads operators and their versions. A catalogue consists of documents for packages, channels and
 * bundles, in the files of a folder or of an image. It may be large, so documents are read one at a time, and only the parts that findings
 * and commands need are kept.
 */
export { catalogCodes } from './codes.ts';
export { channelGraph, drawGraph, type PictureFormat } from './graph/channel-graph.ts';
export { judgeCatalog, noPackages, loadCatalog } from './judge-catalog.ts';
export { packagesOf } from './rules/check-deprecations.ts';
export { configsLabel } from './types.ts';
export { printDocument } from './render/known-document.ts';
export { renderCatalogBundle, type CatalogueBundle } from './render/render-bundle.ts';
export {
  documentInMemory,
  documentsIn,
  inWrittenOrder,
  type RenderedDocument,
} from './render/render-documents.ts';
export { renderTemplate } from './render/render-template.ts';
export { diffDocuments, type CatalogChange } from './diff/diff-documents.ts';
export { listedChannels, summaryOf, type ListedChannel, type PackageSummary } from './list/list-catalog.ts';
export { planAddition } from './add/plan-addition.ts';
export {
  catalogLabels,
  catalogLayer,
  configsFolder,
  catalogObject,
  olmVersions,
  type OlmVersion,
} from './image/catalog-layer.ts';
export { compareSemver, parseSemver } from './versions/range.ts';

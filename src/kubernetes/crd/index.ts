/**
 * Knowledge of CustomResourceDefinitions, in one place. `document/` reads them, v1 and v1beta1 as the API server converted it, and
 * brings them into one form; `rules/` is one pure function, `checkCrd`, from a document to what the API server has against it, each with
 * the path in the document and a code; `value/` judges a value by a structural schema; `diff/` says which changes break whom. Rules judge
 * documents and know no places: whoever reads a definition finds them afterwards, in TypeScript, in YAML, or on a cluster.
 */
export { checkCrd } from './rules/check-crd.ts';
export type { FieldPath, Violation } from './rules/violation.ts';
export type { CrdDocument, CrdVersion } from './document/crd-document.ts';
export {
  compareCrds,
  normalizeCrd,
  normalizeSchema,
  ownMetadata,
  type CrdDifference,
} from './document/normalize-crd.ts';
export {
  crdsOf,
  readCrds,
  uniqueCrds,
  type ReadCrd,
  type ReadCrds,
  type SourceDocument,
} from './document/read-crds.ts';
